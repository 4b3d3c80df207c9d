// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Turns Swift values into element values and back.
package enum ElementCoder {
    /// The value of an element that holds `value`, in the form of its own that Swift values have.
    package static func encode(
        _ value: some Encodable, limits: NavWireLimits = .default, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> PathValue {
        let (native, byteCount) = try NativeValue.encode(value, limits: limits, userInfo: userInfo)
        guard byteCount <= limits.maximumElementByteCount else {
            throw NavWireError.tooLarge(
                "an item of \(byteCount) bytes, \(limits.maximumElementByteCount) are allowed")
        }
        return .native(native)
    }

    /// The JSON text that SwiftUI writes for `value`.
    package static func item(
        of value: some Encodable, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.userInfo = sendable(userInfo)
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The Swift value of an element's value. From imported JSON it is what `JSONDecoder` makes of it; a value that was
    /// encoded natively is strict about its scalars.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from value: PathValue, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> Value {
        if case .native(let native) = value { return try native.decode(type, userInfo: userInfo) }
        let decoder = JSONDecoder()
        decoder.userInfo = sendable(userInfo)
        return try decoder.decode(type, from: Data(text(of: value).utf8))
    }

    /// The item's text, with long rows of combining marks in its keys in order: `JSONDecoder` hashes all of these.
    private static func text(of value: PathValue) throws(NavWireError) -> String {
        let text = try boundedItem(of: value)
        guard case .json(let json) = value, text.hasLongRow else { return text }
        return String(decoding: JSONWriter.bytes(of: json.withMarksOfKeysInOrder), as: UTF8.self)
    }

    /// The item's text, which is only made to be read again.
    ///
    /// What is held was accepted with limits of the app, which may be others than ours. But a repeated string is a byte, so
    /// the text of a few bytes could be as large as one likes: that of many has room for the keys of their rows.
    private static func boundedItem(of value: PathValue) throws(NavWireError) -> String {
        var limits = NavWireLimits.boundless
        guard case .json(let json) = value else { return try value.item(at: 0, limits: limits) }
        do {
            return try value.item(at: 0)
        } catch  where error.code == .tooLarge {
            limits.maximumJSONByteCount = try json.payloadByteCount() * textBytesEach
            guard limits.maximumJSONByteCount > NavWireLimits.default.maximumJSONByteCount else { throw error }
            return try value.item(at: 0, limits: limits)
        }
    }

    /// How many bytes of JSON text each byte of a large payload accounts for.
    private static let textBytesEach = 32

    /// The same dictionary under the type that Foundation's coders want.
    private static func sendable(_ userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
        // Sendable is a marker without a run-time form, so both types have one layout. The coder that gets the values
        // lives inside one call, on the caller's thread: nothing crosses to another.
        unsafe unsafeBitCast(userInfo, to: [CodingUserInfoKey: any Sendable].self)
    }

    /// An error of a coder, in words. They may quote a part of the value, unless it must be hidden: then they name only
    /// the place in it.
    static func reason(_ error: any Error, isHidden: Bool = false) -> String {
        let context: (codingPath: [any CodingKey], text: String)
        switch error {
        case DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found),
            DecodingError.keyNotFound(_, let found), DecodingError.dataCorrupted(let found):
            context = (found.codingPath, found.debugDescription)
        case EncodingError.invalidValue(_, let found): context = (found.codingPath, found.debugDescription)
        case let error as NavWireError: return isHidden ? "\(error.code)" : error.reason
        default: return "\(type(of: error))"
        }
        return isHidden ? place(context.codingPath) + "hidden" : place(context.codingPath) + context.text
    }

    private static func place(_ codingPath: [any CodingKey]) -> String {
        codingPath.isEmpty ? "" : codingPath.map(\.stringValue).joined(separator: ".") + ": "
    }
}
