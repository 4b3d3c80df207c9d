// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavStore
import NavSync
import NavTestSupport
import Testing

/// Looking for the rows of one stack, in pieces of the log.
@Suite struct VersionTests {
    private func row(_ sequence: UInt64, _ text: String, byteCount: Int) throws -> Row {
        // Bytes that stand nowhere else in the file.
        var random = SeededGenerator(seed: sequence)
        let envelope = (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let record = Record(
            name: try StackName(text),
            stamp: Stamp(time: HybridTime(rawValue: sequence << 16), origin: BatchMaker.node), writeCount: sequence,
            base: nil, content: .envelope(envelope, ContentHash(words: (sequence, 0, 0, 0))))
        return Row(sequence: Sequence(rawValue: sequence), state: .merged, source: nil, record: record)
    }

    private func search(_ text: String, before: UInt64 = .max, rowLimit: Int = .max) throws -> VersionSearch {
        VersionSearch(name: try StackName(text), before: Sequence(rawValue: before), rowLimit: rowLimit)
    }

    @Test(arguments: 40..<46 as Range<UInt64>)
    func anyLookFindsTheSameInMemoryAndOnDisk(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let (disk, _) = try openStore(directory, seed: seed)
        var memory = MemoryStore(incarnation: Incarnation(rawValue: 1))
        var maker = BatchMaker(seed: seed)
        maker.nameCount = 5
        for size in [5, 1, 0, 64, 3] {
            let batch = try maker.batch(rowCount: size)
            try disk.apply(batch)
            try memory.apply(batch)
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var search = try search("stack/\(random.next() % 6)", before: random.next() % 120)
            search.rowLimit = Int(random.next() % 90)
            search.versionLimit = Int(random.next() % 8)
            search.byteLimit = Int(random.next() % 3000)
            let found = try disk.readVersions(search)
            #expect(found == memory.readVersions(search), "seed \(seed), \(search)")
            #expect(found.versions.count <= search.versionLimit)
            #expect(found.hasMore || found.versions.allSatisfy { $0.sequence >= found.through })
        }
    }

    @Test func aLookThatEndsAtALimitGoesOnWhereItEnded() throws {
        let (store, _) = try openStore(TemporaryDirectory())
        var batch = CommitBatch(mark: Mark(rawValue: 1))
        // Holes, as compaction and starts leave them, cost nothing.
        for number in 0..<10 as Range<UInt64> {
            batch.rows.append(try row(1 + number << 20, number % 3 == 0 ? "a" : "b", byteCount: 10))
        }
        try store.apply(batch)
        let first = try store.readVersions(search("a", rowLimit: 4))
        #expect(first.versions.map(\.sequence.rawValue) == [1 + 9 << 20, 1 + 6 << 20])
        #expect(first.hasMore && first.through.rawValue == 1 + 6 << 20)
        let second = try store.readVersions(search("a", before: first.through.rawValue, rowLimit: 4))
        #expect(second.versions.map(\.sequence.rawValue) == [1 + 3 << 20])
        #expect(second.hasMore && second.through.rawValue == 1 + 2 << 20)
        let third = try store.readVersions(search("a", before: second.through.rawValue, rowLimit: 4))
        #expect(third.versions.map(\.sequence.rawValue) == [1])
        #expect(!third.hasMore)
    }

    @Test func whatCompactionHasRemovedIsNotThere() throws {
        let (store, _) = try openStore(TemporaryDirectory())
        var batch = CommitBatch(mark: Mark(rawValue: 1))
        for number in 1...9 as ClosedRange<UInt64> { batch.rows.append(try row(number, "a", byteCount: 10)) }
        try store.apply(batch)
        var limits = HistoryLimits.default
        limits.rowsPerName = 3
        var compaction = try store.makeCompaction(limits: limits, now: 1)
        for _ in 0..<100 where try store.step(&compaction) { break }
        #expect(try store.readVersions(search("a")).versions.map(\.sequence.rawValue) == [9, 8, 7, 6])
        #expect(try store.readRow(at: Sequence(rawValue: 5)) == nil)
        #expect(try store.readRow(at: Sequence(rawValue: 6)) == batch.rows[5])
    }

    @Test func aVersionThatDoesNotVerifyIsDamageAndAnothersIsNotLookedAt() throws {
        let directory = try TemporaryDirectory()
        let (store, _) = try openStore(directory)
        var batch = CommitBatch(mark: Mark(rawValue: 1))
        // Large ones, so that their middle lies in pages of its own, which nothing has read.
        for number in 1...4 as ClosedRange<UInt64> {
            batch.rows.append(try row(number, number == 2 ? "bad" : "good", byteCount: 200_000))
        }
        try store.apply(batch)
        try store.close()
        guard case .envelope(let envelope, _) = batch.rows[1].record.content else { return }
        // Opening reads everything, and keeps little of it.
        var limits = StoreLimits.default
        limits.cacheKibibytes = 16
        let (again, _) = try openStore(directory, limits: limits, seed: 2)
        let file = try FileHandle(forUpdating: URL(filePath: directory.database))
        let data = try #require(try file.readToEnd())
        let place = try #require(data.range(of: Data(envelope[100_000..<100_040]))).lowerBound
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data([data[place] ^ 1]))
        try file.close()

        #expect(try again.readVersions(search("good")).versions.map(\.sequence.rawValue) == [4, 3, 1])
        #expect(again.failure == nil)
        #expect(throws: CommitFailure.self) { try again.readVersions(search("bad")) }
        #expect(again.failure != nil)
    }
}
