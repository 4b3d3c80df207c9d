// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync
import Testing

@testable import navsyncd

@Suite struct LogCompactorTests {
    private static let node = NodeID(high: 1, low: 2)
    private static let now: UInt64 = 1_800_000_000_000

    private func openStore(_ directory: Scratch) throws -> SQLiteStore {
        var next: UInt64 = 0
        return try SQLiteStore.open(
            directory: directory.path, node: Self.node, limits: .default, wallMilliseconds: Self.now,
            random: {
                next += 1
                return next
            }
        ).0
    }

    /// Writes `range` as versions of one stack, a batch each.
    private func write(_ range: ClosedRange<UInt64>, _ store: SQLiteStore) throws {
        for number in range {
            let record = Record(
                name: try StackName("s"),
                stamp: Stamp(time: HybridTime(rawValue: Self.now << 16 + number), origin: Self.node),
                writeCount: number, base: nil, content: .envelope([1], ContentHash(words: (number, 0, 0, 0))))
            var batch = CommitBatch(mark: Mark(rawValue: number))
            batch.rows = [Row(sequence: Sequence(rawValue: number), state: .merged, source: nil, record: record)]
            try store.apply(batch)
        }
    }

    @Test func removesHistoryBeyondItsLimitsOnceTheLogHasGrown() throws {
        let directory = try Scratch()
        let store = try openStore(directory)
        var limits = HistoryLimits.default
        limits.rowsPerName = 3
        limits.rowsPerStep = 4
        var compactor = LogCompactor(logRowCount: 0, limits: limits, minimumGrowth: 20)
        try write(1...19, store)
        compactor.appended(19)
        #expect(!compactor.isDue)

        try write(20...20, store)
        compactor.appended(1)
        #expect(compactor.isDue)
        var steps = 0
        var time: UInt64 = 0
        while compactor.isDue, steps < 100 {
            time += 1_000_000_000
            try compactor.step(store, wallMilliseconds: Self.now) { time }
            steps += 1
        }
        #expect(!compactor.isDue)
        #expect(steps > 1)
        let all = VersionSearch(name: try StackName("s"), before: Sequence(rawValue: .max), rowLimit: .max)
        let kept = try store.readVersions(all).versions
        #expect(kept.map(\.sequence.rawValue) == [20, 19, 18, 17])
    }

    @Test func aStepIsFollowedByAPauseOfNineTimesItsLength() throws {
        let directory = try Scratch()
        let store = try openStore(directory)
        var limits = HistoryLimits.default
        limits.rowsPerStep = 4
        var compactor = LogCompactor(logRowCount: 0, limits: limits, minimumGrowth: 20)
        try write(1...20, store)
        #expect(compactor.wait(at: 0) == nil)
        compactor.appended(20)
        #expect(compactor.wait(at: 5) == 0)

        var times: [UInt64] = [100, 102]
        try compactor.step(store, wallMilliseconds: Self.now) { times.removeFirst() }
        #expect(compactor.wait(at: 102) == 18)
        try compactor.step(store, wallMilliseconds: Self.now) { 110 }
        #expect(compactor.wait(at: 110) == 10)

        // The log has grown by more than twice what is due while it was looked at.
        compactor.appended(60)
        times = [120, 122]
        try compactor.step(store, wallMilliseconds: Self.now) { times.removeFirst() }
        #expect(compactor.wait(at: 122) == 2)
    }

    @Test func growthIsMeasuredAgainstTheLog() {
        var compactor = LogCompactor(logRowCount: 0, minimumGrowth: 10)
        compactor.giveUp()
        compactor.appended(9)
        #expect(!compactor.isDue)
        compactor.appended(1)
        #expect(compactor.isDue && !compactor.isOverdue)
        compactor.appended(10)
        #expect(compactor.isOverdue)
    }

    @Test func aCompactionThatCannotGoOnWaitsForMoreGrowth() {
        var compactor = LogCompactor(logRowCount: 100, minimumGrowth: 10)
        #expect(compactor.isDue)
        compactor.giveUp()
        #expect(!compactor.isDue)
    }
}
