// SPDX-License-Identifier: Apache-2.0

/// The answer to `list`.
package struct Listing: WireMessage {
    package static let type = MessageType.listing

    package struct Item: Hashable, Sendable {
        package var name: StackName
        package var stamp: Stamp
        package var sequence: Sequence
        /// Bytes of the envelope.
        package var envelopeByteCount: Int

        package init(name: StackName, stamp: Stamp, sequence: Sequence, envelopeByteCount: Int) {
            self.name = name
            self.stamp = stamp
            self.sequence = sequence
            self.envelopeByteCount = envelopeByteCount
        }
    }

    package var request: RequestID
    package var items: [Item]
    /// Ask again with `after` set to the last name.
    package var hasMore: Bool

    package init(request: RequestID, items: [Item], hasMore: Bool) {
        self.request = request
        self.items = items
        self.hasMore = hasMore
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendFlag(hasMore)
        bytes.appendVarint(UInt64(items.count))
        for item in items {
            bytes.appendCounted(item.name.bytes)
            bytes.appendStamp(item.stamp)
            bytes.appendVarint(item.sequence.rawValue)
            bytes.appendVarint(UInt64(item.envelopeByteCount))
        }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        hasMore = try reader.readFlag()
        items = []
        for _ in 0..<(try reader.readCount()) {
            items.append(
                Item(
                    name: try reader.readName(), stamp: try reader.readStamp(),
                    sequence: Sequence(rawValue: try reader.readVarint()),
                    envelopeByteCount: Int(clamping: try reader.readVarint())))
        }
        try reader.skipOptionalFields()
    }
}
