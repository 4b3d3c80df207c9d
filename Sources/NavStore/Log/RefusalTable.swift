// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Records of peers that were refused for good: the newest of each peer and name, the oldest dropped beyond a limit.
final class RefusalTable {
    private let database: Database
    private let replacement: Statement
    private let removal: Statement
    private let trimming: Statement
    private let seed: UInt64

    init(_ database: Database, seed: UInt64, limit: Int) throws(SQLiteFailure) {
        self.database = database
        self.seed = seed
        replacement = try database.prepare(
            "INSERT OR REPLACE INTO refusals (peer, name, time, origin, code, checksum)"
                + " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        removal = try database.prepare("DELETE FROM refusals WHERE peer = ?1 AND name = ?2")
        trimming = try database.prepare(
            "DELETE FROM refusals WHERE id <= (SELECT id FROM refusals ORDER BY id DESC LIMIT 1 OFFSET \(limit))")
    }

    func remove(_ keys: Set<Refusal.Key>) throws(SQLiteFailure) {
        for key in keys {
            removal.bind(1, copying: key.peer.bytes)
            removal.bind(2, copying: key.name.bytes)
            try removal.run()
        }
    }

    func write(_ refusals: [Refusal]) throws(SQLiteFailure) {
        guard !refusals.isEmpty else { return }
        for refusal in refusals {
            replacement.bind(1, copying: refusal.peer.bytes)
            replacement.bind(2, copying: refusal.name.bytes)
            replacement.bind(3, refusal.stamp.time.rawValue)
            replacement.bind(4, copying: refusal.stamp.origin.bytes)
            replacement.bind(5, UInt64(refusal.code.rawValue))
            replacement.bind(6, checksum(refusal))
            try replacement.run()
        }
        try trimming.run()
    }

    /// All refusals that verify, oldest first, and how many do not.
    func readAll() throws(SQLiteFailure) -> (refusals: [Refusal], damagedCount: Int) {
        let statement = try database.prepare(
            "SELECT peer, name, time, origin, code, checksum FROM refusals ORDER BY id")
        var refusals: [Refusal] = []
        var damagedCount = 0
        while try statement.step() {
            if let refusal = refusal(statement), checksum(refusal) == statement.unsigned(5) {
                refusals.append(refusal)
            } else {
                damagedCount += 1
            }
        }
        return (refusals, damagedCount)
    }

    private func refusal(_ columns: Statement) -> Refusal? {
        guard let peer = NodeID(column: columns.bytes(0)),
            let name = try? StackName(validating: Array(columns.bytes(1))),
            let origin = NodeID(column: columns.bytes(3)),
            let code = UInt16(exactly: columns.integer(4)).flatMap(SyncError.Code.init(rawValue:))
        else { return nil }
        let stamp = Stamp(time: HybridTime(rawValue: columns.unsigned(2)), origin: origin)
        return Refusal(peer: peer, name: name, stamp: stamp, code: code)
    }

    private func checksum(_ refusal: Refusal) -> UInt64 {
        let words = [
            refusal.peer.high, refusal.peer.low, refusal.stamp.time.rawValue, refusal.stamp.origin.high,
            refusal.stamp.origin.low, UInt64(refusal.code.rawValue),
        ]
        let head = XXH64.hash(words: words, seed: seed)
        return refusal.name.bytes.withUnsafeBytes { XXH64.hash($0, seed: head) }
    }
}
