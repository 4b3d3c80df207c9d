// SPDX-License-Identifier: Apache-2.0
package import NavSync

extension SQLiteStore {
    /// Begins a compaction of what the log holds now. `now` is the wall clock in milliseconds: ages are told by it.
    package func makeCompaction(limits: HistoryLimits, now: UInt64) throws(CommitFailure) -> Compaction {
        let tables = try usable()
        do throws(SQLiteFailure) {
            let rowCount = try tables.database.integer("SELECT count(*) FROM log") ?? 0
            let end = try tables.log.greatestSequence()
            return Compaction(limits: limits, now: now, end: end, rowCount: Int(rowCount))
        } catch {
            throw abandon(error)
        }
    }

    /// Does the next step of a compaction, a few milliseconds of work; true when there is no more to do. Call it when
    /// nothing waits. Live rows, parked and quarantined ones, young tombstones and the greatest sequence are kept.
    package func step(_ compaction: inout Compaction) throws(CommitFailure) -> Bool {
        let tables = try usable()
        do throws(SQLiteFailure) {
            let (removals, isDone) = try compaction.step(tables.log)
            if !removals.isEmpty {
                try tables.remove(removals, node: node, markLimit: limits.maximumMarkCount)
                compaction.removed(removals)
            }
            return isDone
        } catch {
            throw abandon(error)
        }
    }
}

extension StoreTables {
    /// Removes rows in one transaction, keeping what later starts need to know of them: marks, floor and write count.
    fileprivate func remove(_ rows: [LogRowSummary], node: NodeID, markLimit: Int) throws(SQLiteFailure) {
        try database.execute("BEGIN IMMEDIATE")
        let meta = MetaTable(database: database)
        let merged = rows.filter { $0.state == .merged }
        if let floor = merged.map(\.stamp.time.rawValue).max(), floor > (try meta.read(.floor) ?? 0) {
            try meta.write(.floor, floor)
        }
        let own = rows.filter { $0.stamp.origin == node }
        if let writes = own.map(\.writeCount).max(), writes > (try meta.read(.writes) ?? 0) {
            try meta.write(.writes, writes)
        }
        try marks.write(rows, limit: markLimit)
        try log.remove(rows)
        try database.execute("COMMIT")
    }
}
