// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync
import NavTestSupport
import Testing

/// Both stores behind the port tell a replica the same.
@Suite struct MemoryStoreTests {
    @Test(arguments: 20..<26 as Range<UInt64>)
    func randomBatchesReadTheSameFromMemoryAndFromDisk(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let (disk, _) = try openStore(directory, seed: seed)
        var memory = MemoryStore(incarnation: Incarnation(rawValue: 1))
        var maker = BatchMaker(seed: seed)
        var sequences: [Sequence] = []
        for size in [5, 1, 0, 64, 3, 200] {
            let batch = try maker.batch(rowCount: size)
            try disk.apply(batch)
            try memory.apply(batch)
            sequences += batch.rows.map(\.sequence)
        }
        for sequence in sequences + [Sequence(rawValue: 0), Sequence(rawValue: 999_999)] {
            #expect(try disk.readEnvelope(at: sequence) == memory.readEnvelope(at: sequence), "seed \(seed)")
        }
        try disk.close()
        let (again, fromDisk) = try openStore(directory, seed: seed)
        let fromMemory = memory.open(node: BatchMaker.node)
        for number in 0..<20 {
            let name = try StackName("stack/\(number)")
            #expect(fromDisk.index[name]?.sequence == fromMemory.index[name]?.sequence, "seed \(seed)")
            #expect(fromDisk.index[name]?.contentSequence == fromMemory.index[name]?.contentSequence)
            #expect(fromDisk.index[name]?.envelopeByteCount == fromMemory.index[name]?.envelopeByteCount)
            #expect(
                fromDisk.index.overtakenStamp(of: name) == fromMemory.index.overtakenStamp(of: name), "seed \(seed)")
            #expect(try again.keptRows(of: name) == memory.keptRows(of: name))
        }
        #expect((0..<20).contains { fromDisk.index.overtakenStamp(of: name("stack/\($0)")) != nil }, "seed \(seed)")
        #expect(fromDisk.index.liveSequences(after: .zero) == fromMemory.index.liveSequences(after: .zero))
        #expect(fromDisk.index.head == fromMemory.index.head)
        #expect(fromDisk.floor == fromMemory.floor)
        #expect(fromDisk.nextSequence == fromMemory.nextSequence)
        #expect(fromDisk.cursors == fromMemory.cursors)
        #expect(fromDisk.writeCount == fromMemory.writeCount)
        #expect(fromDisk.marks.map(\.mark) == fromMemory.marks.map(\.mark))
    }
}
