// SPDX-License-Identifier: Apache-2.0
import NavSync

/// The tables, their version, and how a new database gets them. Normative: docs/spec/store.md.
enum Schema {
    static let version: Int64 = 1
    /// "NAVS": `file` and SQLite's own tools show whose database this is.
    static let applicationID: Int64 = 0x4E41_5653

    /// How a database is set up when it is opened. The file belongs to one process, locked by its directory.
    static func configure(_ database: Database, limits: StoreLimits) throws(SQLiteFailure) {
        try database.execute("PRAGMA trusted_schema = OFF")
        try database.execute("PRAGMA cell_size_check = ON")
        try database.execute("PRAGMA cache_size = -\(limits.cacheKibibytes)")
        try database.execute("PRAGMA page_size = \(limits.pageByteCount)")
        try database.execute("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = FULL")
        if let count = limits.maximumPageCount { try database.execute("PRAGMA max_page_count = \(count)") }
    }

    /// Before anything is read: with one owner the index of the write-ahead log needs no shared file, which a full disk
    /// could not hold at the next start.
    static func lock(_ database: Database) throws(SQLiteFailure) {
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    }

    /// For a database that is written in one go beside the real one, and synchronised as a whole before it is used.
    static func configureForBuilding(_ database: Database, limits: StoreLimits) throws(SQLiteFailure) {
        try database.execute("PRAGMA page_size = \(limits.pageByteCount)")
        try database.execute("PRAGMA journal_mode = OFF")
        try database.execute("PRAGMA synchronous = OFF")
    }

    /// Makes the tables in an empty database. The caller commits.
    static func create(in database: Database) throws(SQLiteFailure) {
        try database.execute(
            """
            CREATE TABLE log (
                seq INTEGER PRIMARY KEY,
                state INTEGER NOT NULL,
                source BLOB,
                name BLOB NOT NULL,
                time INTEGER NOT NULL,
                origin BLOB NOT NULL,
                writes INTEGER NOT NULL,
                base_time INTEGER,
                base_origin BLOB,
                hash BLOB,
                mark INTEGER,
                checksum INTEGER NOT NULL,
                envelope_checksum INTEGER,
                envelope BLOB
            );
            CREATE TABLE cursors (
                peer BLOB PRIMARY KEY,
                incarnation INTEGER NOT NULL,
                seq INTEGER NOT NULL,
                mark INTEGER NOT NULL,
                scope INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE refusals (
                id INTEGER PRIMARY KEY,
                peer BLOB NOT NULL,
                name BLOB NOT NULL,
                time INTEGER NOT NULL,
                origin BLOB NOT NULL,
                code INTEGER NOT NULL,
                checksum INTEGER NOT NULL,
                UNIQUE (peer, name)
            );
            CREATE TABLE marks (
                seq INTEGER PRIMARY KEY,
                mark INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            );
            CREATE TABLE meta (
                key TEXT PRIMARY KEY,
                value INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) WITHOUT ROWID;
            PRAGMA application_id = \(applicationID);
            PRAGMA user_version = \(version);
            """)
    }
}
