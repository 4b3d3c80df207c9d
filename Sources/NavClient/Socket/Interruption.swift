// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc
import Synchronization

/// Ends another thread's wait: an eventfd that `ClientSocket` polls beside its socket.
package final class Interruption: Sendable {
    let descriptor: Int32
    private let flag = Atomic(false)

    /// When the system has no descriptor left, the flag still works: the wait then ends at its deadline.
    package init() { descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Safe from any thread. Cannot be undone.
    package func set() {
        flag.store(true, ordering: .releasing)
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
