// SPDX-License-Identifier: Apache-2.0
import CSQLite
import NavSync

/// The design that the change log replaces, for comparison: one row per name, an index on the sequence.
final class UpsertTable {
    static let files = ["upsert.sqlite", "upsert.sqlite-wal", "upsert.sqlite-shm"]

    private var handle: OpaquePointer?
    private var upsert: OpaquePointer?

    init(directory: String) throws {
        try check(sqlite3_open(directory + "/upsert.sqlite", &handle))
        try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try run("CREATE TABLE stack (name BLOB PRIMARY KEY, seq INTEGER, time INTEGER, value BLOB) WITHOUT ROWID")
        try run("CREATE INDEX by_seq ON stack (seq)")
        let sql = "INSERT OR REPLACE INTO stack (name, seq, time, value) VALUES (?1, ?2, ?3, ?4)"
        try check(sqlite3_prepare_v2(handle, sql, -1, &upsert, nil))
    }

    deinit {
        sqlite3_finalize(upsert)
        sqlite3_close(handle)
    }

    /// Gives every name a row: an upsert into an empty table would be an append.
    func fill(_ names: [StackName]) throws {
        try run("BEGIN")
        for (number, name) in names.enumerated() {
            try write(name, sequence: Int64(number) - Int64(names.count), [UInt8](repeating: 0, count: 300))
        }
        try run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func apply(_ batch: CommitBatch) throws {
        try run("BEGIN IMMEDIATE")
        for row in batch.rows {
            guard case .envelope(let value, _) = row.record.content else { continue }
            try write(row.record.name, sequence: Int64(clamping: row.sequence.rawValue), value)
        }
        try run("COMMIT")
    }

    private func write(_ name: StackName, sequence: Int64, _ value: [UInt8]) throws {
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_blob(upsert, 1, name.bytes, Int32(name.bytes.count), copied)
        sqlite3_bind_int64(upsert, 2, sequence)
        sqlite3_bind_int64(upsert, 3, sequence)
        sqlite3_bind_blob(upsert, 4, value, Int32(value.count), copied)
        let code = sqlite3_step(upsert)
        sqlite3_reset(upsert)
        guard code == SQLITE_DONE else { throw BenchError("upsert: sqlite \(code)") }
    }

    private func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw BenchError("upsert: \(String(cString: sqlite3_errmsg(handle)))") }
    }
}
