// SPDX-License-Identifier: Apache-2.0
import NavSync

/// A row of the log without its envelope: what a compaction decides by.
struct LogRowSummary: Hashable, Sendable {
    let sequence: Sequence
    let state: RowState
    let name: StackName
    let stamp: Stamp
    let writeCount: UInt64
    let contentHash: ContentHash
    let isTombstone: Bool
    let byteCount: Int
    let mark: Mark?

    func isOutdone(by other: LogRowSummary) -> Bool {
        (stamp, contentHash) < (other.stamp, other.contentHash)
    }
}

extension LogTable {
    /// The next rows in sequence order, and where to go on, nil at the end. Rows that do not verify are left out: one
    /// whose stamp has changed would decide over the others. A start deals with them.
    func summaries(
        after: Sequence, upTo end: Sequence, limit: Int
    ) throws(SQLiteFailure) -> (rows: [LogRowSummary], last: Sequence?) {
        let statement = try database.prepare(
            "SELECT \(Self.columns) FROM log WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3")
        statement.bind(1, after.rawValue)
        statement.bind(2, end.rawValue)
        statement.bind(3, Int64(limit))
        var rows: [LogRowSummary] = []
        var last: Sequence?
        while try statement.step() {
            last = Sequence(rawValue: statement.unsigned(0))
            if let row = reader.summary(statement) { rows.append(row) }
        }
        return (rows, last)
    }

    /// Removes rows by their sequences. The caller has a transaction.
    func remove(_ rows: [LogRowSummary]) throws(SQLiteFailure) {
        let statement = try database.prepare("DELETE FROM log WHERE seq = ?1")
        for row in rows {
            statement.bind(1, row.sequence.rawValue)
            try statement.run()
        }
    }
}
