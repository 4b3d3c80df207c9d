// SPDX-License-Identifier: Apache-2.0

/// What is known about a type of values that are written.
@safe
struct EncodedType {
    let kind: ValueKind
    /// The same for one that does not write itself, though it could.
    let plainKind: ValueKind
    let ordered: (any OrderedCollection.Type)?
    let nested: (any NestedOptional.Type)?
    let direct: (any NavWireEncodable.Type)?

    init(_ type: Any.Type) {
        nested = (type as? any NestedOptional.Type).flatMap { $0.optionalDepth > 1 ? $0 : nil }
        ordered = type as? any OrderedCollection.Type
        direct = type as? any NavWireEncodable.Type
        plainKind = ValueKind(type, isNested: nested != nil, isDirect: false, collection: ordered?.kindWhenEncoded)
        kind = ValueKind(
            type, isNested: nested != nil, isDirect: direct != nil, collection: ordered?.kindWhenEncoded)
    }
}
