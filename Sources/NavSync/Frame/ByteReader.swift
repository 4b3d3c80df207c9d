// SPDX-License-Identifier: Apache-2.0

/// Reads fields from a range of a buffer, never beyond its end.
///
/// Integers are big-endian or minimal LEB128 varints. Every fault is a `malformedMessage`.
package struct ByteReader {
    package let bytes: [UInt8]
    package private(set) var offset: Int
    package let end: Int

    /// A reader over `range`, which lies within `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    package init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

    package var remaining: Int { end - offset }

    package mutating func readByte() throws(SyncError) -> UInt8 {
        guard offset < end else { throw .truncated(needed: 1, remaining: 0) }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func readUInt64() throws(SyncError) -> UInt64 {
        guard remaining >= 8 else { throw .truncated(needed: 8, remaining: remaining) }
        var value: UInt64 = 0
        for index in offset..<offset + 8 { value = value << 8 | UInt64(bytes[index]) }
        offset += 8
        return value
    }

    package mutating func readVarint() throws(SyncError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try readByte()
            if shift == 63, byte > 1 { throw .malformed("a varint of more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                if byte == 0, shift > 0 { throw .malformed("a varint that is not minimal") }
                return value
            }
            shift += 7
        }
    }

    /// A varint that says how many bytes or items follow; never more than the bytes that remain.
    package mutating func readCount() throws(SyncError) -> Int {
        let value = try readVarint()
        guard let count = Int(exactly: value), count <= remaining else {
            throw .malformed("a count of \(value), \(remaining) bytes remain")
        }
        return count
    }

    /// A varint that counts bytes, then those bytes: their range in `bytes`.
    package mutating func readRange() throws(SyncError) -> Range<Int> {
        let count = try readCount()
        defer { offset += count }
        return offset..<offset + count
    }

    package mutating func readBytes() throws(SyncError) -> [UInt8] { Array(bytes[try readRange()]) }

    package mutating func readText() throws(SyncError) -> String {
        let range = try readRange()
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw .malformed("text is not valid UTF-8")
        }
        return text
    }

    package mutating func readName() throws(SyncError) -> StackName { try StackName(validating: readBytes()) }

    package mutating func readNodeID() throws(SyncError) -> NodeID {
        NodeID(high: try readUInt64(), low: try readUInt64())
    }

    package mutating func readStamp() throws(SyncError) -> Stamp {
        Stamp(time: HybridTime(rawValue: try readUInt64()), origin: try readNodeID())
    }

    package mutating func readFlag() throws(SyncError) -> Bool {
        switch try readByte() {
        case 0: return false
        case 1: return true
        case let byte: throw .malformed("a flag of \(byte), 0 and 1 are allowed")
        }
    }

    /// The optional fields at the end of a message, in ascending order of their tags: (tag, reader of the value).
    /// Nil at the end. The caller skips tags that it does not know.
    package mutating func readOptionalField(
        after last: inout UInt64
    ) throws(SyncError) -> (tag: UInt64, value: ByteReader)? {
        guard remaining > 0 else { return nil }
        let tag = try readVarint()
        guard tag > last else { throw .malformed("optional field \(tag) after field \(last)") }
        last = tag
        return (tag, ByteReader(bytes, in: try readRange()))
    }

    /// Skips all optional fields of a message that knows none.
    package mutating func skipOptionalFields() throws(SyncError) {
        var last: UInt64 = 0
        while try readOptionalField(after: &last) != nil {}
    }

    package mutating func readCursor() throws(SyncError) -> Cursor {
        Cursor(
            incarnation: Incarnation(rawValue: try readUInt64()), sequence: Sequence(rawValue: try readUInt64()),
            mark: Mark(rawValue: try readUInt64()), scope: Scope(rawValue: try readUInt64()))
    }

    /// Checks that nothing is left.
    package func finish() throws(SyncError) {
        guard remaining == 0 else { throw .malformed("\(remaining) bytes after the last field") }
    }
}
