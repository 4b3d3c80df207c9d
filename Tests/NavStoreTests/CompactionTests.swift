// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync
import NavTestSupport
import Testing

@Suite struct CompactionTests {
    private static let day: UInt64 = 86_400_000
    private static let now: UInt64 = 1_800_000_000_000

    /// Writes rows of one batch each, in order.
    private struct Writer {
        let store: SQLiteStore
        private(set) var rows: [Row] = []
        private var next: UInt64 = 1

        init(_ store: SQLiteStore) { self.store = store }

        mutating func write(
            _ name: String, daysAgo: UInt64, state: RowState = .merged, tombstone: Bool = false, byteCount: Int = 10
        ) throws {
            let milliseconds = CompactionTests.now - daysAgo * CompactionTests.day
            let record = Record(
                name: try StackName(name),
                stamp: Stamp(
                    time: HybridTime(rawValue: milliseconds << 16 + next), origin: BatchMaker.node),
                writeCount: next, base: nil,
                content: tombstone
                    ? .tombstone
                    : .envelope([UInt8](repeating: 1, count: byteCount), ContentHash(words: (next, 0, 0, 0))))
            let row = Row(sequence: Sequence(rawValue: next), state: state, source: nil, record: record)
            var batch = CommitBatch(mark: Mark(rawValue: next * 7))
            batch.rows = [row]
            try store.apply(batch)
            rows.append(row)
            next += 1
        }

        func kept(_ name: String) throws -> [UInt64] {
            try store.keptRows(of: StackName(name)).map(\.sequence.rawValue).reversed()
        }
    }

    private func compact(_ store: SQLiteStore, _ limits: HistoryLimits) throws -> Compaction.Outcome {
        var compaction = try store.makeCompaction(limits: limits, now: Self.now)
        for _ in 0..<10_000 where try store.step(&compaction) { return compaction.outcome }
        Issue.record("a compaction does not end")
        return compaction.outcome
    }

    private var limits: HistoryLimits {
        var limits = HistoryLimits.default
        limits.rowsPerName = 3
        limits.rowsPerStep = 2
        return limits
    }

    @Test func keepsTheLiveRowAndTheNewestOfTheOthers() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        for _ in 0..<8 { try writer.write("a", daysAgo: 1) }
        try writer.write("b", daysAgo: 399)
        let outcome = try compact(writer.store, limits)
        #expect(try writer.kept("a") == [5, 6, 7, 8])
        #expect(try writer.kept("b") == [9])
        #expect(outcome.removedRowCount == 4)
        #expect(outcome.removedByteCount == 40)
    }

    @Test func removesWhatIsTooOldOrTooLarge() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        try writer.write("old", daysAgo: 40)
        try writer.write("old", daysAgo: 31)
        try writer.write("old", daysAgo: 20)
        for _ in 0..<3 { try writer.write("large", daysAgo: 1, byteCount: 600_000) }
        try writer.write("end", daysAgo: 1)
        _ = try compact(writer.store, limits)
        #expect(try writer.kept("old") == [3])
        #expect(try writer.kept("large") == [5, 6])
    }

    @Test func aRowThatLostItsMergeNeverOutlivesAsLive() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        try writer.write("a", daysAgo: 1)
        try writer.write("a", daysAgo: 50, state: .superseded)
        try writer.write("a", daysAgo: 50, state: .parked)
        try writer.write("a", daysAgo: 50, state: .quarantined)
        try writer.write("end", daysAgo: 1)
        _ = try compact(writer.store, limits)
        #expect(try writer.kept("a") == [1, 3, 4])
    }

    @Test func forgetsOldTombstonesAndKeepsYoungOnesAndTheGreatestSequence() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        try writer.write("forgotten", daysAgo: 500)
        try writer.write("forgotten", daysAgo: 401, tombstone: true)
        try writer.write("young", daysAgo: 399, tombstone: true)
        try writer.write("greatest", daysAgo: 500, tombstone: true)
        var limits = limits
        limits.tombstoneCount = 0
        let outcome = try compact(writer.store, limits)
        #expect(try writer.kept("forgotten") == [])
        #expect(try writer.kept("young") == [3])
        #expect(try writer.kept("greatest") == [4])
        #expect(outcome.forgotten == [try StackName("forgotten")])
    }

    /// A peer that comes back after longer than tombstones must be kept still has what was removed: nothing else knows.
    @Test func removedStacksAreRememberedForAsLongAsTheyAreFew() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        for number in 0..<50 {
            try writer.write("\(number)", daysAgo: 9_000)
            try writer.write("\(number)", daysAgo: 8_000, tombstone: true)
        }
        try writer.write("end", daysAgo: 1)
        let outcome = try compact(writer.store, limits)
        #expect(outcome.forgotten.isEmpty && outcome.removedRowCount == 50, "what they had is forgotten")
        try writer.store.close()
        let index = try openStore(directory).recovered.index
        #expect(index.tombstoneCount == 50)
        #expect(index[try StackName("7")]?.isTombstone == true)
    }

    @Test(arguments: [1_000, 20]) func ofTooManyTheLongestRemovedAreForgotten(_ namesPerPass: Int) throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        for number in 0..<100 as Range<UInt64> {
            // Removed in an order that is not that of the log.
            try writer.write("\(number)", daysAgo: 500 + number * 37 % 100, tombstone: true)
        }
        for number in 0..<30 { try writer.write("young \(number)", daysAgo: 399, tombstone: true) }
        try writer.write("end", daysAgo: 1)
        var limits = limits
        limits.tombstoneCount = 60
        limits.namesPerPass = namesPerPass
        let outcome = try compact(writer.store, limits)
        #expect(outcome.forgotten.allSatisfy { !$0.description.hasPrefix("young") })
        // By shares of the names it is as near as the names fall.
        let slack = namesPerPass == 1_000 ? 0 : 15
        #expect((70 - slack...70 + slack).contains(outcome.forgotten.count))
        guard slack == 0 else { return }
        let oldest = (0..<100 as Range<UInt64>).filter { $0 * 37 % 100 >= 30 }.map { "\($0)" }
        #expect(Set(outcome.forgotten.map(\.description)) == Set(oldest))
    }

    @Test func whatStartsNeedOutlivesTheRows() throws {
        let directory = try TemporaryDirectory()
        var writer = Writer(try openStore(directory).store)
        for _ in 0..<9 { try writer.write("a", daysAgo: 1) }
        try writer.write("gone", daysAgo: 401, tombstone: true)
        try writer.write("b", daysAgo: 450)
        var limits = limits
        limits.tombstoneCount = 0
        _ = try compact(writer.store, limits)
        try writer.store.close()
        let (_, recovered) = try openStore(directory)
        #expect(recovered.nextSequence.rawValue == 12)
        #expect(recovered.writeCount == 11)
        #expect(recovered.floor == writer.rows.map(\.record.stamp.time).max())
        #expect(recovered.marks.map(\.sequence.rawValue) == Array(1...11))
        #expect(recovered.marks.map(\.mark.rawValue) == (1...11).map { $0 * 7 })
        #expect(recovered.index[try StackName("a")]?.sequence.rawValue == 9)
        #expect(recovered.index[try StackName("gone")] == nil)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func theIndexIsTheSameBeforeAndAfterWhateverTheShares(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let (store, _) = try openStore(directory, seed: seed)
        var maker = BatchMaker(seed: seed)
        var rows: [Row] = []
        for _ in 0..<5 {
            let batch = try maker.batch(rowCount: 60)
            try store.apply(batch)
            rows += batch.rows
        }
        var limits = self.limits
        limits.rowsPerName = 2
        limits.namesPerPass = 7
        limits.rowsPerStep = 13
        limits.tombstoneMilliseconds = .max
        let outcome = try compact(store, limits)
        #expect(outcome.removedRowCount > 0)
        try store.close()
        var index = StackIndex()
        for row in rows { index.replay(row) }
        let recovered = try openStore(directory, seed: seed).recovered
        for name in Set(rows.map(\.record.name)) {
            #expect(recovered.index[name]?.sequence == index[name]?.sequence, "seed \(seed)")
        }
    }
}
