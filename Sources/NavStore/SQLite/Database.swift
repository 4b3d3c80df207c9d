// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// One open database. Owned by one thread at a time: SQLite's own mutexes are off.
final class Database {
    let handle: OpaquePointer
    /// Pages that the write-ahead log holds, as of the last commit.
    private let walPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    /// Opens a file that exists.
    init(path: String) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
            sqlite3_close_v2(opened)
            walPages.deallocate()
            throw SQLiteFailure(doing: "open \(path)", code: code, systemError: 0, message: message)
        }
        handle = opened
        walPages.initialize(to: 0)
        sqlite3_extended_result_codes(handle, 1)
        // Closing would checkpoint: of a damaged store that would write over what can still be read, and after a failed
        // fsync nobody knows what it would copy. A store that is closed in order checkpoints by itself.
        nav_sqlite_keep_log(handle, 1)
        // The hook also turns SQLite's own checkpoints off: they would run inside a commit, before its answer.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, walPages)
    }

    deinit {
        sqlite3_close_v2(handle)
        walPages.deallocate()
    }

    var walPageCount: Int { Int(walPages.pointee) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func failure(_ code: Int32, doing: String) -> SQLiteFailure {
        SQLiteFailure(
            doing: doing, code: code, systemError: sqlite3_system_errno(handle),
            message: String(cString: sqlite3_errmsg(handle)))
    }

    func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, doing: sql) }
    }

    func prepare(_ sql: String) throws(SQLiteFailure) -> Statement { try Statement(sql, on: self) }

    /// The first column of the first row; nil when there is no row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Copies what the write-ahead log holds into the database, as far as nobody reads.
    func checkpoint(_ mode: Int32) throws(SQLiteFailure) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, doing: "checkpoint") }
        walPages.pointee = 0
    }

    /// Writes zeros behind the end of the write-ahead log until it has `byteCount` bytes: a commit that writes over
    /// blocks which exist needs no journal commit of the file system beneath, and no space. The log ends at the first
    /// frame without its salt, so zeros are no frames. Without room for them the log grows as it is used.
    func extendWriteAheadLog(to byteCount: Int) throws(SQLiteFailure) {
        guard let log = LogFile(self) else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var size = log.byteCount
        while size < byteCount {
            let code = log.write(zeros[..<min(zeros.count, byteCount - size)], at: size)
            guard code & 0xFF != SQLITE_FULL else { break }
            guard code == SQLITE_OK else { throw failure(code, doing: "extend the write-ahead log") }
            size = min(size + zeros.count, byteCount)
        }
        let code = log.synchronise()
        guard code == SQLITE_OK else { throw failure(code, doing: "extend the write-ahead log") }
    }

    /// Moves everything into the database and makes the log an empty one that keeps its space.
    func emptyWriteAheadLog() throws(SQLiteFailure) {
        try checkpoint(SQLITE_CHECKPOINT_FULL)
        guard let log = LogFile(self) else { return }
        var code = log.write([UInt8](repeating: 0, count: 32)[...], at: 0)
        if code == SQLITE_OK { code = log.synchronise() }
        guard code == SQLITE_OK else { throw failure(code, doing: "empty the write-ahead log") }
    }
}

/// The write-ahead log's file, through SQLite's own handle: no second file descriptor, whose closing would drop locks.
private struct LogFile {
    let file: UnsafeMutablePointer<sqlite3_file>
    let methods: sqlite3_io_methods

    init?(_ database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database.handle, nil, SQLITE_FCNTL_JOURNAL_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods?.pointee else { return nil }
        self.file = file
        self.methods = methods
    }

    var byteCount: Int {
        var size: sqlite3_int64 = 0
        return methods.xFileSize?(file, &size) == SQLITE_OK ? Int(size) : .max
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            methods.xWrite?(file, buffer.baseAddress, Int32(buffer.count), sqlite3_int64(offset)) ?? SQLITE_ERROR
        }
    }

    func synchronise() -> Int32 { methods.xSync?(file, SQLITE_SYNC_NORMAL) ?? SQLITE_ERROR }
}
