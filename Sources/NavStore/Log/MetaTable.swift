// SPDX-License-Identifier: Apache-2.0
import NavSync

/// What the store knows of itself that no row can tell.
struct MetaTable {
    enum Key: String, CaseIterable {
        /// Chosen when the file was made: what every checksum in it begins with.
        case seed
        case incarnation
        /// How often this store was opened.
        case starts
        /// No local write may be stamped at or below this, whatever rows were compacted away.
        case floor
        /// Local writes whose rows were compacted away are counted here.
        case writes
    }

    let database: Database

    /// The value of a key; nil when it is missing or does not verify.
    func read(_ key: Key) throws(SQLiteFailure) -> UInt64? {
        let statement = try database.prepare("SELECT value, checksum FROM meta WHERE key = ?1")
        statement.bind(1, text: key.rawValue)
        guard try statement.step() else { return nil }
        let value = statement.unsigned(0)
        return statement.unsigned(1) == Self.checksum(key, value) ? value : nil
    }

    func write(_ key: Key, _ value: UInt64) throws(SQLiteFailure) {
        let statement = try database.prepare("INSERT OR REPLACE INTO meta (key, value, checksum) VALUES (?1, ?2, ?3)")
        statement.bind(1, text: key.rawValue)
        statement.bind(2, value)
        statement.bind(3, Self.checksum(key, value))
        try statement.run()
    }

    /// The key and value of a record of this table that verifies, wherever it was found.
    static func verified(_ columns: some RowColumns) -> (key: Key, value: UInt64)? {
        let name = columns.withBytes(0) { String(decoding: $0, as: UTF8.self) }
        guard let key = Key(rawValue: name) else { return nil }
        let value = columns.unsigned(1)
        return columns.unsigned(2) == checksum(key, value) ? (key, value) : nil
    }

    private static func checksum(_ key: Key, _ value: UInt64) -> UInt64 {
        var bytes = Array(key.rawValue.utf8)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    }
}
