// SPDX-License-Identifier: Apache-2.0
import NavSync

/// An open database with everything that is prepared for it.
final class StoreTables {
    let database: Database
    let log: LogTable
    let cursors: CursorTable
    let refusals: RefusalTable
    let marks: MarkTable
    private let begin: Statement
    private let commit: Statement

    init(_ database: Database, seed: UInt64, limits: StoreLimits) throws(SQLiteFailure) {
        self.database = database
        log = try LogTable(database, seed: seed)
        cursors = try CursorTable(database, seed: seed)
        refusals = try RefusalTable(database, seed: seed, limit: limits.maximumRefusalCount)
        marks = MarkTable(database, seed: seed)
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
    }

    /// Writes a batch as one transaction. When it throws, a transaction may still be open.
    func write(_ batch: CommitBatch) throws(SQLiteFailure) {
        try begin.run()
        for (position, row) in batch.rows.enumerated() {
            try log.append(row, mark: position == batch.rows.count - 1 ? batch.mark : nil)
        }
        for (peer, cursor) in batch.cursors { try cursors.write(cursor, of: peer) }
        try refusals.remove(batch.settledRefusals)
        try refusals.write(batch.refusals)
        try commit.run()
    }
}
