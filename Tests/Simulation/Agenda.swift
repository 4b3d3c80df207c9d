// SPDX-License-Identifier: Apache-2.0

/// What happens next: a heap of closures by virtual time, then by order of entry.
struct Agenda {
    private struct Entry {
        let time: UInt64
        let order: UInt64
        let happen: () -> Void

        func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : order < other.order }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0
    private(set) var now: UInt64 = 0

    mutating func add(after delay: UInt64, _ happen: @escaping () -> Void) {
        order += 1
        heap.append(Entry(time: now + delay, order: order, happen: happen))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next thing that happens before `end`; time moves to it, or to the end.
    mutating func next(before end: UInt64) -> (() -> Void)? {
        guard let first = heap.first, first.time < end else {
            now = end
            return nil
        }
        now = first.time
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first.happen
    }
}
