// SPDX-License-Identifier: Apache-2.0
import CSQLite
import NavSync

/// A call of SQLite that failed: what was being done, SQLite's extended result code, and errno beneath it.
struct SQLiteFailure: Error, Sendable, CustomStringConvertible {
    let doing: String
    /// The extended result code.
    let code: Int32
    /// errno of the system call beneath, 0 when there was none.
    let systemError: Int32
    let message: String

    /// The kind of failure without its details.
    var primaryCode: Int32 { code & 0xFF }

    /// The bytes of the file are not what SQLite wrote.
    var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// While a store is opened, more answers mean damage: our own SQL does not compile against a schema that was
    /// changed, and a value breaks a rule that it kept when it was written.
    var isDamageAtOpen: Bool {
        let codes = [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_READONLY]
        return isDamage || code == SQLiteFailure.shortRead || codes.contains(code)
    }

    /// No room: the transaction is rolled back and the store as good as before.
    var isFull: Bool {
        primaryCode == SQLITE_FULL || (code == SQLiteFailure.writeFailed && systemError == SQLiteFailure.quotaExceeded)
    }

    var description: String {
        let system = systemError == 0 ? "" : ", errno \(systemError)"
        return "\(doing): \(message) (sqlite \(code)\(system))"
    }

    /// What the replica is told.
    var asCommitFailure: CommitFailure { isFull ? .full(description) : .failed(description) }

    // Macros that Swift does not import: SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_WRITE.
    private static let shortRead: Int32 = SQLITE_IOERR | (2 << 8)
    private static let writeFailed: Int32 = SQLITE_IOERR | (3 << 8)
    /// EDQUOT. A user over quota is a full disk too, but SQLite knows only ENOSPC.
    private static let quotaExceeded: Int32 = 122

    /// There is more than memory holds.
    static func outOfMemory(_ doing: String) -> SQLiteFailure {
        SQLiteFailure(doing: doing, code: SQLITE_NOMEM, systemError: 0, message: "no room in memory")
    }

    /// Bytes that SQLite has read well and that are not what was written.
    static func damaged(_ what: String) -> SQLiteFailure {
        SQLiteFailure(doing: "read", code: SQLITE_CORRUPT, systemError: 0, message: what)
    }
}
