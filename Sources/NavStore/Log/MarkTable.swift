// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Marks of commits whose last row was compacted away: a peer may still hold a cursor there.
final class MarkTable {
    private let database: Database
    private let seed: UInt64

    init(_ database: Database, seed: UInt64) {
        self.database = database
        self.seed = seed
    }

    /// Keeps the marks of rows, and of all marks here the newest `limit`.
    func write(_ rows: [LogRowSummary], limit: Int) throws(SQLiteFailure) {
        let statement = try database.prepare("INSERT OR REPLACE INTO marks (seq, mark, checksum) VALUES (?1, ?2, ?3)")
        for row in rows {
            guard let mark = row.mark else { continue }
            statement.bind(1, row.sequence.rawValue)
            statement.bind(2, mark.rawValue)
            statement.bind(3, checksum(row.sequence, mark))
            try statement.run()
        }
        try database.execute(
            "DELETE FROM marks WHERE seq <= (SELECT seq FROM marks ORDER BY seq DESC LIMIT 1 OFFSET \(limit))")
    }

    /// All that verify, oldest first.
    func readAll() throws(SQLiteFailure) -> [(sequence: Sequence, mark: Mark)] {
        let statement = try database.prepare("SELECT seq, mark, checksum FROM marks ORDER BY seq")
        var marks: [(sequence: Sequence, mark: Mark)] = []
        while try statement.step() {
            let sequence = Sequence(rawValue: statement.unsigned(0))
            let mark = Mark(rawValue: statement.unsigned(1))
            if checksum(sequence, mark) == statement.unsigned(2) { marks.append((sequence, mark)) }
        }
        return marks
    }

    private func checksum(_ sequence: Sequence, _ mark: Mark) -> UInt64 {
        XXH64.hash(words: [sequence.rawValue, mark.rawValue], seed: seed)
    }
}
