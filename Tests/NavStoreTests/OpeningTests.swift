// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import NavStore
import NavSync
import NavTestSupport
import Testing

@Suite struct OpeningTests {
    @Test func aStoreThatWasMovedAwayIsNotMadeAnew() throws {
        let directory = try TemporaryDirectory()
        _ = try openStore(directory)
        for name in try directory.names() where name.hasPrefix("stacks.sqlite") {
            try FileManager.default.moveItem(atPath: directory.path + "/" + name, toPath: directory.path + "/x" + name)
        }
        let before = try directory.names()
        #expect(throws: StoreError(code: .missing, reason: "")) { try openStore(directory) }
        #expect(try directory.names() == before)
    }

    @Test func anEmptiedStoreIsNotMadeAnewAndItsLogIsLeftAlone() throws {
        let directory = try TemporaryDirectory()
        let (store, _) = try openStore(directory)
        var maker = BatchMaker(seed: 1)
        try store.apply(try maker.batch(rowCount: 5))
        let log = try #require(FileManager.default.contents(atPath: directory.database + "-wal"))
        try withExtendedLifetime(store) {
            let copy = try TemporaryDirectory()
            for name in ["stacks.marker", "stacks.sqlite-wal"] {
                try FileManager.default.copyItem(
                    atPath: directory.path + "/" + name, toPath: copy.path + "/" + name)
            }
            #expect(FileManager.default.createFile(atPath: copy.database, contents: nil))
            #expect(throws: StoreError(code: .missing, reason: "")) { try openStore(copy) }
            #expect(FileManager.default.contents(atPath: copy.database + "-wal") == log)
        }
    }

    @Test func aNewerSchemaIsRefusedAndNotTouched() throws {
        let directory = try TemporaryDirectory()
        try openStore(directory).store.close()
        try execute("PRAGMA user_version = 99", on: directory)
        let before = try #require(FileManager.default.contents(atPath: directory.database))
        #expect(throws: StoreError(code: .newerSchema, reason: "")) { try openStore(directory) }
        #expect(FileManager.default.contents(atPath: directory.database) == before)
    }

    @Test func everyStartIsCountedEvenWhenNothingElseHappens() throws {
        let directory = try TemporaryDirectory()
        for start in 1...5 {
            let (_, recovered) = try openStore(directory, seed: UInt64(start))
            #expect(recovered.startCounter == UInt64(start))
        }
    }

    @Test func eachStoreHashesNamesInItsOwnWay() throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        var seeds: [UInt64] = []
        for (start, directory) in [first, second, first].enumerated() {
            seeds.append(try openStore(directory, seed: UInt64(start + 1)).recovered.index.hashSeed)
        }
        #expect(seeds[0] != seeds[1] && seeds[0] == seeds[2] && !seeds.contains(0))
    }

    @Test func theIncarnationStays() throws {
        let directory = try TemporaryDirectory()
        let first = try openStore(directory, seed: 1).recovered.incarnation
        #expect(try openStore(directory, seed: 2).recovered.incarnation == first)
    }

    @Test(arguments: [0o000, 0o077, 0o777] as [mode_t])
    func filesAreForTheOwnerWhateverTheUmask(mask: mode_t) async throws {
        // A umask belongs to the whole process: a child of its own has one to change.
        await #expect(processExitsWith: .success) { [mask] in
            umask(0o022)
            let directory = try TemporaryDirectory()
            umask(mask)
            var maker = BatchMaker(seed: 1)
            let (store, _) = try openStore(directory)
            try store.apply(try maker.batch(rowCount: 5))
            for name in try directory.names() { #expect(try directory.mode(name) == 0o600, "\(name)") }
            #expect(try directory.names() == ["stacks.marker", "stacks.reserve", "stacks.sqlite", "stacks.sqlite-wal"])
            withExtendedLifetime(store) {}
        }
    }

    @Test func onlyAStoreThatWasNotClosedWasInterrupted() throws {
        let directory = try TemporaryDirectory()
        var maker = BatchMaker(seed: 3)
        let batch = try maker.batch(rowCount: 3)
        let (store, _) = try openStore(directory)
        #expect(!store.recovery.wasInterrupted)
        try store.apply(batch)
        try store.close()
        #expect(throws: CommitFailure.failed("the store is closed")) { try store.apply(batch) }
        let (closed, recovered) = try openStore(directory)
        #expect(!closed.recovery.wasInterrupted)
        let next = try #require(batch.rows.last).sequence.rawValue + 1
        #expect(recovered.nextSequence.rawValue == next)
    }

    @Test func sequencesJumpAfterAStoreWasInterrupted() throws {
        let directory = try TemporaryDirectory()
        var maker = BatchMaker(seed: 3)
        let batch = try maker.batch(rowCount: 3)
        var store: SQLiteStore? = try openStore(directory).store
        try store?.apply(batch)
        store = nil
        let (interrupted, recovered) = try openStore(directory)
        #expect(interrupted.recovery.wasInterrupted)
        #expect(interrupted.recovery.rowCount == 3)
        let next = try #require(batch.rows.last).sequence.rawValue + 1
        #expect(recovered.nextSequence.rawValue > next)
    }

    @Test func modesThatAreTooWideAreMended() throws {
        let directory = try TemporaryDirectory()
        try openStore(directory).store.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.database)
        let (store, _) = try openStore(directory)
        for name in try directory.names() { #expect(try directory.mode(name) == 0o600, "\(name)") }
        withExtendedLifetime(store) {}
    }
}

/// Runs SQL on the database of a store that is closed.
func execute(_ sql: String, on directory: TemporaryDirectory) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open(directory.database, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
}
