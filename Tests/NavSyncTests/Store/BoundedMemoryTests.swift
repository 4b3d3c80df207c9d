// SPDX-License-Identifier: Apache-2.0
import NavTestSupport
import Testing

@testable import NavSync

/// What is remembered for a while is forgotten again: the oldest first, and no sooner than must be.
@Suite struct BoundedMemoryTests {
    @Test func freshEnvelopesStayWithinTheirBytesAndTheOldestGoFirst() {
        let limit = 100_000
        var recent = RecentEnvelopes(limit: limit)
        var sizes: [Int] = []
        var generator = SeededGenerator(seed: 11)
        for sequence in 0..<400 as Range<UInt64> {
            let size = Int.random(in: 1...9_000, using: &generator)
            sizes.append(size)
            recent.insert([UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: size), at: sequence)
            var kept = 0
            var oldest = sizes.count
            while oldest > 0, let envelope = recent[UInt64(oldest - 1)] {
                #expect(envelope.count == sizes[oldest - 1])
                oldest -= 1
                kept += envelope.count
            }
            #expect(kept <= limit)
            guard oldest > 0 else { continue }
            #expect(kept + sizes[oldest - 1] > limit, "\(oldest - 1) would have had room")
            #expect((0..<oldest).allSatisfy { recent[UInt64($0)] == nil }, "none before it is kept")
        }
    }

    @Test func anEnvelopeBeyondAllBytesPutsNothingElseOut() {
        var recent = RecentEnvelopes(limit: 10)
        recent.insert([1, 2, 3], at: 1)
        recent.insert([UInt8](repeating: 0, count: 11), at: 2)
        #expect(recent[1] == [1, 2, 3] && recent[2] == nil)
        recent.insert([UInt8](repeating: 0, count: 10), at: 3)
        #expect(recent[1] == nil && recent[3] != nil)
    }

    @Test func marksOfOldCommitsAreForgotten() {
        let limit = 50
        var ring = MarkRing([], limit: limit)
        for number in 1...300 as ClosedRange<UInt64> {
            // Commits of two rows.
            ring.append(Sequence(rawValue: 2 * number), Mark(rawValue: number))
            let isKnown = { (number: UInt64) in ring.knows(Sequence(rawValue: 2 * number), Mark(rawValue: number)) }
            let latest = number > UInt64(limit) ? number - UInt64(limit) + 1 : 1
            #expect((latest...number).allSatisfy(isKnown), "the latest are known at \(number)")
            guard number > UInt64(2 * limit) else { continue }
            #expect(!(1...number - UInt64(2 * limit)).contains(where: isKnown), "the old are not, at \(number)")
        }
        #expect(ring.knows(.zero, Mark(rawValue: 0)), "the beginning is known to everybody")
        #expect(!ring.knows(Sequence(rawValue: 600), Mark(rawValue: 299)))
    }

    /// Hashes that crowd together, also around the end of the table: what is removed must hide nothing behind it.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func namesAreFoundHoweverOthersComeAndGo(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = NameTable(seed: seed)
        var hashes: [Int: UInt32] = [:]
        for _ in 0..<1_000 {
            let slot = Int.random(in: 0..<120, using: &generator)
            if let hash = hashes.removeValue(forKey: slot) {
                table.remove(hash, slot: slot)
            } else {
                // Few homes, some of them the last of the table, and several slots for one hash.
                let hash = UInt32.random(in: 0..<12, using: &generator) &- 6
                table.insert(hash, slot: slot)
                hashes[slot] = hash
            }
            let lost = hashes.filter { slot, hash in table.find(hash) { $0 == slot } == nil }
            #expect(lost.isEmpty, "seed \(seed)")
            #expect(table.count == hashes.count, "seed \(seed)")
            guard lost.isEmpty else { return }
        }
        for (slot, hash) in hashes { table.remove(hash, slot: slot) }
        #expect(table.count == 0)
        for (slot, hash) in hashes { #expect(table.find(hash) { $0 == slot } == nil) }
    }
}
