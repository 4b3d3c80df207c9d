// SPDX-License-Identifier: Apache-2.0

/// A one-shot timer of a loop, armed and re-armed as often as wanted.
///
/// Re-arming to a later time costs nothing until the earlier one comes round, which suits deadlines that every
/// message pushes back.
package final class LoopTimer {
    /// When it will fire, on the monotonic clock; nil when it will not.
    package fileprivate(set) var deadline: UInt64?
    /// The time of this timer's entry in the heap that counts; others of it are left-overs.
    fileprivate var queuedAt: UInt64?
    fileprivate let action: () -> Void
    // Unowned, since an armed timer is held by its loop: whoever holds a timer to arm it holds the loop too.
    private unowned let loop: EventLoop

    fileprivate init(loop: EventLoop, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    /// Fires once at `deadline`, in monotonic nanoseconds, in place of whatever was armed before.
    package func arm(at deadline: UInt64) {
        self.deadline = deadline
        if queuedAt.map({ deadline < $0 }) ?? true {
            queuedAt = deadline
            loop.timers.push(self, at: deadline)
        }
    }

    package func cancel() { deadline = nil }
}

/// The armed timers of a loop, earliest first.
struct TimerHeap {
    private struct Entry {
        let time: UInt64
        let timer: LoopTimer
    }

    private var entries: [Entry] = []

    static func makeTimer(loop: EventLoop, action: @escaping () -> Void) -> LoopTimer {
        LoopTimer(loop: loop, action: action)
    }

    /// The earliest time at which there may be something to do.
    var earliest: UInt64? { entries.first?.time }

    mutating func push(_ timer: LoopTimer, at time: UInt64) {
        entries.append(Entry(time: time, timer: timer))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The action of one timer that is due at `now`; nil when none is. Moves timers that were armed anew.
    mutating func popDue(at now: UInt64) -> (() -> Void)? {
        while let first = entries.first, first.time <= now {
            removeFirst()
            guard first.timer.queuedAt == first.time else { continue }
            first.timer.queuedAt = nil
            guard let deadline = first.timer.deadline else { continue }
            // Moved to a later time since: even when that has passed too, others may come before it.
            if deadline > first.time {
                first.timer.queuedAt = deadline
                push(first.timer, at: deadline)
                continue
            }
            first.timer.deadline = nil
            return first.timer.action
        }
        return nil
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].time < entries[least].time { least = child }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
