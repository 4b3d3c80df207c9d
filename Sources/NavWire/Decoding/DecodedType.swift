// SPDX-License-Identifier: Apache-2.0

/// What is known about a type of values that are read.
@safe
struct DecodedType {
    let kind: ValueKind
    let dictionary: (any DecodableDictionary.Type)?
    let nested: (any DecodableOptional.Type)?
    let direct: (any NavWireDecodable.Type)?

    init(_ type: Any.Type) {
        nested = (type as? any DecodableOptional.Type).flatMap { $0.optionalDepth > 1 ? $0 : nil }
        dictionary = type as? any DecodableDictionary.Type
        direct = type as? any NavWireDecodable.Type
        kind = ValueKind(type, isNested: nested != nil, isDirect: direct != nil, collection: dictionary?.kind)
    }
}

/// Dictionaries, which are written in two forms: with keys that are strings, and in pairs.
protocol DecodableDictionary {
    static var kind: ValueKind { get }
    /// Makes a `Self` at `target` from a dictionary that was written in the other of the two forms.
    static func decodeOtherForm(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
    static var kind: ValueKind { Key.self is any CodingKeyRepresentable.Type ? .map : .pairs }

    static func decodeOtherForm(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        unsafe target.initializeMemory(as: Self.self, to: try decoder.members())
    }
}
