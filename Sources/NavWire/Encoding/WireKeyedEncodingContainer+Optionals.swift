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
    /// `Value`, when it is an optional too.
    private let optional = Value.self as? any NestedOptional.Type

    init(_ state: UnsafeMutablePointer<EncoderState>) {
        unsafe self.state = unsafe state
    }

    /// `Whole` is an optional of `Value`, and not nil.
    @inline(never)
    func encodeItem(_ whole: Whole) throws {
        unsafe try withUnsafePointer(to: whole) {
            // What an optional holds stands at its beginning.
            let value = unsafe UnsafeRawPointer($0)
            if let optional, case .null(let depth) = unsafe optional.peel(value) {
                // As `encode` writes it, so that what is read tells it from the outermost nil, however that was written.
                return unsafe state.pointee.writer.writeNestedNull(depth: depth + 1)
            }
            unsafe try state.encodeItem(value.assumingMemoryBound(to: Value.self).pointee)
        }
    }
}

@safe
struct OptionalType {
    /// The `OptionalContent`, for ever.
    let content: Unmanaged<AnyObject>
}
