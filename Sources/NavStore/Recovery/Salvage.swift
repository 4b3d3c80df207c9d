// SPDX-License-Identifier: Apache-2.0
import CSQLite
import NavSync

/// Builds a new database from the rows of a damaged one that verify.
///
/// The old files are read as pages, without SQLite and without their trees: a row proves itself by its checksum
/// wherever it stands. They are not changed. The new store is another incarnation, since rows may be missing that
/// peers have seen; it has no cursors, so that the peers are read again from the start, and no refusals.
struct Salvage {
    let files: StoreFiles
    let limits: StoreLimits

    /// Writes the new database beside the old one. When it returns, the new one is complete and on disk. How many
    /// records look like rows of the log and do not verify.
    func rebuild(wallMilliseconds: UInt64, incarnation: UInt64) throws(StoreError) -> Int {
        let source = try PageFile(
            database: files.database, log: files.writeAheadLog, fallback: limits.pageByteCount)
        let meta = readMeta(source)
        // Without a seed nothing can be told from damage: begin with the one that a new store takes.
        let seed = files.readMarker() ?? meta[.seed] ?? incarnation
        try files.createEmpty(files.building)
        let damagedRowCount: Int
        do throws(SQLiteFailure) {
            let database = try Database(path: files.building)
            try Schema.configureForBuilding(database, limits: limits)
            try database.execute("BEGIN IMMEDIATE")
            try Schema.create(in: database)
            let log = try LogTable(database, seed: seed, onConflict: .keep)
            damagedRowCount = try copyRows(source, into: log, seed: seed)
            try write(meta, into: database, seed: seed, incarnation: incarnation, wallMilliseconds: wallMilliseconds)
            try database.execute("COMMIT")
        } catch {
            throw .sqlite(error)
        }
        try files.finishBuilding()
        return damagedRowCount
    }

    private func readMeta(_ source: PageFile) -> [MetaTable.Key: UInt64] {
        var meta: [MetaTable.Key: UInt64] = [:]
        for leaf in source.leaves {
            for record in leaf.records() where record.columnCount == 3 {
                guard let (key, value) = MetaTable.verified(record) else { continue }
                // Counters only grow; of the others there is one.
                meta[key] = max(meta[key] ?? 0, value)
            }
        }
        return meta
    }

    /// Each damaged row counts once, however often the log holds its page, and not when it is whole elsewhere.
    private func copyRows(
        _ source: PageFile, into log: LogTable, seed: UInt64
    ) throws(SQLiteFailure) -> Int {
        let reader = RowReader(image: RowImage(seed: seed))
        var verified: Set<Int64> = []
        var damaged: Set<Int64> = []
        for leaf in source.leaves {
            for record in leaf.records() where record.columnCount == LogTable.columnCount {
                guard let (row, mark) = reader.row(record) else {
                    damaged.insert(record.key)
                    continue
                }
                verified.insert(record.key)
                try log.append(row, mark: mark)
            }
        }
        return damaged.subtracting(verified).count
    }

    private func write(
        _ found: [MetaTable.Key: UInt64], into database: Database, seed: UInt64, incarnation: UInt64,
        wallMilliseconds: UInt64
    ) throws(SQLiteFailure) {
        let meta = MetaTable(database: database)
        try meta.write(.seed, seed)
        try meta.write(.incarnation, incarnation)
        // A start counter that went back would look like a clone: without one, time is above any count of starts.
        try meta.write(.starts, found[.starts] ?? wallMilliseconds)
        try meta.write(.floor, found[.floor] ?? 0)
        let greatest = UInt64(
            bitPattern: try database.integer("SELECT max(writes) FROM log WHERE source IS NULL AND writes >= 0") ?? 0)
        // Writes whose rows are lost were counted too: jump above them.
        try meta.write(.writes, max(found[.writes] ?? 0, greatest) &+ Loading.gap)
    }
}
