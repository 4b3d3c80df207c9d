// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavStore
import NavSync
import NavTestSupport
import Testing

/// A disk that refuses: what was acknowledged stays, nothing else is promised.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private static let ioError = 5
    private static let noSpace = 28

    @Test(arguments: 4...20)
    func nothingIsAcknowledgedAfterAFailedSync(number: Int) throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let run = try TracedWriter(
            directory: directory, seed: 1, batchCount: 9, failure: "fdatasync:\(number):\(Self.ioError)")
        let firstFailure = try #require(
            run.log.entries.first { $0.call == "sync" && $0.integer("result") == -1 }, "no sync has failed")
        let acknowledgements = run.log.entries.filter { $0.call == "pipe" }
        // The program says that it refuses after the failure, and that is all that it says.
        for (entry, line) in zip(acknowledgements, run.output) where entry.number > firstFailure.number {
            #expect(!line.hasPrefix("applied") && !line.hasPrefix("closed"), "\(line)")
        }
        #expect(run.status != 0)
        let acknowledged = run.output.count { $0.hasPrefix("applied") }
        try checkRows(of: directory, seed: 1, atLeast: acknowledged)
    }

    @Test(arguments: [1, 5, 9, 15, 20, 30])
    func aFullDiskRefusesBatchesAndKeepsTheOthers(number: Int) throws {
        let directory = try TemporaryDirectory(inMemory: true)
        // The first writes make the store; from then on there is no room for good.
        let run = try TracedWriter(
            directory: directory, seed: 2, batchCount: 9, failure: "write:\(60 + number):\(Self.noSpace)")
        let acknowledged = run.output.count { $0.hasPrefix("applied") }
        #expect(run.output.contains { $0.hasPrefix("refused") && $0.contains("full") })
        #expect(!run.output.contains { $0.hasPrefix("refused") && $0.contains("failed(") })
        try checkRows(of: directory, seed: 2, atLeast: acknowledged)
    }

    /// Another start holds the rows of the first `count` batches.
    private func checkRows(of directory: TemporaryDirectory, seed: UInt64, atLeast count: Int) throws {
        var maker = BatchMaker(seed: seed)
        var rows: [Row] = []
        for number in 0..<count {
            rows += try maker.batch(rowCount: BatchMaker.rowCounts[number % BatchMaker.rowCounts.count]).rows
        }
        let (store, _) = try openStore(directory)
        #expect(store.recovery.setAside == nil)
        #expect(store.recovery.rowCount >= rows.count)
        for row in rows {
            #expect(try store.keptRows(of: row.record.name).contains(row))
        }
    }

    @Test func aRowThatIsNotWhereItMustBeEndsTheStoreAndTheNextStartRebuildsIt() throws {
        let directory = try TemporaryDirectory()
        let (store, before) = try openStore(directory)
        var maker = BatchMaker(seed: 5)
        try store.apply(try maker.batch(rowCount: 9))
        store.missesRow(at: Sequence(rawValue: 3))
        #expect(store.failure != nil)
        #expect(throws: CommitFailure.self) { try store.readEnvelope(at: Sequence(rawValue: 1)) }
        #expect(throws: CommitFailure.self) { try store.apply(try maker.batch(rowCount: 1)) }
        let (again, after) = try openStore(directory, seed: 2)
        #expect(again.recovery.setAside != nil)
        #expect(again.recovery.rowCount == 9)
        #expect(after.incarnation != before.incarnation)
    }

    @Test func theReserveIsForRemovalsOnly() throws {
        let directory = try TemporaryDirectory()
        var limits = StoreLimits.default
        limits.maximumPageCount = 20
        let (store, _) = try openStore(directory, limits: limits)
        // Cursors alone, more than fit.
        var cursors = CommitBatch(mark: Mark(rawValue: 1))
        for number in 1...5000 as ClosedRange<UInt64> {
            cursors.cursors[NodeID(high: number, low: number)] = Cursor(
                incarnation: Incarnation(rawValue: 1), sequence: Sequence(rawValue: 2), mark: Mark(rawValue: 3),
                scope: Scope(rawValue: 4))
        }
        #expect(throws: CommitFailure.self) { try store.apply(cursors) }
        #expect(try directory.names().contains("stacks.reserve"))
        // Removals, more than fit.
        var removals = CommitBatch(mark: Mark(rawValue: 2))
        for number in 1...5000 as ClosedRange<UInt64> {
            let record = Record(
                name: try StackName("n\(number)"), stamp: stamp(number, BatchMaker.node), writeCount: number, base: nil,
                content: .tombstone)
            removals.rows.append(
                Row(sequence: Sequence(rawValue: number), state: .merged, source: nil, record: record))
        }
        #expect(throws: CommitFailure.self) { try store.apply(removals) }
        #expect(try !directory.names().contains("stacks.reserve"))
    }

    @Test func withoutAReserveTheLastRoomIsForRemovals() throws {
        let directory = try TemporaryDirectory()
        var limits = StoreLimits.default
        // More than any disk has: the reserve cannot be made, and what is free is less.
        limits.reserveByteCount = 1 << 55
        let (store, _) = try openStore(directory, limits: limits)
        var batch = CommitBatch(mark: Mark(rawValue: 1))
        func row(_ sequence: UInt64, _ content: Record.Content) throws -> Row {
            let record = Record(
                name: try StackName("n"), stamp: stamp(sequence, BatchMaker.node), writeCount: sequence, base: nil,
                content: content)
            return Row(sequence: Sequence(rawValue: sequence), state: .merged, source: nil, record: record)
        }
        batch.rows = [try row(1, .envelope([1], testHash([1])))]
        #expect(throws: CommitFailure.full("the room that is left is kept for removals")) { try store.apply(batch) }
        batch.rows = [try row(2, .tombstone)]
        try store.apply(batch)
        batch.rows = [try row(3, .tombstone), try row(4, .envelope([1], testHash([1])))]
        #expect(throws: CommitFailure.self) { try store.apply(batch) }
        #expect(store.failure == nil)
        #expect(try store.keptRows(of: StackName("n")).map(\.sequence.rawValue) == [2])
    }

    @Test func whenThereIsRoomAgainBatchesAreTakenAgain() throws {
        let directory = try TemporaryDirectory()
        var limits = StoreLimits.default
        limits.maximumPageCount = 60
        let (store, recovered) = try openStore(directory, limits: limits)
        var maker = BatchMaker(seed: 3, firstSequence: recovered.nextSequence.rawValue)
        var refused: CommitBatch?
        var kept: [Row] = []
        for _ in 0..<100 where refused == nil {
            let batch = try maker.batch(rowCount: 20)
            do throws(CommitFailure) {
                try store.apply(batch)
                kept += batch.rows
            } catch {
                guard case .full = error else { throw error }
                refused = batch
            }
        }
        let batch = try #require(refused, "100 batches fitted into 60 pages")
        #expect(!kept.isEmpty)
        // The failed batch left no trace; reads go on.
        for row in batch.rows { #expect(try store.readEnvelope(at: row.sequence) == nil) }
        for row in kept { #expect(try store.keptRows(of: row.record.name).contains(row)) }
        // A smaller batch finds the room that is left, with the sequence of the refused one.
        var small = CommitBatch(mark: Mark(rawValue: 9))
        small.cursors = [
            BatchMaker.node: Cursor(
                incarnation: Incarnation(rawValue: 1), sequence: Sequence(rawValue: 2), mark: Mark(rawValue: 3),
                scope: Scope(rawValue: 4))
        ]
        try store.apply(small)
        try store.close()
        let (roomy, _) = try openStore(directory)
        try roomy.apply(batch)
        #expect(roomy.recovery.rowCount == kept.count)
    }
}
