// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavStore
import NavSync
import NavTestSupport
import Testing

/// Whatever the bytes on disk have become, a store opens or says why not; and what it serves was written to it.
@Suite struct DamageTests {
    static let rowCount = 120

    /// A closed store with some rows in its database and, unless `closed`, some in its write-ahead log.
    private func makeStore(seed: UInt64, closed: Bool) throws -> (TemporaryDirectory, [Row]) {
        let directory = try TemporaryDirectory(inMemory: true)
        var maker = BatchMaker(seed: seed)
        // Some envelopes span pages.
        maker.maximumEnvelopeByteCount = 9000
        var limits = StoreLimits.default
        limits.preallocatedWALByteCount = 1 << 16
        limits.checkpointPageCount = 60
        let (store, _) = try openStore(directory, limits: limits, seed: seed)
        var rows: [Row] = []
        for _ in 0..<12 {
            let batch = try maker.batch(rowCount: Self.rowCount / 12)
            try store.apply(batch)
            try store.checkpointIfDue()
            rows += batch.rows
        }
        if closed { try store.close() }
        return (directory, rows)
    }

    private func flip(_ path: String, _ random: inout SeededGenerator, byteCount: Int) throws {
        var data = try #require(FileManager.default.contents(atPath: path))
        let start = Int(random.next() % UInt64(data.count))
        for offset in start..<min(start + byteCount, data.count) {
            data[offset] ^= byteCount == 1 ? 1 << UInt8(random.next() % 8) : UInt8(truncatingIfNeeded: random.next())
        }
        // Written in place: a new file would have other permissions.
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: data)
        try file.close()
    }

    /// Opens the store; every row that it has must be one of `rows`, bit for bit. How many it has.
    private func check(_ directory: TemporaryDirectory, _ rows: [Row]) throws -> Int {
        let bySequence = Dictionary(uniqueKeysWithValues: rows.map { ($0.sequence, $0) })
        let (store, recovered) = try openStore(directory, seed: 99, wallMilliseconds: 5_000)
        for name in Set(rows.map(\.record.name)) {
            for row in try store.keptRows(of: name) { #expect(row == bySequence[row.sequence]) }
            guard let entry = recovered.index[name] else { continue }
            let row = bySequence[entry.sequence]
            #expect(entry.stamp == row?.record.stamp)
            #expect(entry.contentHash == row?.record.contentHash)
        }
        #expect(recovered.nextSequence > (rows.last?.sequence ?? .zero) || store.recovery.setAside != nil)
        if store.recovery.rowCount < rows.count, store.recovery.setAside != nil {
            #expect(recovered.cursors.isEmpty)
        }
        // It takes new batches too, and has them after another start.
        var maker = BatchMaker(seed: 4, firstSequence: recovered.nextSequence.rawValue)
        let batch = try maker.batch(rowCount: 3)
        try store.apply(batch)
        return store.recovery.rowCount
    }

    @Test(arguments: [true, false], [1, 64, 4096])
    func flippedBytesAreNeverServed(closed: Bool, byteCount: Int) throws {
        for seed in 0..<12 as Range<UInt64> {
            let (directory, rows) = try makeStore(seed: seed, closed: closed)
            var random = SeededGenerator(seed: seed ^ 0xD1CE)
            let file = !closed && random.next() % 2 == 0 ? "-wal" : ""
            try flip(directory.database + file, &random, byteCount: byteCount)
            do {
                let count = try check(directory, rows)
                // The log of SQLite ends at its first damaged frame; in the database little is lost.
                if closed { #expect(count >= rows.count - 40, "seed \(seed): \(count) of \(rows.count) rows") }
            } catch let error as StoreError {
                Issue.record("seed \(seed), closed \(closed), \(byteCount) bytes: \(error)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func manyFlippedBitsAtOnceAreNeverServed(seed: UInt64) throws {
        let (directory, rows) = try makeStore(seed: seed, closed: seed % 2 == 0)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 { try flip(directory.database, &random, byteCount: 1) }
        _ = try check(directory, rows)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func aDatabaseThatWasCutShortGivesWhatIsLeft(seed: UInt64) throws {
        let (directory, rows) = try makeStore(seed: seed, closed: true)
        var random = SeededGenerator(seed: seed)
        let size = try #require(FileManager.default.contents(atPath: directory.database)).count
        let file = try FileHandle(forWritingTo: URL(filePath: directory.database))
        try file.truncate(atOffset: 1 + random.next() % UInt64(size - 1))
        try file.close()
        _ = try check(directory, rows)
    }

    @Test func whatIsNoDatabaseIsSetAsideAndItsRowsAreSaved() throws {
        let (directory, rows) = try makeStore(seed: 11, closed: true)
        let file = try FileHandle(forWritingTo: URL(filePath: directory.database))
        try file.write(contentsOf: Data(repeating: 0xAA, count: 100))
        try file.close()
        let (store, recovered) = try openStore(directory, seed: 77, wallMilliseconds: 1234)
        let setAside = try #require(store.recovery.setAside)
        #expect(setAside.path == directory.database + ".damaged-1234")
        #expect(FileManager.default.fileExists(atPath: setAside.path))
        #expect(store.recovery.rowCount == rows.count)
        #expect(recovered.incarnation != (try makeIncarnation(seed: 11)))
        try store.close()
        let again = try openStore(directory, seed: 78).store
        #expect(again.recovery.setAside == nil)
        #expect(again.recovery.rowCount == rows.count)
    }

    private func makeIncarnation(seed: UInt64) throws -> Incarnation {
        try openStore(TemporaryDirectory(), seed: seed).recovered.incarnation
    }

    @Test func theStartCounterAndTheWriteCountDoNotFallWhenAStoreIsRebuilt() throws {
        let (directory, _) = try makeStore(seed: 12, closed: true)
        let (first, before) = try openStore(directory)
        try first.close()
        try execute("UPDATE log SET checksum = checksum + 1 WHERE seq = (SELECT min(seq) FROM log)", on: directory)
        let (store, after) = try openStore(directory)
        #expect(store.recovery.damagedRowCount == 1)
        #expect(store.recovery.rowCount == Self.rowCount - 1)
        #expect(after.startCounter > before.startCounter)
        #expect(after.writeCount > before.writeCount)
        #expect(after.floor <= before.floor)
    }

    @Test func aCrashBetweenARebuildAndItsTakingPlaceIsMended() throws {
        let (directory, rows) = try makeStore(seed: 13, closed: true)
        let files = FileManager.default
        try files.moveItem(atPath: directory.database, toPath: directory.database + "-rebuilt")
        try Data("old".utf8).write(to: URL(filePath: directory.database))
        let (store, _) = try openStore(directory, wallMilliseconds: 9)
        #expect(store.recovery.rowCount == rows.count)
        #expect(files.contents(atPath: directory.database + ".damaged-9") == Data("old".utf8))
    }
}
