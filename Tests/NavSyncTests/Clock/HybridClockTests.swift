// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct HybridClockTests {
    private func instant(_ milliseconds: UInt64) -> Instant {
        Instant(wallMilliseconds: milliseconds, monotonicNanoseconds: 0, isSynchronised: true)
    }

    @Test func aFrozenClockStillGivesDistinctIncreasingTimes() {
        var clock = HybridClock(floor: .zero)
        var last = HybridTime.zero
        var repeated = 0
        for _ in 0..<100_000 {
            let time = clock.tick(at: instant(1000), above: nil)
            if time <= last { repeated += 1 }
            last = time
        }
        #expect(repeated == 0)
        // The counter has 65,536 values: the rest borrowed the next millisecond.
        #expect(last.milliseconds == 1001)
    }

    @Test func aClockSetBackChangesNothing() {
        var clock = HybridClock(floor: .zero)
        let before = clock.tick(at: instant(1_000_000), above: nil)
        let after = clock.tick(at: instant(5), above: nil)
        #expect(after == before.successor)
    }

    @Test func aWriteIsAboveTheNameAndTheFloor() {
        var clock = HybridClock(floor: HybridTime(milliseconds: 500))
        #expect(clock.tick(at: instant(1), above: nil) == HybridTime(milliseconds: 500).successor)
        let known = HybridTime(milliseconds: 9000)
        #expect(clock.tick(at: instant(1), above: known) == known.successor)
        #expect(clock.floor == known.successor)
    }

    @Test func driftIsMeasuredAgainstTheWallClock() {
        let limits = SyncLimits.default
        let now = instant(1_000_000)
        #expect(HybridClock.excessDrift(of: HybridTime(milliseconds: 1_060_000), at: now, limits: limits) == nil)
        #expect(HybridClock.excessDrift(of: HybridTime(milliseconds: 1_060_001), at: now, limits: limits) == 1)
        #expect(HybridClock.excessDrift(of: .zero, at: now, limits: limits) == nil)
        #expect(HybridClock.excessDrift(of: .maximum, at: instant(.max), limits: limits) == nil)
    }

    @Test func theGreatestTimeIsItsOwnSuccessor() {
        var clock = HybridClock(floor: .maximum)
        #expect(clock.tick(at: instant(1), above: .maximum) == .maximum)
    }
}
