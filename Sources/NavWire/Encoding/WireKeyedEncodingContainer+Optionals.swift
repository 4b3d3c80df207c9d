// SPDX-License-Identifier: Apache-2.0

// The standard library has its own versions of these, which go through the protocol once more.

extension WireKeyedEncodingContainer {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        guard value != nil, try beginValue(key) else { return try encodeInTree(optional: value, key) }
        let state = unsafe slot.pointee.state
        let type = unsafe state.pointee.optionalTypes.info(of: Value.self) {
            unsafe OptionalType(content: Unmanaged.passRetained(OptionalContent<Value, Value?>(state)))
        }
        unsafe try unsafeBitCast(type.pointee.content, to: OptionalContent<Value, Value?>.self).encodeItem(value)
    }
}

/// Writes what an optional holds.
///
/// To take something out of an optional of a type that is known by its metadata alone, the metadata of the optional's
/// own type is needed, which the runtime looks up in a table that all threads share. An object of a type that has both
/// among its arguments knows them at once; compare `Lender`.
@safe
final class OptionalContent<Value: Encodable, Whole> {
    private let state: UnsafeMutablePointer<EncoderState>

    init(_ state: UnsafeMutablePointer<EncoderState>) {
        unsafe self.state = unsafe state
    }

    /// `Whole` is an optional of `Value`, and not nil.
    @inline(never)
    func encodeItem(_ whole: Whole) throws {
        unsafe try withUnsafePointer(to: whole) {
            // What an optional holds stands at its beginning.
            unsafe try state.encodeItem(UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee)
        }
    }
}

@safe
struct OptionalType {
    /// The `OptionalContent`, for ever.
    let content: Unmanaged<AnyObject>
}
