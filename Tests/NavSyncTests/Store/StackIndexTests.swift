// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct StackIndexTests {
    /// Enough for rows whose bytes are all the same.
    private func hash(_ envelope: [UInt8]) -> ContentHash {
        ContentHash(words: (UInt64(envelope.first ?? 0) + 1, UInt64(envelope.count), 0, 0))
    }

    private func row(
        _ sequence: UInt64, _ text: String, _ stamp: Stamp, _ envelope: [UInt8]?, state: RowState = .merged
    ) -> Row {
        let content: Record.Content = envelope.map { .envelope($0, hash($0)) } ?? .tombstone
        return Row(
            sequence: Sequence(rawValue: sequence), state: state, source: nil,
            record: Record(name: name(text), stamp: stamp, writeCount: sequence, base: nil, content: content))
    }

    @Test func takesTheGreatestStampAndNotTheLastRow() {
        var index = StackIndex()
        index.replay(row(1, "a", stamp(5, node(1)), [1]))
        index.replay(row(2, "a", stamp(4, node(1)), [2]))
        #expect(index[name("a")]?.stamp == stamp(5, node(1)))
        #expect(index[name("a")]?.envelope == [1])
        #expect(index.head.rawValue == 2)
    }

    @Test func sameContentKeepsItsContentSequence() {
        var index = StackIndex()
        index.replay(row(1, "a", stamp(1, node(1)), [1]))
        index.replay(row(2, "a", stamp(2, node(1)), [1]))
        index.replay(row(3, "a", stamp(3, node(2)), [1]))
        #expect(index[name("a")]?.contentSequence.rawValue == 1)
        index.replay(row(4, "a", stamp(4, node(1)), nil))
        #expect(index[name("a")]?.contentSequence.rawValue == 4)
        #expect(index.liveCount == 0)
        #expect(index.tombstoneCount == 1)
    }

    @Test func nodesThatNoLiveRowMentionsAreForgotten() {
        var index = StackIndex()
        for number in 1...2000 as ClosedRange<UInt64> {
            index.replay(
                Row(
                    sequence: Sequence(rawValue: number), state: .merged, source: node(number % 3 + 1),
                    record: Record(
                        name: name("a"), stamp: stamp(number, node(number)), writeCount: number,
                        base: Stamp(time: HybridTime(rawValue: 1), origin: node(9_000 + number)), content: .tombstone)))
        }
        #expect(index.nodeCount == 3)
        #expect(index[name("a")]?.stamp == stamp(2000, node(2000)))
        #expect(index[name("a")]?.base?.origin == node(11_000))
        #expect(index[name("a")]?.source == node(3))
        index.replay(row(2001, "b", stamp(1, node(1)), [1]))
        #expect(index.nodeCount == 4)
        #expect(index[name("b")]?.stamp.origin == node(1))
    }

    @Test func rowsThatDidNotMergeAreNotLive() {
        var index = StackIndex()
        index.replay(row(1, "a", stamp(1, node(1)), [1]))
        for (number, state) in [RowState.superseded, .parked, .quarantined].enumerated() {
            index.replay(row(UInt64(2 + number), "a", stamp(9, node(2)), [2], state: state))
            index.replay(row(UInt64(10 + number), "b", stamp(9, node(2)), [2], state: state))
        }
        #expect(index[name("a")]?.stamp == stamp(1, node(1)))
        #expect(index[name("b")] == nil)
    }

    @Test func envelopesBeyondTheBudgetAreNotHeld() {
        let budget = 2 << 20
        var index = StackIndex(envelopeBudget: budget)
        let names = 0..<1000
        for number in names {
            index.replay(row(UInt64(number + 1), "n\(number)", stamp(1, node(1)), [UInt8](repeating: 1, count: 4000)))
        }
        // What is lost between envelopes is in the budget, too; a chunk may be there for names.
        #expect(index.memoryByteCount <= budget + index.nameByteCount + (256 << 10))
        #expect(index.heldEnvelopeByteCount > budget / 2)
        #expect(index[name("n0")]?.envelope?.count == 4000)
        #expect(index[name("n999")]?.envelope == nil)
        #expect(index[name("n999")]?.envelopeByteCount == 4000)
        for number in names.dropLast() {
            index.replay(row(UInt64(2000 + number), "n\(number)", stamp(2, node(1)), nil))
        }
        index.replay(row(4000, "n999", stamp(2, node(1)), [UInt8](repeating: 3, count: 61)))
        #expect(index[name("n999")]?.envelope?.count == 61)
        #expect(index.heldEnvelopeByteCount == 61)
    }

    /// Against a dictionary, over random rows with many overwrites, sizes and removals.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func agreesWithAPlainDictionary(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var index = StackIndex(hashSeed: seed)
        var model: [String: Row] = [:]
        let names = Int.random(in: 1...3000, using: &generator)
        for sequence in 1...8000 as ClosedRange<UInt64> {
            let text = "n\(Int.random(in: 0..<names, using: &generator))"
            let size = [0, 3, 30, 300, 5000].randomElement(using: &generator) ?? 0
            let envelope = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: size)
            let isTombstone = Int.random(in: 0..<10, using: &generator) == 0
            let stamp = stamp(
                UInt64.random(in: 1...1_000_000, using: &generator), node(UInt64.random(in: 1...4, using: &generator)))
            let row = row(sequence, text, stamp, isTombstone ? nil : envelope)
            index.replay(row)
            if let old = model[text],
                !Merge.isGreater((stamp, row.record.contentHash), than: (old.record.stamp, old.record.contentHash))
            {
                continue
            }
            model[text] = row
        }
        for (text, row) in model {
            let entry = index[name(text)]
            var agrees =
                entry?.sequence == row.sequence && entry?.stamp == row.record.stamp
                && entry?.contentHash == row.record.contentHash
            if case .envelope(let envelope, _) = row.record.content, envelope.count <= 4096 {
                agrees = agrees && entry?.envelope == envelope
            }
            if !agrees { Issue.record("the index differs in \(text)") }
        }
        #expect(index.liveCount == model.values.count { !$0.record.isTombstone })
        #expect(index.tombstoneCount == model.values.count { $0.record.isTombstone })
        #expect(index.liveSequences(after: .zero) == model.values.map(\.sequence).sorted())
        let middle = Sequence(rawValue: 4000)
        #expect(index.liveSequences(after: middle) == model.values.map(\.sequence).filter { $0 > middle }.sorted())
    }
}
