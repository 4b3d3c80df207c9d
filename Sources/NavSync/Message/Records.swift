// SPDX-License-Identifier: Apache-2.0

/// One record on the wire. It carries no hash of its content: who receives an envelope computes it.
package struct WireRecord: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case tombstone
        case envelope([UInt8])
        /// An envelope of so many bytes that was not asked for.
        case omitted(byteCount: Int)
    }

    /// The sender's sequence of the record.
    package var sequence: Sequence
    package var name: StackName
    package var stamp: Stamp
    package var writeCount: UInt64
    package var base: Stamp?
    package var content: Content

    package init(
        sequence: Sequence, name: StackName, stamp: Stamp, writeCount: UInt64, base: Stamp?, content: Content
    ) {
        self.sequence = sequence
        self.name = name
        self.stamp = stamp
        self.writeCount = writeCount
        self.base = base
        self.content = content
    }

    package var isTombstone: Bool { content == .tombstone }

    // The first byte of a record: content in the low bits, then whether there is a base.
    static let tombstoneKind: UInt8 = 0
    static let envelopeKind: UInt8 = 1
    static let omittedKind: UInt8 = 2
    static let baseBit: UInt8 = 0x10

    package func write(to bytes: inout [UInt8]) {
        let kind =
            switch content {
            case .tombstone: Self.tombstoneKind
            case .envelope: Self.envelopeKind
            case .omitted: Self.omittedKind
            }
        bytes.append(kind | (base == nil ? 0 : Self.baseBit))
        bytes.appendVarint(sequence.rawValue)
        bytes.appendCounted(name.bytes)
        bytes.appendStamp(stamp)
        bytes.appendVarint(writeCount)
        if let base { bytes.appendStamp(base) }
        switch content {
        case .tombstone: break
        case .envelope(let envelope): bytes.appendCounted(envelope)
        case .omitted(let byteCount): bytes.appendVarint(UInt64(byteCount))
        }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        let kind = try reader.readByte()
        sequence = Sequence(rawValue: try reader.readVarint())
        name = try reader.readName()
        stamp = try reader.readStamp()
        writeCount = try reader.readVarint()
        base = kind & Self.baseBit == 0 ? nil : try reader.readStamp()
        switch kind & ~Self.baseBit {
        case Self.tombstoneKind: content = .tombstone
        case Self.envelopeKind: content = .envelope(try reader.readBytes())
        case Self.omittedKind: content = .omitted(byteCount: Int(clamping: try reader.readVarint()))
        default: throw .malformed("a record of kind \(kind)")
        }
    }
}

/// Records of a subscription, or the one record of a `pull`.
package struct Records: WireMessage {
    package static let type = MessageType.records

    package var request: RequestID
    /// Every change up to here that the subscription covers was sent.
    package var through: Sequence
    /// The mark of the commit that holds `through`.
    package var mark: Mark
    package var items: [WireRecord]

    package init(request: RequestID, through: Sequence, mark: Mark, items: [WireRecord]) {
        self.request = request
        self.through = through
        self.mark = mark
        self.items = items
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendUInt64(through.rawValue)
        bytes.appendUInt64(mark.rawValue)
        for item in items { item.write(to: &bytes) }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        through = Sequence(rawValue: try reader.readUInt64())
        mark = Mark(rawValue: try reader.readUInt64())
        items = []
        while reader.remaining > 0 { items.append(try WireRecord(reading: &reader)) }
    }
}
