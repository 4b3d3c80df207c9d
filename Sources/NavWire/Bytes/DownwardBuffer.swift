// SPDX-License-Identifier: Apache-2.0

/// Items that are put before each other, so that the first one stands at the end: the fixed section of a payload.
@safe
struct DownwardBuffer {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    /// How many bytes it grows to.
    private var limit = Int.max

    init(capacity: Int) {
        unsafe start = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    func free() { unsafe start.deallocate() }

    mutating func removeAll(limit: Int = .max) {
        count = 0
        self.limit = limit
    }

    mutating func trim(to limit: Int) {
        count = 0
        guard capacity > limit else { return }
        unsafe start.deallocate()
        unsafe start = .allocate(byteCount: limit, alignment: 16)
        capacity = limit
    }

    /// False when that is more than the limit, and nothing was written.
    @inline(__always)
    mutating func prepend<Value: BitwiseCopyable>(_ value: Value, byteCount: Int = MemoryLayout<Value>.size) -> Bool {
        if count &+ byteCount > capacity, !grow(by: byteCount) { return false }
        count &+= byteCount
        unsafe start.storeBytes(of: value, toByteOffset: capacity &- count, as: Value.self)
        return true
    }

    mutating func prepend(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress else { return true }
        if count &+ bytes.count > capacity, !grow(by: bytes.count) { return false }
        count += bytes.count
        unsafe (start + capacity - count).copyMemory(from: source, byteCount: bytes.count)
        return true
    }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start + capacity - count, count: count) }

    @inline(never)
    private mutating func grow(by byteCount: Int) -> Bool {
        guard byteCount <= limit - count else { return false }
        let wanted = max(min(capacity * 2, limit), count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        unsafe (larger + wanted - count).copyMemory(from: start + capacity - count, byteCount: count)
        unsafe start.deallocate()
        unsafe start = larger
        capacity = wanted
        return true
    }
}
