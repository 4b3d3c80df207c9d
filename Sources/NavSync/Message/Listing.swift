// SPDX-License-Identifier: Apache-2.0

/// The answer to `list`: names of live stacks, or versions of one stack.
package struct Listing: WireMessage {
    package static let type = MessageType.listing
    private static let historyTag: UInt64 = 1
    private static let losersTag: UInt64 = 2

    package struct Item: Hashable, Sendable {
        package var name: StackName
        package var stamp: Stamp
        package var sequence: Sequence
        /// Bytes of the envelope; 0 for a version that is a removal.
        package var envelopeByteCount: Int

        package init(name: StackName, stamp: Stamp, sequence: Sequence, envelopeByteCount: Int) {
            self.name = name
            self.stamp = stamp
            self.sequence = sequence
            self.envelopeByteCount = envelopeByteCount
        }
    }

    /// What is said beside the versions of a stack.
    package struct History: Hashable, Sendable {
        /// How far down the log was looked at: ask again with `before` set to it.
        package var through: Sequence
        /// The live version when it was asked.
        package var live: Sequence
        package var liveStamp: Stamp
        /// The versions that lost their merge when they came: a greater stamp was there.
        package var losers: [Sequence]

        package init(through: Sequence, live: Sequence, liveStamp: Stamp, losers: [Sequence] = []) {
            self.through = through
            self.live = live
            self.liveStamp = liveStamp
            self.losers = losers
        }
    }

    package var request: RequestID
    package var items: [Item]
    /// Ask again, with `after` set to the last name or with `before`.
    package var hasMore: Bool
    /// The items are versions of one stack. Nil for names; a daemon that knows of no versions answers so.
    package var history: History?

    package init(request: RequestID, items: [Item], hasMore: Bool, history: History? = nil) {
        self.request = request
        self.items = items
        self.hasMore = hasMore
        self.history = history
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
        guard let history else { return }
        bytes.appendOptional(tag: Self.historyTag) {
            $0.appendVarint(history.through.rawValue)
            $0.appendVarint(history.live.rawValue)
            $0.appendStamp(history.liveStamp)
        }
        guard !history.losers.isEmpty else { return }
        bytes.appendOptional(tag: Self.losersTag) { for loser in history.losers { $0.appendVarint(loser.rawValue) } }
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
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.historyTag: history = try History(reading: &field.value)
            case Self.losersTag:
                guard history != nil else { throw .malformed("losers without a history") }
                while field.value.remaining > 0 {
                    history?.losers.append(Sequence(rawValue: try field.value.readVarint()))
                }
            default: continue
            }
            try field.value.finish()
        }
    }
}

extension Listing.History {
    fileprivate init(reading reader: inout ByteReader) throws(SyncError) {
        through = Sequence(rawValue: try reader.readVarint())
        live = Sequence(rawValue: try reader.readVarint())
        liveStamp = try reader.readStamp()
        losers = []
    }
}
