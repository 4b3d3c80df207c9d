// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// The one place where time enters the daemon: one reading per round of the loop.
struct DaemonClock {
    private var reading: Instant?
    private var isSynchronised = false
    private var askedAt: UInt64?

    /// How often the kernel is asked whether its clock is synchronised: a system call, and the answer rarely changes.
    private static let askingInterval: UInt64 = 1_000_000_000

    /// This round's reading.
    mutating func now() -> Instant {
        if let reading { return reading }
        let monotonic = SystemClock.monotonicNanoseconds()
        if askedAt.map({ monotonic - $0 >= Self.askingInterval }) ?? true {
            isSynchronised = SystemClock.isSynchronised()
            askedAt = monotonic
        }
        let instant = Instant(
            wallMilliseconds: SystemClock.wallMilliseconds(), monotonicNanoseconds: monotonic,
            isSynchronised: isSynchronised)
        reading = instant
        return instant
    }

    /// Time goes on.
    mutating func nextRound() { reading = nil }
}
