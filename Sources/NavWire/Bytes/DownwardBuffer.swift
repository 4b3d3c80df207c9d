// SPDX-License-Identifier: Apache-2.0

/// Items that are put before each other, so that the first one stands at the end: the fixed section of a payload.
@safe
struct DownwardBuffer {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        unsafe start = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    func free() { unsafe start.deallocate() }

    mutating func removeAll() { count = 0 }

    mutating func trim(to limit: Int) {
        count = 0
        guard capacity > limit else { return }
        unsafe start.deallocate()
        unsafe start = .allocate(byteCount: limit, alignment: 16)
        capacity = limit
    }

    @inline(__always)
    mutating func prepend<Value: BitwiseCopyable>(_ value: Value, byteCount: Int = MemoryLayout<Value>.size) {
        reserve(byteCount)
        count &+= byteCount
        unsafe start.storeBytes(of: value, toByteOffset: capacity &- count, as: Value.self)
    }

    mutating func prepend(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        count += bytes.count
        guard let source = bytes.baseAddress else { return }
        unsafe (start + capacity - count).copyMemory(from: source, byteCount: bytes.count)
    }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start + capacity - count, count: count) }

    @inline(__always)
    private mutating func reserve(_ byteCount: Int) {
        if count &+ byteCount > capacity { grow(by: byteCount) }
    }

    @inline(never)
    private mutating func grow(by byteCount: Int) {
        let wanted = max(capacity * 2, count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        unsafe (larger + wanted - count).copyMemory(from: start + capacity - count, byteCount: count)
        unsafe start.deallocate()
        unsafe start = larger
        capacity = wanted
    }
}
