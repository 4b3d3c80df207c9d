// SPDX-License-Identifier: Apache-2.0
import CSQLite
package import NavSync

/// The change log in SQLite: one append-only table keyed by our sequence, durable before `apply` returns.
///
/// Synchronous, and owned by one thread at a time. Made by `open`.
package final class SQLiteStore: StackStore {
    private let files: StoreFiles
    let limits: StoreLimits
    let node: NodeID
    private var lastSequence: Sequence
    /// Nil once the store is closed.
    private var tables: StoreTables?
    /// The first failure that is not a full disk. Nothing is acknowledged after it: what reached the disk is unknown.
    package private(set) var failure: CommitFailure?
    private let reserve: Reserve
    private var isReserveReleased: Bool

    /// What opening found.
    package let recovery: RecoveryReport

    init(
        _ tables: StoreTables, files: StoreFiles, node: NodeID, lastSequence: Sequence, limits: StoreLimits,
        recovery: RecoveryReport
    ) {
        self.tables = tables
        self.files = files
        self.node = node
        self.limits = limits
        self.lastSequence = lastSequence
        self.recovery = recovery
        reserve = Reserve(files: files, byteCount: limits.reserveByteCount)
        reserve.makeIfRoomy()
        isReserveReleased = !reserve.isThere
    }

    package func apply(_ batch: CommitBatch) throws(CommitFailure) {
        let tables = try usable()
        guard !batch.isEmpty else { return }
        try checkOrder(batch)
        guard batch.isOfRemovals || leavesRoomForRemovals else {
            throw .full("the room that is left is kept for removals")
        }
        do throws(SQLiteFailure) {
            try tables.write(batch)
        } catch {
            try retry(batch, after: abandon(error), tables)
        }
        lastSequence = batch.rows.last?.sequence ?? lastSequence
        if tables.database.walPageCount >= limits.maximumWALPageCount, hasRoomForCheckpoint(tables) {
            try checkpoint(tables)
        }
    }

    package func readEnvelope(at sequence: Sequence) throws(CommitFailure) -> [UInt8]? {
        guard case .envelope(let bytes, _)? = try readRow(at: sequence)?.record.content else { return nil }
        return bytes
    }

    package func readRow(at sequence: Sequence) throws(CommitFailure) -> Row? {
        let tables = try usable()
        do throws(SQLiteFailure) { return try tables.log.read(at: sequence) } catch { throw refuse(error) }
    }

    package func readVersions(_ search: VersionSearch) throws(CommitFailure) -> VersionPage {
        let tables = try usable()
        do throws(SQLiteFailure) { return try tables.log.versions(search) } catch { throw refuse(error) }
    }

    /// A row that must be there was not found: the store is no better than one that does not verify.
    package func missesRow(at sequence: Sequence) {
        _ = abandon(.damaged("row \(sequence.rawValue) is not there"))
    }

    /// Moves the write-ahead log into the database when it has grown enough. Call it after a batch was answered and
    /// before the next: a checkpoint takes as long as several commits.
    package func checkpointIfDue() throws(CommitFailure) {
        let tables = try usable()
        if tables.database.walPageCount >= limits.checkpointPageCount, hasRoomForCheckpoint(tables) {
            try checkpoint(tables)
        }
        if isReserveReleased {
            reserve.makeIfRoomy()
            isReserveReleased = !reserve.isThere
        }
    }

    /// Moves everything into the database and says so, so that the next start sees a store that was closed. Without it
    /// nothing is lost: the next start reads the log. Every later call fails.
    package func close() throws(CommitFailure) {
        let tables = try usable()
        do throws(SQLiteFailure) {
            if hasRoomForCheckpoint(tables) { try tables.database.emptyWriteAheadLog() }
        } catch {
            throw abandon(error)
        }
        self.tables = nil
    }

    /// Tries a batch again that found no room, when room can be made: a checkpoint lets the write-ahead log begin again,
    /// and for removals there is the reserve.
    private func retry(
        _ batch: CommitBatch, after failure: CommitFailure, _ tables: StoreTables
    ) throws(CommitFailure) {
        guard case .full = failure else { throw failure }
        var failure = failure
        try checkpoint(tables)
        for mayUseReserve in [false, true] {
            if mayUseReserve {
                guard batch.isOfRemovals, reserve.release() else { throw failure }
                isReserveReleased = true
            }
            do throws(SQLiteFailure) { return try tables.write(batch) } catch { failure = abandon(error) }
            guard case .full = failure else { throw failure }
        }
        throw failure
    }

    func usable() throws(CommitFailure) -> StoreTables {
        if let failure { throw failure }
        guard let tables else { throw .failed("the store is closed") }
        return tables
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

    /// Once the reserve was given back its room is free for all to use: then only what leaves as much is written.
    private var leavesRoomForRemovals: Bool {
        !isReserveReleased || files.freeByteCount >= limits.reserveByteCount
    }

    /// A checkpoint that ends in the middle has used up the room that removals need, and has gained nothing.
    private func hasRoomForCheckpoint(_ tables: StoreTables) -> Bool {
        files.freeByteCount >= tables.database.walPageCount * limits.pageByteCount
    }

    private func checkpoint(_ tables: StoreTables) throws(CommitFailure) {
        do throws(SQLiteFailure) {
            try tables.database.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        } catch {
            // Without room the log keeps growing where it is; the commit itself stands.
            guard error.isFull else { throw abandon(error) }
        }
    }

    /// What a failed read means: damage ends the store, for the next start to rebuild it. Else nothing is known to be wrong
    /// with what it holds.
    private func refuse(_ error: SQLiteFailure) -> CommitFailure {
        error.isDamage ? abandon(error) : error.asCommitFailure
    }

    /// Rolls back what a failed call has left, and remembers a failure that no retry mends.
    func abandon(_ error: SQLiteFailure) -> CommitFailure {
        var answer = error.asCommitFailure
        if let database = tables?.database, database.isInTransaction {
            do throws(SQLiteFailure) { try database.execute("ROLLBACK") } catch { answer = .failed(error.description) }
        }
        if error.isDamage { files.suspect() }
        if case .failed = answer { failure = answer }
        return answer
    }
}
