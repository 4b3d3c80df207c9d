// SPDX-License-Identifier: Apache-2.0
import CSQLite
package import NavSync

/// The change log in SQLite: one append-only table keyed by our sequence, durable before `apply` returns.
///
/// Synchronous, and owned by one thread at a time. Made by `open`.
package final class SQLiteStore: StackStore {
    private let database: Database
    private let log: LogTable
    private let cursors: CursorTable
    private let refusals: RefusalTable
    private let begin: Statement
    private let commit: Statement
    private let limits: StoreLimits
    private var lastSequence: Sequence
    /// The first failure that is not a full disk. Nothing is acknowledged after it: what reached the disk is unknown.
    private var failure: CommitFailure?

    /// What opening found.
    package let recovery: RecoveryReport

    init(
        _ database: Database, seed: UInt64, lastSequence: Sequence, limits: StoreLimits,
        recovery: RecoveryReport
    ) throws(SQLiteFailure) {
        self.database = database
        self.limits = limits
        self.lastSequence = lastSequence
        self.recovery = recovery
        log = try LogTable(database, seed: seed)
        cursors = try CursorTable(database, seed: seed)
        refusals = try RefusalTable(database, seed: seed, limit: limits.maximumRefusalCount)
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
    }

    package func apply(_ batch: CommitBatch) throws(CommitFailure) {
        if let failure { throw failure }
        guard !batch.isEmpty else { return }
        try checkOrder(batch)
        do throws(SQLiteFailure) {
            try begin.run()
            try write(batch)
            try commit.run()
        } catch {
            throw abandon(error)
        }
        lastSequence = batch.rows.last?.sequence ?? lastSequence
        if database.walPageCount >= limits.maximumWALPageCount { try checkpoint() }
    }

    package func readEnvelope(at sequence: Sequence) throws(CommitFailure) -> [UInt8]? {
        do throws(SQLiteFailure) {
            guard case .envelope(let bytes, _)? = try log.read(at: sequence)?.record.content else { return nil }
            return bytes
        } catch {
            throw error.asCommitFailure
        }
    }

    package func readHistory(of name: StackName, limit: Int) throws(CommitFailure) -> [Row] {
        do throws(SQLiteFailure) {
            return try log.history(of: name, limit: limit)
        } catch {
            throw error.asCommitFailure
        }
    }

    /// Moves the write-ahead log into the database when it has grown enough. Call it after a batch was answered and
    /// before the next: a checkpoint takes as long as several commits.
    package func checkpointIfDue() throws(CommitFailure) {
        if let failure { throw failure }
        if database.walPageCount >= limits.checkpointPageCount { try checkpoint() }
    }

    /// Leaves nothing in the write-ahead log, so that the next start sees a store that was closed.
    package func close() throws(CommitFailure) {
        if let failure { throw failure }
        do throws(SQLiteFailure) {
            try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        } catch {
            throw abandon(error)
        }
    }

    private func checkOrder(_ batch: CommitBatch) throws(CommitFailure) {
        var last = lastSequence
        for row in batch.rows {
            guard row.sequence > last, row.sequence.rawValue <= UInt64(Int64.max) else {
                throw .failed("sequence \(row.sequence.rawValue) after \(last.rawValue)")
            }
            last = row.sequence
        }
    }

    private func write(_ batch: CommitBatch) throws(SQLiteFailure) {
        for (position, row) in batch.rows.enumerated() {
            try log.append(row, mark: position == batch.rows.count - 1 ? batch.mark : nil)
        }
        for (peer, cursor) in batch.cursors { try cursors.write(cursor, of: peer) }
        try refusals.write(batch.refusals)
    }

    private func checkpoint() throws(CommitFailure) {
        do throws(SQLiteFailure) {
            try database.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        } catch {
            // Without room the log keeps growing where it is; the commit itself stands.
            guard error.isFull else { throw abandon(error) }
        }
    }

    /// Rolls back what a failed call has left, and remembers a failure that no retry mends.
    private func abandon(_ error: SQLiteFailure) -> CommitFailure {
        if database.isInTransaction {
            do throws(SQLiteFailure) {
                try database.execute("ROLLBACK")
            } catch {
                failure = .failed(error.description)
            }
        }
        let answer = error.asCommitFailure
        if case .failed = answer { failure = failure ?? answer }
        database.isBroken = failure != nil
        return failure ?? answer
    }
}
