// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// The memory of an index follows what it holds, whatever sizes its envelopes go through.
@Suite struct IndexMemoryTests {
    /// What an index may take however little it holds.
    private static let slack = 5 * (256 << 10)

    private struct Filling {
        var index = StackIndex()
        private(set) var envelopes: [String: [UInt8]] = [:]
        private var sequence: UInt64 = 0

        mutating func write(_ text: String, _ byteCount: Int?) {
            sequence += 1
            let envelope = byteCount.map { [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: $0) }
            let content: Record.Content = envelope.map { .envelope($0, testHash([1])) } ?? .tombstone
            index.replay(
                Row(
                    sequence: Sequence(rawValue: sequence), state: .merged, source: nil,
                    record: Record(
                        name: name(text), stamp: stamp(sequence, node(1)), writeCount: sequence, base: nil,
                        content: content)))
            envelopes[text] = envelope
        }

        func check(_ seed: UInt64 = 0) {
            let held = index.heldEnvelopeByteCount + index.nameByteCount
            // Half as much again for holes, and eight bytes and a rounding for each name.
            let names = index.liveCount + index.tombstoneCount
            let bound = (held + names * 16) * 3 / 2 + IndexMemoryTests.slack
            #expect(index.memoryByteCount <= bound, "\(held) bytes are held, seed \(seed)")
        }

        func checkContent(_ seed: UInt64 = 0) {
            for (text, envelope) in envelopes where index[name(text)]?.envelope != envelope {
                Issue.record("\(text) is not what was written, seed \(seed)")
            }
        }
    }

    @Test func everyStackWrittenInEverySizeTakesNoMoreThanTheLast() {
        var filling = Filling()
        for size in stride(from: 8, through: 4096, by: 24) {
            for number in 0..<200 { filling.write("n\(number)", size) }
            filling.check()
        }
        filling.checkContent()
        for size in stride(from: 4096, through: 0, by: -128) {
            for number in 0..<200 { filling.write("n\(number)", size) }
            filling.check()
        }
        filling.checkContent()
    }

    @Test func whatIsLeftHereAndThereHoldsNoChunks() {
        var filling = Filling()
        for number in 0..<5000 { filling.write("n\(number)", 4096) }
        // One of a hundred stays: every chunk keeps something.
        for number in 0..<5000 where number % 100 != 7 { filling.write("n\(number)", nil) }
        filling.check()
        filling.checkContent()
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func randomSizesStayWithinTheBound(seed: UInt64) {
        var filling = Filling()
        var generator = SeededGenerator(seed: seed)
        let names = Int.random(in: 1...2000, using: &generator)
        for step in 0..<20_000 {
            let largest = [8, 100, 600, 4096, 5000].randomElement(using: &generator) ?? 8
            let isRemoval = Int.random(in: 0..<8, using: &generator) == 0
            filling.write(
                "n\(Int.random(in: 0..<names, using: &generator))",
                isRemoval ? nil : Int.random(in: 0...min(largest, 4096), using: &generator))
            if step % 1000 == 0 { filling.check(seed) }
        }
        filling.check(seed)
        filling.checkContent(seed)
    }

    /// A write that fails takes its name back: the memory of names that came and went is used again.
    @Test func namesOfFailedWritesAreGivenBack() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("first", [1], on: client)
        driver.store.failure = .full("no room")
        for round in 0..<200 {
            for number in 0..<50 {
                driver.push("\(round)/\(number)/" + String(repeating: "x", count: 480), [1], on: client)
            }
        }
        #expect(driver.replica.indexMemoryByteCount <= Self.slack)
    }

    @Test func aRecordWithoutRoomForItsNameIsRefusedAndNotTakenForAKnownOne() throws {
        let link = SessionID(rawValue: 50)
        let store = MemoryStore(
            incarnation: Incarnation(rawValue: 1), emptyIndex: StackIndex(maximumByteCount: 256 << 10))
        let driver = ReplicaDriver(store: store)
        let request = try #require(driver.openPeer(node(2)))
        var refused: [Acknowledge.Refused] = []
        for number in 1...1000 as ClosedRange<UInt64> {
            let record = WireRecord(
                sequence: Sequence(rawValue: number), name: name("\(number)/" + String(repeating: "x", count: 480)),
                stamp: stamp(number, node(2)), writeCount: number, base: nil, content: .envelope([1]))
            driver.receive(
                Records(
                    request: request, through: Sequence(rawValue: number), mark: Mark(rawValue: number),
                    items: [record]), on: link)
            for case .acknowledge(let message) in driver.take(link) { refused += message.refused }
        }
        #expect(driver.store.rows.count + refused.count == 1000)
        #expect(!refused.isEmpty && driver.store.rows.count > 400)
        #expect(refused.allSatisfy { $0.code == SyncError.Code.limitExceeded.rawValue })
        let first = try #require(refused.first)
        #expect(driver.events.contains { if case .recordRefused(let it) = $0 { it.name == first.name } else { false } })
    }
}
