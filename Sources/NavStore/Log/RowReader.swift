// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Turns columns into a row, or into nothing when a checksum, a length or a value does not hold.
struct RowReader {
    let image: RowImage

    /// The row in columns that stand in the order of `LogTable.columns`.
    func row(_ columns: some RowColumns) -> (row: Row, mark: Mark?)? {
        guard fill(columns), let content = content(columns), let name = name(columns),
            let state = RowState(rawValue: image.state)
        else { return nil }
        let record = Record(
            name: name,
            stamp: stamp(RowImage.Field.time, RowImage.Field.origin),
            writeCount: image.word(RowImage.Field.writeCount),
            base: image.has(RowImage.Presence.base)
                ? stamp(RowImage.Field.baseTime, RowImage.Field.baseOrigin) : nil,
            content: content)
        let row = Row(
            sequence: Sequence(rawValue: image.word(RowImage.Field.sequence)), state: state,
            source: image.has(RowImage.Presence.source) ? image.node(RowImage.Field.source) : nil, record: record)
        let mark = image.has(RowImage.Presence.mark) ? Mark(rawValue: image.word(RowImage.Field.mark)) : nil
        return (row, mark)
    }

    /// The row without its envelope, which is verified where it lies: nothing is copied but the name.
    func summary(_ columns: some RowColumns) -> LogRowSummary? {
        guard fill(columns), let content = contentByteCount(columns), let name = name(columns),
            let state = RowState(rawValue: image.state)
        else { return nil }
        let isTombstone = !image.has(RowImage.Presence.envelope)
        return LogRowSummary(
            sequence: Sequence(rawValue: image.word(RowImage.Field.sequence)), state: state, name: name,
            stamp: stamp(RowImage.Field.time, RowImage.Field.origin),
            writeCount: image.word(RowImage.Field.writeCount),
            contentHash: isTombstone ? .zero : image.contentHash, isTombstone: isTombstone, byteCount: content,
            mark: image.has(RowImage.Presence.mark) ? Mark(rawValue: image.word(RowImage.Field.mark)) : nil)
    }

    /// Copies the fixed columns into the image; false when one has a length that no row has.
    private func fill(_ columns: some RowColumns) -> Bool {
        let sequence = columns.integer(0)
        guard sequence > 0, let state = UInt8(exactly: columns.integer(1)) else { return false }
        image.clear()
        image.set(RowImage.Field.sequence, UInt64(sequence))
        image.state = state
        image.set(RowImage.Field.time, columns.unsigned(4))
        guard copyNode(columns, 5, RowImage.Field.origin) else { return false }
        image.set(RowImage.Field.writeCount, columns.unsigned(6))
        if !columns.isNull(2) {
            guard copyNode(columns, 2, RowImage.Field.source) else { return false }
            image.add(RowImage.Presence.source)
        }
        if !columns.isNull(7) {
            image.set(RowImage.Field.baseTime, columns.unsigned(7))
            guard copyNode(columns, 8, RowImage.Field.baseOrigin) else { return false }
            image.add(RowImage.Presence.base)
        }
        if !columns.isNull(10) {
            image.set(RowImage.Field.mark, columns.unsigned(10))
            image.add(RowImage.Presence.mark)
        }
        return true
    }

    private func copyNode(_ columns: some RowColumns, _ column: Int32, _ field: Int) -> Bool {
        columns.withBytes(column) { image.copy(field, from: $0, count: NodeID.byteCount) }
    }

    private func content(_ columns: some RowColumns) -> Record.Content? {
        guard contentByteCount(columns) != nil else { return nil }
        guard image.has(RowImage.Presence.envelope) else { return .tombstone }
        return columns.withBytes(13) { .envelope(Array($0), image.contentHash) }
    }

    /// The bytes of the envelope, 0 for a removal, once it is verified and in the image.
    private func contentByteCount(_ columns: some RowColumns) -> Int? {
        guard !columns.isNull(9) else { return columns.isNull(13) ? 0 : nil }
        let hashFits = columns.withBytes(9) {
            image.copy(RowImage.Field.contentHash, from: $0, count: ContentHash.byteCount)
        }
        guard hashFits, !columns.isNull(13) else { return nil }
        let byteCount: Int? = columns.withBytes(13) { bytes in
            let checksum = image.envelopeChecksum(of: bytes)
            guard checksum == columns.unsigned(12) else { return nil }
            image.set(RowImage.Field.envelopeChecksum, checksum)
            image.setLength(RowImage.Field.envelopeLength, bytes.count)
            return bytes.count
        }
        image.add(RowImage.Presence.envelope)
        return byteCount
    }

    /// The name, once everything before it is in the image: it is what the row's checksum ends with.
    private func name(_ columns: some RowColumns) -> StackName? {
        columns.withBytes(3) { bytes in
            image.setLength(RowImage.Field.nameLength, bytes.count)
            guard image.checksum(name: bytes) == columns.unsigned(11) else { return nil }
            return try? StackName(validating: Array(bytes))
        }
    }

    private func stamp(_ time: Int, _ origin: Int) -> Stamp {
        Stamp(time: HybridTime(rawValue: image.word(time)), origin: image.node(origin))
    }
}
