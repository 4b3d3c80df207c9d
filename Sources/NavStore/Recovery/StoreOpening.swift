// SPDX-License-Identifier: Apache-2.0
import CSQLite
package import NavSync

extension SQLiteStore {
    /// Opens the store of a state directory, or makes it where none was ever made.
    ///
    /// The caller holds the directory's lock. `wallMilliseconds` names files that are set aside, nothing else. When it
    /// returns, this start is counted on disk.
    package static func open(
        directory: String, limits: StoreLimits, wallMilliseconds: UInt64, random: () -> UInt64
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        try StoreOpening(files: StoreFiles(directory: directory), limits: limits)
            .run(wallMilliseconds: wallMilliseconds, random: random)
    }
}

/// The steps from a state directory to a store that serves.
struct StoreOpening {
    let files: StoreFiles
    let limits: StoreLimits

    func run(
        wallMilliseconds: UInt64, random: () -> UInt64
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        let wasInterrupted = (try files.byteCount(files.writeAheadLog) ?? 0) > 0
        try createFileIfNew(hasLog: wasInterrupted)
        try files.restrictModes()
        let database = try openDatabase()
        if try isEmpty(database) { try createTables(in: database, seed: random(), incarnation: random()) }
        let identity = try countStart(in: database)
        if !files.hasMarker { try files.writeMarker(seed: identity.seed) }
        return try load(database, identity, wasInterrupted: wasInterrupted)
    }

    /// Makes the file of a new store; refuses where a store was made before.
    private func createFileIfNew(hasLog: Bool) throws(StoreError) {
        // SQLite deletes the log of an empty database: nothing may be opened before this check.
        guard (try files.byteCount(files.database) ?? 0) == 0 else { return }
        guard !files.hasMarker, !hasLog else { throw .missing(files.database, marker: files.marker) }
        try files.createDatabase()
    }

    private func openDatabase() throws(StoreError) -> sending Database {
        let database: Database
        let version: Int64
        do throws(SQLiteFailure) {
            database = try Database(path: files.database)
            version = try database.integer("PRAGMA user_version") ?? 0
            if version <= Schema.version { try Schema.configure(database, limits: limits) }
        } catch { throw .sqlite(error) }
        guard version <= Schema.version else { throw .newerSchema(version) }
        return database
    }

    private func isEmpty(_ database: Database) throws(StoreError) -> Bool {
        let tables = try sqlite { () throws(SQLiteFailure) in
            try database.integer("SELECT count(*) FROM sqlite_schema")
        }
        guard tables == 0 else { return false }
        guard !files.hasMarker else { throw .missing(files.database, marker: files.marker) }
        return true
    }

    private func createTables(in database: Database, seed: UInt64, incarnation: UInt64) throws(StoreError) {
        try sqlite { () throws(SQLiteFailure) in
            try database.execute("BEGIN IMMEDIATE")
            try Schema.create(in: database)
            let meta = MetaTable(database: database)
            try meta.write(.seed, seed)
            try meta.write(.incarnation, incarnation)
            try meta.write(.starts, 0)
            try database.execute("COMMIT")
            // The tables reach the database itself before the marker says that there is one.
            try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        }
    }

    /// Counts this start, durably: a start counter that was shown to a peer is never shown again.
    private func countStart(in database: Database) throws(StoreError) -> StoreIdentity {
        let meta = MetaTable(database: database)
        let (seed, incarnation, starts) = try sqlite { () throws(SQLiteFailure) in
            (try meta.read(.seed), try meta.read(.incarnation), try meta.read(.starts))
        }
        guard let seed, let incarnation, let starts, starts < UInt64.max else {
            throw StoreError(code: .damaged, reason: "\(files.database) does not say which store it is")
        }
        try sqlite { () throws(SQLiteFailure) in
            try meta.write(.starts, starts + 1)
            try database.extendWriteAheadLog(to: limits.preallocatedWALByteCount)
        }
        return StoreIdentity(seed: seed, incarnation: Incarnation(rawValue: incarnation), starts: starts + 1)
    }

    private func load(
        _ database: sending Database, _ identity: StoreIdentity, wasInterrupted: Bool
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        do throws(SQLiteFailure) {
            var loading = Loading(identity: identity, limits: limits)
            try loading.readAll(from: database, seed: identity.seed, wasInterrupted: wasInterrupted)
            let recovered = loading.recovered
            let store = try SQLiteStore(
                database, seed: identity.seed,
                lastSequence: Sequence(rawValue: recovered.nextSequence.rawValue - 1), limits: limits,
                recovery: loading.report)
            return (store, recovered)
        } catch {
            throw .sqlite(error)
        }
    }

    private func sqlite<Value>(_ body: () throws(SQLiteFailure) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .sqlite(error) }
    }
}
