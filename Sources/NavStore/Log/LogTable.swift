// SPDX-License-Identifier: Apache-2.0
import NavSync

/// The change log: rows in, verified rows out.
final class LogTable {
    static let columns =
        "seq, state, source, name, time, origin, writes, base_time, base_origin, hash, mark, checksum,"
        + " envelope_checksum, envelope"

    static let columnCount = 14

    let database: Database
    private let image: RowImage
    let reader: RowReader
    private let insertion: Statement
    private let selection: Statement

    /// What an append does when its sequence is there already.
    enum Conflict: String {
        /// Fail: a sequence is used once.
        case fail = "ABORT"
        /// Keep the row that is there: it is the same one, found twice.
        case keep = "IGNORE"
    }

    init(_ database: Database, seed: UInt64, onConflict conflict: Conflict = .fail) throws(SQLiteFailure) {
        self.database = database
        image = RowImage(seed: seed)
        reader = RowReader(image: image)
        insertion = try database.prepare(
            "INSERT OR \(conflict.rawValue) INTO log (\(Self.columns))"
                + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)")
        selection = try database.prepare("SELECT \(Self.columns) FROM log WHERE seq = ?1")
    }

    /// Appends a row; `mark` is set on the last row of a commit only.
    func append(_ row: Row, mark: Mark?) throws(SQLiteFailure) {
        let record = row.record
        switch record.content {
        case .tombstone:
            try append(row, mark: mark, envelope: nil)
        case .envelope(let bytes, _):
            // Typed errors do not pass through `withUnsafeBytes`' rethrow in every compiler: carry a result instead.
            let result: Result<Void, SQLiteFailure> = bytes.withUnsafeBytes { buffer in
                do throws(SQLiteFailure) {
                    return .success(try append(row, mark: mark, envelope: buffer))
                } catch { return .failure(error) }
            }
            try result.get()
        }
    }

    private func append(_ row: Row, mark: Mark?, envelope: UnsafeRawBufferPointer?) throws(SQLiteFailure) {
        fill(row, mark: mark, envelope: envelope)
        let result: Result<Void, SQLiteFailure> = row.record.name.bytes.withUnsafeBytes { name in
            bind(name: name, envelope: envelope)
            do throws(SQLiteFailure) { return .success(try insertion.run()) } catch { return .failure(error) }
        }
        try result.get()
    }

    private func fill(_ row: Row, mark: Mark?, envelope: UnsafeRawBufferPointer?) {
        let record = row.record
        image.clear()
        image.set(RowImage.Field.sequence, row.sequence.rawValue)
        image.set(RowImage.Field.time, record.stamp.time.rawValue)
        image.set(RowImage.Field.origin, record.stamp.origin)
        image.set(RowImage.Field.writeCount, record.writeCount)
        image.setLength(RowImage.Field.nameLength, record.name.bytes.count)
        image.state = row.state.rawValue
        if let source = row.source {
            image.set(RowImage.Field.source, source)
            image.add(RowImage.Presence.source)
        }
        if let base = record.base {
            image.set(RowImage.Field.baseTime, base.time.rawValue)
            image.set(RowImage.Field.baseOrigin, base.origin)
            image.add(RowImage.Presence.base)
        }
        if let mark {
            image.set(RowImage.Field.mark, mark.rawValue)
            image.add(RowImage.Presence.mark)
        }
        if let envelope {
            image.contentHash = record.contentHash
            image.setLength(RowImage.Field.envelopeLength, envelope.count)
            image.set(RowImage.Field.envelopeChecksum, image.envelopeChecksum(of: envelope))
            image.add(RowImage.Presence.envelope)
        }
    }

    private func bind(name: UnsafeRawBufferPointer, envelope: UnsafeRawBufferPointer?) {
        insertion.bind(1, image.word(RowImage.Field.sequence))
        insertion.bind(2, Int64(image.state))
        bind(3, RowImage.Field.source, present: image.has(RowImage.Presence.source), count: NodeID.byteCount)
        insertion.bind(4, borrowing: name)
        insertion.bind(5, image.word(RowImage.Field.time))
        insertion.bind(6, borrowing: image.bytes(RowImage.Field.origin, count: NodeID.byteCount))
        insertion.bind(7, image.word(RowImage.Field.writeCount))
        let hasBase = image.has(RowImage.Presence.base)
        bindWord(8, RowImage.Field.baseTime, present: hasBase)
        bind(9, RowImage.Field.baseOrigin, present: hasBase, count: NodeID.byteCount)
        bind(10, RowImage.Field.contentHash, present: envelope != nil, count: ContentHash.byteCount)
        bindWord(11, RowImage.Field.mark, present: image.has(RowImage.Presence.mark))
        insertion.bind(12, image.checksum(name: name))
        bindWord(13, RowImage.Field.envelopeChecksum, present: envelope != nil)
        if let envelope { insertion.bind(14, borrowing: envelope) } else { insertion.bindNull(14) }
    }

    private func bind(_ index: Int32, _ field: Int, present: Bool, count: Int) {
        guard present else { return insertion.bindNull(index) }
        insertion.bind(index, borrowing: image.bytes(field, count: count))
    }

    private func bindWord(_ index: Int32, _ field: Int, present: Bool) {
        guard present else { return insertion.bindNull(index) }
        insertion.bind(index, image.word(field))
    }

    /// The row at `sequence`; nil when there is none. One that does not verify is damage.
    func read(at sequence: Sequence) throws(SQLiteFailure) -> Row? {
        guard let key = Int64(exactly: sequence.rawValue) else { return nil }
        selection.bind(1, key)
        defer { selection.reset() }
        guard try selection.step() else { return nil }
        guard let (row, _) = reader.row(selection) else { throw .damaged("row \(key) does not verify") }
        return row
    }

    /// All rows in sequence order.
    func scan() throws(SQLiteFailure) -> LogScan {
        LogScan(
            statement: try database.prepare("SELECT \(Self.columns) FROM log ORDER BY seq"),
            reader: reader)
    }

    func greatestSequence() throws(SQLiteFailure) -> Sequence {
        let greatest = try database.integer("SELECT max(seq) FROM log") ?? 0
        return Sequence(rawValue: UInt64(clamping: greatest))
    }
}

/// A walk over the log.
struct LogScan {
    let statement: Statement
    let reader: RowReader

    /// The next row; nil at the end.
    func next() throws(SQLiteFailure) -> (Row, Mark?)? {
        guard try statement.step() else { return nil }
        guard let (row, mark) = reader.row(statement) else {
            throw .damaged("row \(statement.integer(0)) does not verify")
        }
        return (row, mark)
    }
}
