// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Turns columns into a row, or into nothing when a checksum, a length or a value does not hold.
struct RowReader {
    let image: RowImage

    /// The row under the cursor of a statement that selects `LogTable.columns`.
    func row(_ columns: Statement) -> (row: Row, mark: Mark?)? {
        guard fill(columns) else { return nil }
        let nameBytes = columns.bytes(3)
        image.setLength(RowImage.Field.nameLength, nameBytes.count)
        guard let content = content(columns),
            image.checksum(name: nameBytes) == columns.unsigned(11),
            let state = RowState(rawValue: image.state),
            let name = try? StackName(validating: Array(nameBytes))
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

    /// Copies the fixed columns into the image; false when one has a length that no row has.
    private func fill(_ columns: Statement) -> Bool {
        let sequence = columns.integer(0)
        guard sequence > 0, let state = UInt8(exactly: columns.integer(1)) else { return false }
        image.clear()
        image.set(RowImage.Field.sequence, UInt64(sequence))
        image.state = state
        image.set(RowImage.Field.time, columns.unsigned(4))
        guard image.copy(RowImage.Field.origin, from: columns.bytes(5), count: NodeID.byteCount) else { return false }
        image.set(RowImage.Field.writeCount, columns.unsigned(6))
        if !columns.isNull(2) {
            guard image.copy(RowImage.Field.source, from: columns.bytes(2), count: NodeID.byteCount) else {
                return false
            }
            image.add(RowImage.Presence.source)
        }
        if !columns.isNull(7) {
            image.set(RowImage.Field.baseTime, columns.unsigned(7))
            guard image.copy(RowImage.Field.baseOrigin, from: columns.bytes(8), count: NodeID.byteCount) else {
                return false
            }
            image.add(RowImage.Presence.base)
        }
        if !columns.isNull(10) {
            image.set(RowImage.Field.mark, columns.unsigned(10))
            image.add(RowImage.Presence.mark)
        }
        return true
    }

    private func content(_ columns: Statement) -> Record.Content? {
        guard !columns.isNull(9) else { return columns.isNull(13) ? .tombstone : nil }
        let envelope = columns.bytes(13)
        guard image.copy(RowImage.Field.contentHash, from: columns.bytes(9), count: ContentHash.byteCount),
            image.envelopeChecksum(of: envelope) == columns.unsigned(12)
        else { return nil }
        image.set(RowImage.Field.envelopeChecksum, columns.unsigned(12))
        image.setLength(RowImage.Field.envelopeLength, envelope.count)
        image.add(RowImage.Presence.envelope)
        return .envelope(Array(envelope), image.contentHash)
    }

    private func stamp(_ time: Int, _ origin: Int) -> Stamp {
        Stamp(time: HybridTime(rawValue: image.word(time)), origin: image.node(origin))
    }
}
