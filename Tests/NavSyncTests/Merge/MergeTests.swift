// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct MergeTests {
    /// A version out of so few that ties are common.
    private func version(_ generator: inout SeededGenerator) -> Merge.Version {
        let stamp = stamp(
            UInt64.random(in: 1...3, using: &generator), node(UInt64.random(in: 1...2, using: &generator)),
            counter: UInt16.random(in: 0...1, using: &generator))
        let hash = UInt64.random(in: 0...2, using: &generator)
        return (stamp, ContentHash(words: (hash, 0, 0, 0)))
    }

    private func merge(_ first: Merge.Version, _ second: Merge.Version) -> Merge.Version {
        Merge.outcome(of: second, into: first) == .applied ? second : first
    }

    private func isSame(_ first: Merge.Version, _ second: Merge.Version) -> Bool {
        first.stamp == second.stamp && first.contentHash == second.contentHash
    }

    @Test func isCommutativeAssociativeAndIdempotent() {
        var generator = SeededGenerator(seed: 11)
        // One expectation for many triples: each costs as much as a hundred merges.
        for _ in 0..<20_000 {
            let (a, b, c) = (version(&generator), version(&generator), version(&generator))
            let holds =
                isSame(merge(a, b), merge(b, a)) && isSame(merge(merge(a, b), c), merge(a, merge(b, c)))
                && isSame(merge(a, a), a) && Merge.outcome(of: a, into: a) == .duplicate
            if !holds { Issue.record("the laws do not hold for \(a), \(b), \(c)") }
        }
    }

    @Test func exactlyOneOfTwoDifferentVersionsWins() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<5000 {
            let (a, b) = (version(&generator), version(&generator))
            if isSame(a, b) { continue }
            if Merge.isGreater(a, than: b) == Merge.isGreater(b, than: a) {
                Issue.record("no winner of \(a) and \(b)")
            }
        }
    }

    @Test func anythingWinsOverNothing() {
        #expect(Merge.outcome(of: (stamp(1, node(1)), .zero), into: nil) == .applied)
    }

    @Test func writesThatKnewOfEachOtherAreNotConcurrent() {
        let first = stamp(1, node(1))
        let second = stamp(2, node(2))
        #expect(Merge.areConcurrent(first, base: nil, second, base: nil))
        #expect(!Merge.areConcurrent(first, base: nil, second, base: first))
        #expect(!Merge.areConcurrent(second, base: first, first, base: nil))
        #expect(Merge.areConcurrent(first, base: nil, second, base: stamp(0, node(3))))
    }

    @Test func writesOfOneOriginAreNeverConcurrent() {
        #expect(!Merge.areConcurrent(stamp(1, node(1)), base: nil, stamp(2, node(1)), base: nil))
    }
}
