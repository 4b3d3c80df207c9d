// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync
import NavTestSupport
import Testing

@Suite struct RoundTripTests {
    /// What a correct store holds after some batches.
    struct Expected {
        var rows: [Row] = []
        var marks: [Sequence: Mark] = [:]
        var cursors: [NodeID: Cursor] = [:]
        var refusals: [Refusal] = []

        mutating func add(_ batch: CommitBatch) {
            rows += batch.rows
            if let last = batch.rows.last { marks[last.sequence] = batch.mark }
            cursors.merge(batch.cursors) { $1 }
            refusals.removeAll { batch.settledRefusals.contains($0.key) }
            for refusal in batch.refusals {
                refusals.removeAll { $0.peer == refusal.peer && $0.name == refusal.name }
                refusals.append(refusal)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func everythingThatWasAppliedIsThereAfterAnotherStart(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var expected = Expected()
        var maker = BatchMaker(seed: seed)
        for start in 0..<3 {
            let (store, recovered) = try openStore(directory, seed: seed)
            #expect(recovered.startCounter == UInt64(start + 1))
            try check(recovered, against: expected)
            try checkRows(store, against: expected)
            for size in [1, 0, 3, 40] {
                let batch = try maker.batch(rowCount: size)
                try store.apply(batch)
                expected.add(batch)
            }
            try checkRows(store, against: expected)
            try store.close()
        }
    }

    private func check(_ recovered: RecoveredState, against expected: Expected) throws {
        var index = StackIndex()
        for row in expected.rows { index.replay(row) }
        for row in expected.rows {
            let found = recovered.index[row.record.name]
            let wanted = index[row.record.name]
            #expect(found?.sequence == wanted?.sequence)
            #expect(found?.stamp == wanted?.stamp)
            #expect(found?.envelope == wanted?.envelope)
        }
        #expect(recovered.nextSequence.rawValue == (expected.rows.last?.sequence.rawValue ?? 0) + 1)
        #expect(recovered.cursors == expected.cursors)
        #expect(recovered.refusals == expected.refusals)
        let marks = Dictionary(uniqueKeysWithValues: recovered.marks.map { ($0.sequence, $0.mark) })
        #expect(marks == expected.marks)
        #expect(recovered.marks.map(\.sequence) == recovered.marks.map(\.sequence).sorted())
        let merged = expected.rows.filter { $0.state == .merged }
        #expect(recovered.floor == merged.map(\.record.stamp.time).max() ?? .zero)
        let own = expected.rows.filter { $0.record.stamp.origin == BatchMaker.node }
        #expect(recovered.writeCount == own.map(\.record.writeCount).max() ?? 0)
    }

    private func checkRows(_ store: SQLiteStore, against expected: Expected) throws {
        for name in Set(expected.rows.map(\.record.name)) {
            let rows = expected.rows.filter { $0.record.name == name }
            #expect(try store.keptRows(of: name) == rows.reversed())
        }
        for row in expected.rows {
            var wanted: [UInt8]?
            if case .envelope(let bytes, _) = row.record.content { wanted = bytes }
            #expect(try store.readEnvelope(at: row.sequence) == wanted)
        }
        #expect(try store.readEnvelope(at: Sequence(rawValue: .max)) == nil)
    }

    @Test func anEmptyEnvelopeIsNotATombstone() throws {
        let directory = try TemporaryDirectory()
        let record = Record(
            name: try StackName("a"), stamp: Stamp(time: .maximum, origin: NodeID(high: .max, low: .max)),
            writeCount: .max, base: Stamp(time: .zero, origin: NodeID(high: 0, low: 0)),
            content: .envelope([], .zero))
        var batch = CommitBatch(mark: Mark(rawValue: .max))
        batch.rows = [Row(sequence: Sequence(rawValue: 1), state: .merged, source: nil, record: record)]
        let (store, _) = try openStore(directory)
        try store.apply(batch)
        #expect(try store.keptRows(of: record.name) == batch.rows)
        #expect(try store.readEnvelope(at: Sequence(rawValue: 1)) == [])
    }

    @Test func anEnvelopeOfAMebibyteComesBack() throws {
        let directory = try TemporaryDirectory()
        var maker = BatchMaker(seed: 5)
        maker.maximumEnvelopeByteCount = 1 << 20
        let batch = try maker.batch(rowCount: 8)
        let (store, _) = try openStore(directory)
        try store.apply(batch)
        try store.close()
        let (again, _) = try openStore(directory)
        for row in batch.rows {
            guard case .envelope(let bytes, _) = row.record.content else { continue }
            #expect(try again.readEnvelope(at: row.sequence) == bytes)
        }
    }

    @Test func aSequenceIsNeverUsedTwice() throws {
        let directory = try TemporaryDirectory()
        var maker = BatchMaker(seed: 7)
        let batch = try maker.batch(rowCount: 3)
        let (store, _) = try openStore(directory)
        try store.apply(batch)
        #expect(throws: CommitFailure.self) { try store.apply(batch) }
        #expect(try store.keptRows(of: batch.rows[2].record.name).count >= 1)
    }
}
