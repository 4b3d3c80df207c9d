// SPDX-License-Identifier: Apache-2.0

/// The writing twin of `ByteReader`: appends fields to the buffer that goes to the socket.
extension [UInt8] {
    package mutating func appendUInt64(_ value: UInt64) {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Fills in eight bytes that were appended before their value was known.
    mutating func replaceUInt64(at offset: Int, with value: UInt64) {
        for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * index)) }
    }

    package mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// How many bytes, then the bytes.
    package mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        appendVarint(UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    package mutating func appendText(_ text: String) { appendCounted(text.utf8) }

    package mutating func appendNodeID(_ node: NodeID) {
        appendUInt64(node.high)
        appendUInt64(node.low)
    }

    package mutating func appendStamp(_ stamp: Stamp) {
        appendUInt64(stamp.time.rawValue)
        appendNodeID(stamp.origin)
    }

    package mutating func appendCursor(_ cursor: Cursor) {
        appendUInt64(cursor.incarnation.rawValue)
        appendUInt64(cursor.sequence.rawValue)
        appendUInt64(cursor.mark.rawValue)
        appendUInt64(cursor.scope.rawValue)
    }

    package mutating func appendFlag(_ flag: Bool) { append(flag ? 1 : 0) }

    /// An optional field whose value is one stamp.
    package mutating func appendOptionalStamp(_ stamp: Stamp?, tag: UInt64) {
        guard let stamp else { return }
        appendVarint(tag)
        appendVarint(UInt64(8 + NodeID.byteCount))
        appendStamp(stamp)
    }

    /// An optional field whose value is what `write` appends.
    package mutating func appendOptional(tag: UInt64, _ write: (inout [UInt8]) -> Void) {
        var value: [UInt8] = []
        write(&value)
        appendVarint(tag)
        appendCounted(value)
    }

    /// An optional field whose presence is its meaning.
    package mutating func appendOptionalSign(_ isPresent: Bool, tag: UInt64) {
        guard isPresent else { return }
        appendVarint(tag)
        appendVarint(0)
    }
}
