// SPDX-License-Identifier: Apache-2.0
import NavSync

extension LogTable {
    /// One look for the rows of a stack, newest first. Nothing on disk is ordered by name, since keeping such an order
    /// would cost every write more than a rare question does. Of rows of other stacks only the name is read; those that are
    /// found are verified, and one that does not verify is damage.
    func versions(_ search: VersionSearch) throws(SQLiteFailure) -> VersionPage {
        let names = try database.prepare("SELECT seq, name = ?1 FROM log WHERE seq < ?2 ORDER BY seq DESC")
        names.bind(1, copying: search.name.bytes)
        names.bind(2, Int64(clamping: search.before.rawValue))
        let rows = try database.prepare("SELECT \(Self.columns) FROM log WHERE seq = ?1")
        var page = VersionPage(search)
        while try names.step() {
            guard !page.isFull() else { break }
            let sequence = Sequence(rawValue: names.unsigned(0))
            page.look(at: sequence, names.integer(1) == 1 ? try version(at: sequence, rows) : nil)
        }
        return page
    }

    private func version(at sequence: Sequence, _ rows: Statement) throws(SQLiteFailure) -> KeptVersion? {
        rows.bind(1, sequence.rawValue)
        defer { rows.reset() }
        guard try rows.step(), let row = reader.summary(rows) else {
            throw .damaged("row \(sequence.rawValue) does not verify")
        }
        return KeptVersion(
            sequence: sequence, state: row.state, stamp: row.stamp, envelopeByteCount: row.byteCount)
    }
}
