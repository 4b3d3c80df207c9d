// SPDX-License-Identifier: Apache-2.0
import NavSync

/// How far this replica has read each peer.
final class CursorTable {
    private let database: Database
    private let replacement: Statement
    private let seed: UInt64

    init(_ database: Database, seed: UInt64) throws(SQLiteFailure) {
        self.database = database
        self.seed = seed
        replacement = try database.prepare(
            "INSERT OR REPLACE INTO cursors (peer, incarnation, seq, mark, scope, checksum)"
                + " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    }

    func write(_ cursor: Cursor, of peer: NodeID) throws(SQLiteFailure) {
        replacement.bind(1, copying: peer.bytes)
        replacement.bind(2, cursor.incarnation.rawValue)
        replacement.bind(3, cursor.sequence.rawValue)
        replacement.bind(4, cursor.mark.rawValue)
        replacement.bind(5, cursor.scope.rawValue)
        replacement.bind(6, checksum(cursor, of: peer))
        try replacement.run()
    }

    /// All cursors that verify, and how many do not: their peers are read from the start again.
    func readAll() throws(SQLiteFailure) -> (cursors: [NodeID: Cursor], damagedCount: Int) {
        let statement = try database.prepare("SELECT peer, incarnation, seq, mark, scope, checksum FROM cursors")
        var cursors: [NodeID: Cursor] = [:]
        var damagedCount = 0
        while try statement.step() {
            let cursor = Cursor(
                incarnation: Incarnation(rawValue: statement.unsigned(1)),
                sequence: Sequence(rawValue: statement.unsigned(2)),
                mark: Mark(rawValue: statement.unsigned(3)), scope: Scope(rawValue: statement.unsigned(4)))
            if let peer = NodeID(column: statement.bytes(0)), checksum(cursor, of: peer) == statement.unsigned(5) {
                cursors[peer] = cursor
            } else {
                damagedCount += 1
            }
        }
        return (cursors, damagedCount)
    }

    func removeAll() throws(SQLiteFailure) { try database.execute("DELETE FROM cursors") }

    private func checksum(_ cursor: Cursor, of peer: NodeID) -> UInt64 {
        let words = [
            peer.high, peer.low, cursor.incarnation.rawValue, cursor.sequence.rawValue, cursor.mark.rawValue,
            cursor.scope.rawValue,
        ]
        return XXH64.hash(words: words, seed: seed)
    }
}
