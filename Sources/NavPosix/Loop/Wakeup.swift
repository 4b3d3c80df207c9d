// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc
import Synchronization

/// Ends a loop's wait from another thread.
///
/// The eventfd is written only when the loop is really asleep, so a busy loop costs the sender no system call. That
/// no wake is lost: the sender sets `isPending` and then reads `isAsleep`, the loop sets `isAsleep` and then reads
/// `isPending`, all sequentially consistent, so at least one of them sees the other.
package final class Wakeup: Sendable {
    let descriptor: Int32
    private let isPending = Atomic<Bool>(false)
    private let isAsleep = Atomic<Bool>(false)

    init() throws(PosixError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .last("open an event descriptor") }
    }

    deinit { close(descriptor) }

    /// Makes the loop run one more round. From any thread.
    package func signal() {
        isPending.store(true, ordering: .sequentiallyConsistent)
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = retryingInterrupts { write(descriptor, &one, MemoryLayout<UInt64>.size) }
    }

    /// Whether somebody has signalled since `acknowledge`.
    var isSignalled: Bool { isPending.load(ordering: .sequentiallyConsistent) }

    /// The loop is about to sleep. False when it must not, because somebody has signalled.
    func prepareToSleep() -> Bool {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        return !isSignalled
    }

    func wokeUp() { isAsleep.store(false, ordering: .sequentiallyConsistent) }

    /// Takes the signal: true when there was one. What was handed over before it is visible afterwards.
    func acknowledge() -> Bool { isPending.exchange(false, ordering: .sequentiallyConsistent) }

    /// Empties the descriptor, so that a level-triggered wait does not see it again.
    func drainDescriptor() {
        var count: UInt64 = 0
        _ = retryingInterrupts { read(descriptor, &count, MemoryLayout<UInt64>.size) }
    }
}
