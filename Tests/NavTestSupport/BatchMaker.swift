// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// Makes batches as a replica would: rising sequences, few names, all states, absent and present columns.
package struct BatchMaker {
    /// Whose write counts a store of these batches tells.
    package static let node = NodeID(high: 0, low: 1)

    /// Rows of each batch by its place, for runs that should meet every kind: one row, a page or less, several pages,
    /// and no row at all.
    package static let rowCounts = [1, 7, 60, 0, 200, 1, 1, 25]

    private var random: SeededGenerator
    private var next: UInt64
    private var refused: [Refusal.Key] = []
    /// By itself, so that the rows of a seed stay what they are.
    private var settling: SeededGenerator
    package var nameCount = 20
    package var maximumEnvelopeByteCount = 600

    package init(seed: UInt64, firstSequence: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        settling = SeededGenerator(seed: seed)
        next = firstSequence
    }

    package mutating func batch(rowCount: Int) throws -> CommitBatch {
        var batch = CommitBatch(mark: Mark(rawValue: random.next()))
        for _ in 0..<rowCount { batch.rows.append(try row()) }
        if chance(3) { batch.cursors[node()] = cursor() }
        if chance(4) {
            let name = try StackName("refused/\(random.next() % 50)")
            let refusal = Refusal(peer: node(), name: name, stamp: stamp(), code: .clockDrift)
            batch.refusals.append(refusal)
            refused.append(refusal.key)
        }
        if !refused.isEmpty, rowCount > 0, settling.next() % 3 == 0 {
            batch.settledRefusals.insert(refused[Int(settling.next() % UInt64(refused.count))])
        }
        return batch
    }

    private mutating func row() throws -> Row {
        // Sequences of failed batches are never written: leave gaps.
        next += chance(10) ? 1 + random.next() % 5 : 1
        let states: [RowState] = [.merged, .merged, .merged, .superseded, .parked, .quarantined]
        return Row(
            sequence: Sequence(rawValue: next - 1), state: states[Int(random.next() % 6)],
            source: chance(2) ? node() : nil, record: try record())
    }

    private mutating func record() throws -> Record {
        let isTombstone = chance(5)
        let count = Int(random.next() % UInt64(maximumEnvelopeByteCount + 1))
        let envelope = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let hash = ContentHash(words: (random.next(), random.next(), random.next(), random.next()))
        return Record(
            name: try StackName("stack/\(random.next() % UInt64(nameCount))"), stamp: stamp(),
            writeCount: random.next() % 1_000_000, base: chance(2) ? stamp() : nil,
            content: isTombstone ? .tombstone : .envelope(envelope, hash))
    }

    private mutating func stamp() -> Stamp { Stamp(time: HybridTime(rawValue: random.next()), origin: node()) }

    private mutating func node() -> NodeID {
        NodeID(high: (random.next() % 4) << 62, low: random.next() % 3)
    }

    private mutating func cursor() -> Cursor {
        Cursor(
            incarnation: Incarnation(rawValue: random.next()), sequence: Sequence(rawValue: random.next()),
            mark: Mark(rawValue: random.next()), scope: Scope(rawValue: random.next()))
    }

    private mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }
}
