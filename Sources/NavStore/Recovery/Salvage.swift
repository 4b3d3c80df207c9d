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
    let node: NodeID
    let limits: StoreLimits

    /// Writes the new database beside the old one. When it returns, the new one is complete and on disk. How many
    /// records look like rows of the log and do not verify.
    func rebuild(wallMilliseconds: UInt64, incarnation: UInt64) throws(StoreError) -> Int {
        let source = try PageFile(
            database: files.database, log: files.writeAheadLog, fallback: limits.pageByteCount)
        var meta = readMeta(source)
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
            let copied = try copyRows(source, into: log, seed: seed)
            damagedRowCount = copied.damagedRowCount
            // Writes whose rows are lost were counted too: jump above them.
            meta[.writes] = max(meta[.writes] ?? 0, copied.writeCount) &+ Loading.gap
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
    ) throws(SQLiteFailure) -> (damagedRowCount: Int, writeCount: UInt64) {
        let reader = RowReader(image: RowImage(seed: seed))
        var writeCount: UInt64 = 0
        var verified: Set<Int64> = []
        var damaged: Set<Int64> = []
        for leaf in source.leaves {
            for record in leaf.records() where record.columnCount == LogTable.columnCount {
                guard let (row, mark) = reader.row(record) else {
                    damaged.insert(record.key)
                    continue
                }
                verified.insert(record.key)
                if row.record.stamp.origin == node { writeCount = max(writeCount, row.record.writeCount) }
                try log.append(row, mark: mark)
            }
        }
        return (damaged.subtracting(verified).count, writeCount)
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
        try meta.write(.writes, found[.writes] ?? 0)
    }
}
