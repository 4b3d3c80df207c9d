// SPDX-License-Identifier: Apache-2.0
import CSQLite
package import NavSync

extension SQLiteStore {
    /// Opens the store of a state directory, or makes it where none was ever made.
    ///
    /// The caller holds the directory's lock; `node` is whose writes are counted. `wallMilliseconds` names files that are set aside, nothing else. When it
    /// returns, this start is counted on disk.
    package static func open(
        directory: String, node: NodeID, limits: StoreLimits, wallMilliseconds: UInt64, random: () -> UInt64
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        try StoreOpening(files: StoreFiles(directory: directory), node: node, limits: limits)
            .run(wallMilliseconds: wallMilliseconds, random: random)
    }
}

/// The steps from a state directory to a store that serves.
struct StoreOpening {
    let files: StoreFiles
    let node: NodeID
    let limits: StoreLimits

    func run(
        wallMilliseconds: UInt64, random: () -> UInt64
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        let numbers = (seed: random(), incarnation: random())
        var report = RecoveryReport()
        if files.exists(files.rebuilt) {
            // A crash came between the end of a rebuild and its taking the place of the damaged one.
            try setAside(&report, label: wallMilliseconds, reason: "an earlier start had found damage")
        } else if files.exists(files.suspicion), files.exists(files.database) {
            try rebuild(&report, wallMilliseconds, numbers.incarnation, "the running store had found damage")
        }
        do {
            return try open(report, seed: numbers.seed, incarnation: numbers.incarnation)
        } catch {
            guard error.code == .damaged, report.setAside == nil else { throw error }
            try rebuild(&report, wallMilliseconds, numbers.incarnation, error.reason)
        }
        return try open(report, seed: numbers.seed, incarnation: numbers.incarnation)
    }

    private func rebuild(
        _ report: inout RecoveryReport, _ wallMilliseconds: UInt64, _ incarnation: UInt64, _ reason: String
    ) throws(StoreError) {
        let salvage = Salvage(files: files, node: node, limits: limits)
        report.damagedRowCount = try salvage.rebuild(wallMilliseconds: wallMilliseconds, incarnation: incarnation)
        try setAside(&report, label: wallMilliseconds, reason: reason)
    }

    private func setAside(_ report: inout RecoveryReport, label: UInt64, reason: String) throws(StoreError) {
        let path = try files.replaceDamaged(label: "\(label)")
        report.setAside = RecoveryReport.SetAside(path: path, reason: reason)
    }

    private func open(
        _ report: RecoveryReport, seed: UInt64, incarnation: UInt64
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        var report = report
        report.wasInterrupted = files.hasFrames
        try createFileIfNew()
        try files.restrictModes()
        let database = try openDatabase()
        if try isEmpty(database) { try createTables(in: database, seed: seed, incarnation: incarnation) }
        let identity = try countStart(in: database)
        if !files.hasMarker { try files.writeMarker(seed: identity.seed) }
        return try load(database, identity, report)
    }

    /// Makes the file of a new store; refuses where a store was made before.
    private func createFileIfNew() throws(StoreError) {
        // SQLite deletes the log of an empty database: nothing may be opened before this check.
        guard (try files.byteCount(files.database) ?? 0) == 0 else { return }
        guard !files.hasMarker, (try files.byteCount(files.writeAheadLog) ?? 0) == 0 else {
            throw .missing(files.database, marker: files.marker)
        }
        try files.createDatabase()
    }

    private func openDatabase() throws(StoreError) -> sending Database {
        let database: Database
        let version: Int64
        let application: Int64
        do throws(SQLiteFailure) {
            database = try Database(path: files.database)
            try Schema.lock(database)
            version = try database.integer("PRAGMA user_version") ?? 0
            application = try database.integer("PRAGMA application_id") ?? 0
            if version <= Schema.version { try Schema.configure(database, limits: limits) }
        } catch { throw .sqlite(error) }
        guard version <= Schema.version else {
            guard application == Schema.applicationID else {
                throw StoreError(code: .damaged, reason: "\(files.database) is not a store")
            }
            throw .newerSchema(version)
        }
        return database
    }

    /// Whether the tables have yet to be made: a new file, or one whose making a crash has cut.
    private func isEmpty(_ database: Database) throws(StoreError) -> Bool {
        let tables = try sqlite { () throws(SQLiteFailure) in
            try database.integer("SELECT count(*) FROM sqlite_schema")
        }
        guard tables == 0 else { return false }
        guard !files.hasMarker else {
            throw StoreError(code: .damaged, reason: "\(files.database) has lost its tables")
        }
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

    /// Counts this start, durably while there is any room: a start counter that was shown to a peer is then never shown
    /// again.
    private func countStart(in database: Database) throws(StoreError) -> StoreIdentity {
        let meta = MetaTable(database: database)
        let (seed, incarnation, starts) = try sqlite { () throws(SQLiteFailure) in
            (try meta.read(.seed), try meta.read(.incarnation), try meta.read(.starts))
        }
        guard let seed, let incarnation, let starts, starts < UInt64.max else {
            throw StoreError(code: .damaged, reason: "\(files.database) does not say which store it is")
        }
        try sqlite { () throws(SQLiteFailure) in
            // A disk that is full must not keep a store from opening. The reserve is for this, too; when removals have used
            // it up, two starts may show one counter, and a peer that has not noticed the end of its old link may keep the
            // new one waiting for as long as that lasts.
            if try !write(starts + 1, to: meta), Reserve(files: files, byteCount: 0).release() {
                _ = try write(starts + 1, to: meta)
            }
            try database.extendWriteAheadLog(to: limits.preallocatedWALByteCount)
        }
        return StoreIdentity(seed: seed, incarnation: Incarnation(rawValue: incarnation), starts: starts + 1)
    }

    /// False when there is no room.
    private func write(_ starts: UInt64, to meta: MetaTable) throws(SQLiteFailure) -> Bool {
        do throws(SQLiteFailure) { try meta.write(.starts, starts) } catch {
            guard error.isFull else { throw error }
            return false
        }
        return true
    }

    private func load(
        _ database: sending Database, _ identity: StoreIdentity, _ report: RecoveryReport
    ) throws(StoreError) -> sending (store: SQLiteStore, recovered: RecoveredState) {
        do throws(SQLiteFailure) {
            let tables = try StoreTables(database, seed: identity.seed, limits: limits)
            var loading = Loading(identity: identity, node: node, report: report, limits: limits)
            try loading.readAll(from: tables)
            let recovered = loading.recovered
            let store = SQLiteStore(
                tables, files: files, node: node, lastSequence: Sequence(rawValue: recovered.nextSequence.rawValue - 1),
                limits: limits, recovery: loading.report)
            return (store, recovered)
        } catch {
            throw .sqlite(error)
        }
    }

    private func sqlite<Value>(_ body: () throws(SQLiteFailure) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .sqlite(error) }
    }
}
