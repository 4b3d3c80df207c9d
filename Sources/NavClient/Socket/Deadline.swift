// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A moment on the monotonic clock at which a call gives up.
package struct Deadline: Hashable, Comparable, Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
    package let nanoseconds: UInt64

    package static let never = Deadline(nanoseconds: .max)
    /// Waits for nothing.
    static let past = Deadline(nanoseconds: 0)

    package static func after(milliseconds: Int) -> Deadline {
        let (sum, overflow) = now().addingReportingOverflow(UInt64(max(0, milliseconds)) &* 1_000_000)
        return Deadline(nanoseconds: overflow ? .max : sum)
    }

    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    package var hasPassed: Bool { Self.now() >= nanoseconds }

    /// For `poll`: rounded up, so that a wait never ends just before the deadline.
    package var remainingMilliseconds: Int32 {
        let now = Self.now()
        guard now < nanoseconds else { return 0 }
        return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
