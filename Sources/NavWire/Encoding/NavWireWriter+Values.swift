// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

// A type's members, each under its key or as an item.

extension NavWireWriter {
    /// Where the next value is written, which is due no longer.
    @inline(__always)
    private var next: UnsafeMutablePointer<EncoderState> {
        mutating get {
            due &-= 1
            return unsafe state
        }
    }

    public mutating func writeNil() { unsafe next.pointee.writer.writeNull() }
    public mutating func write(_ value: Bool) { unsafe next.pointee.writer.write(value) }
    public mutating func write(_ value: Int) { unsafe next.pointee.writer.write(Int64(value)) }
    public mutating func write(_ value: UInt64) { unsafe next.pointee.writer.write(value) }
    public mutating func write(_ value: Double) { unsafe next.pointee.writer.write(value) }
    public mutating func write(_ value: Float) { unsafe next.pointee.writer.writeFloat(bitPattern: value.bitPattern) }
    public mutating func write(_ value: String) { unsafe next.pointee.writer.write(value) }
    public mutating func write(_ value: UUID) {
        unsafe next.pointee.writer.writeUUID(unsafeBitCast(value, to: UInt128.self))
    }
    public mutating func write(_ value: Date) {
        unsafe next.pointee.writer.writeDate(value.timeIntervalSinceReferenceDate)
    }
    public mutating func write(_ value: Data) {
        let state = unsafe next
        unsafe value.withUnsafeBytes { unsafe state.pointee.writer.writeData($0) }
    }
    public mutating func write(_ value: URL) { unsafe next.pointee.writer.write(value) }
    public mutating func write(_ value: [String]) throws { try array(value) { $0.write($1) } }
    @inlinable
    public mutating func write(_ value: some NavWireEncodable) throws { try value.write(to: &self) }

    /// Any other value, by way of its `Codable` conformance. When that fills containers by turns, or forwards to a
    /// dictionary, the whole document is written once more, see ``NavWireCodable``.
    public mutating func write(encodable value: some Encodable) throws {
        do {
            unsafe try next.encodeNested(in: value)
        } catch {
            hasFailed = true
            throw error
        }
    }

    public mutating func write(_ value: Bool, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Int, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: UInt64, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Double, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: String, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: UUID, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Date, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: URL, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: [String], _ key: Int) throws {
        writeKey(key)
        try write(value)
    }
    @inlinable
    public mutating func write(_ value: some NavWireEncodable, _ key: Int) throws {
        writeKey(key)
        try value.write(to: &self)
    }
    public mutating func write(encodable value: some Encodable, _ key: Int) throws {
        writeKey(key)
        try write(encodable: value)
    }
}
