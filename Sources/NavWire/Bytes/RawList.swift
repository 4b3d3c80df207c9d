// SPDX-License-Identifier: Apache-2.0

/// A list that is refilled for each document. It checks no index: whoever holds an index into it got it from a check.
@safe
struct RawList<Element: BitwiseCopyable> {
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    /// So many elements are room that is kept from one document to the next.
    private static var keptCapacity: Int { 1 << 14 }

    init(capacity: Int) {
        unsafe start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    func free() { unsafe start.deallocate() }

    mutating func removeAll() {
        count = 0
        if capacity > Self.keptCapacity { shrink() }
    }

    mutating func removeLast(_ number: Int) { count -= number }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        unsafe (start + count).initialize(to: element)
        count += 1
    }

    /// Forgets what a huge document needed.
    @inline(never)
    private mutating func shrink() {
        unsafe start.deallocate()
        capacity = 256
        unsafe start = .allocate(capacity: capacity)
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = unsafe larger
        capacity *= 2
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { unsafe start[index] }
        nonmutating set { unsafe start[index] = newValue }
    }

    func elements(_ first: Int, count: Int) -> UnsafeBufferPointer<Element> {
        unsafe UnsafeBufferPointer(start: start + first, count: count)
    }
}
