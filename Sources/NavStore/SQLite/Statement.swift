// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A prepared statement, used again and again. Columns and bindings are valid until the next `step` or `reset`.
final class Statement {
    private let handle: OpaquePointer
    // A statement needs its database alive; the database knows nothing of its statements.
    private let database: Database
    private let sql: String

    init(_ sql: String, on database: Database) throws(SQLiteFailure) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw database.failure(code, doing: sql) }
        handle = prepared
        self.database = database
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; false at the end.
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let failure = database.failure(code, doing: sql)
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Runs to the end and makes ready for the next run.
    func run() throws(SQLiteFailure) {
        while try step() {}
        sqlite3_reset(handle)
    }

    func reset() { sqlite3_reset(handle) }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ index: Int32, _ value: UInt64) { sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds bytes without copying them: they must stay where they are until the next `reset`.
    func bind(_ index: Int32, borrowing bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            sqlite3_bind_blob(handle, index, start, Int32(clamping: bytes.count), nil)
        } else {
            // A nil pointer would bind NULL; no bytes are not nothing.
            sqlite3_bind_zeroblob(handle, index, 0)
        }
    }

    /// Binds a copy of bytes.
    func bind(_ index: Int32, copying bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            if buffer.isEmpty {
                sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                sqlite3_bind_blob(handle, index, buffer.baseAddress, Int32(clamping: buffer.count), transient)
            }
        }
    }

    func bind(_ index: Int32, text: String) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, -1, transient)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bytes of a column, empty for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
