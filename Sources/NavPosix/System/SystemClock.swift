// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// The machine's clocks. The only place that reads them; everything else is handed the readings.
package enum SystemClock {
    /// Nanoseconds of CLOCK_MONOTONIC: never set back, stands still while the machine is suspended.
    package static func monotonicNanoseconds() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    /// A time of CLOCK_MONOTONIC, for waits that end then.
    static func deadline(in nanoseconds: UInt64) -> timespec {
        let end = monotonicNanoseconds() + nanoseconds
        return timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    }

    /// Milliseconds since 1970 UTC. May jump either way.
    package static func wallMilliseconds() -> UInt64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

    /// Whether the kernel calls its wall clock synchronised. One system call: ask about once a second, not per message.
    package static func isSynchronised() -> Bool { nav_clock_is_synchronised() == 1 }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        // These two clocks exist on every Linux: the call has no failure to report.
        clock_gettime(clock, &time)
        // A wall clock set before 1970 reads as 1970.
        guard time.tv_sec >= 0 else { return 0 }
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
