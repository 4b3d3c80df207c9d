// SPDX-License-Identifier: Apache-2.0

/// Bytes that grow at their end.
///
/// Memory is kept from one document to the next, but for what `trim` gives back; the owner calls `free()`.
/// Room is checked at each append, so no length from outside can write past the end.
@safe
struct ByteBuffer {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    /// How many bytes it grows to.
    private var limit = Int.max
    /// Whether it was given more than it takes. It goes on anew then, in the memory that it has: what it holds is no use
    /// any more, but nobody who writes has to look.
    private(set) var isOver = false
    /// A word for the owner to look at, which becomes `overSign` when the buffer is over.
    var sign: UInt64 = 0

    static let overSign = UInt64.max

    /// Room behind the last byte: what was begun before the buffer was over is still patched where it stood.
    private static let slack = 16

    init(capacity: Int) {
        unsafe start = .allocate(byteCount: capacity + Self.slack, alignment: 16)
        self.capacity = capacity
    }

    func free() { unsafe start.deallocate() }

    mutating func removeAll(limit: Int = .max) {
        count = 0
        self.limit = limit
        isOver = false
    }

    /// Takes no more.
    mutating func stop() {
        isOver = true
        sign = Self.overSign
    }

    /// Forgets what a huge document needed.
    mutating func trim(to limit: Int) {
        count = 0
        guard capacity > limit else { return }
        unsafe start.deallocate()
        unsafe start = .allocate(byteCount: limit + Self.slack, alignment: 16)
        capacity = limit
    }

    @inline(__always)
    mutating func reserve(_ byteCount: Int) {
        if count &+ byteCount > capacity { _ = grow(by: byteCount) }
    }

    /// False when it is over, whether or not there is room now.
    @inline(never)
    private mutating func grow(by byteCount: Int) -> Bool {
        if isOver || byteCount > limit - count {
            stop()
            count = 0
            return false
        }
        let wanted = max(min(capacity * 2, limit), count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted + Self.slack, alignment: 16)
        unsafe larger.copyMemory(from: start, byteCount: count)
        unsafe start.deallocate()
        unsafe start = larger
        capacity = wanted
        return true
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends a head and the low bytes of `value`, least significant first. At most eight.
    @inline(__always)
    mutating func append(_ head: UInt8, _ value: UInt64, byteCount: Int) {
        reserve(9)
        unsafe start.storeBytes(of: head, toByteOffset: count, as: UInt8.self)
        unsafe start.storeBytes(of: value.littleEndian, toByteOffset: count &+ 1, as: UInt64.self)
        count &+= 1 &+ byteCount
    }

    /// False when the buffer is over, and nothing was appended.
    @inline(__always)
    @discardableResult
    mutating func append(_ bytes: UnsafeRawPointer, byteCount: Int) -> Bool {
        if count &+ byteCount > capacity, !grow(by: byteCount) { return false }
        unsafe (start + count).copyMemory(from: bytes, byteCount: byteCount)
        count &+= byteCount
        return true
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { unsafe append(start, byteCount: bytes.count) }
    }

    /// Makes room at the end for the caller to fill.
    mutating func extend(by byteCount: Int) -> UnsafeMutableRawBufferPointer {
        reserve(byteCount)
        count += byteCount
        return unsafe UnsafeMutableRawBufferPointer(start: start + count - byteCount, count: byteCount)
    }

    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        if value < 0x80 {
            append(UInt8(truncatingIfNeeded: value))
        } else if value < 0x4000 {
            reserve(2)
            let bytes = UInt16(truncatingIfNeeded: value & 0x7F | 0x80 | (value >> 7) << 8)
            unsafe start.storeBytes(of: bytes.littleEndian, toByteOffset: count, as: UInt16.self)
            count &+= 2
        } else {
            appendLongVarint(value)
        }
    }

    private mutating func appendLongVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafe start.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    mutating func setByte(_ byte: UInt8, at offset: Int) {
        unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Makes room for `byteCount` bytes before `offset`. The new bytes hold anything.
    mutating func insert(_ byteCount: Int, at offset: Int) {
        reserve(byteCount)
        guard offset <= count else { return }
        unsafe (start + offset + byteCount).copyMemory(from: start + offset, byteCount: count - offset)
        count += byteCount
    }

    /// Drops everything from `offset` on.
    mutating func truncate(to offset: Int) { count = min(count, offset) }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}
