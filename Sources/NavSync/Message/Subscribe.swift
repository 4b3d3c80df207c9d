// SPDX-License-Identifier: Apache-2.0

/// Where a subscription begins.
package enum SubscriptionStart: Hashable, Sendable {
    /// With the next change.
    case now
    /// With every live stack, then every change.
    case beginning
    /// Behind a cursor; a void one means the beginning.
    case cursor(Cursor)
}

/// Client: tell me of changes. Peer: send me your records. Answered by `acknowledge`, then by `records` without end.
///
/// A peer has one subscription: a new one replaces it.
package struct Subscribe: WireMessage {
    package static let type = MessageType.subscribe
    private static let cursorTag: UInt64 = 1
    private static let withoutEnvelopesTag: UInt64 = 2

    package var request: RequestID
    package var prefix: [UInt8]
    package var start: SubscriptionStart
    package var withoutEnvelopes: Bool

    package init(request: RequestID, prefix: [UInt8] = [], start: SubscriptionStart, withoutEnvelopes: Bool = false) {
        self.request = request
        self.prefix = prefix
        self.start = start
        self.withoutEnvelopes = withoutEnvelopes
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(prefix)
        bytes.appendFlag(start == .now)
        if case .cursor(let cursor) = start {
            bytes.appendVarint(Self.cursorTag)
            bytes.appendVarint(UInt64(Cursor.byteCount))
            bytes.appendCursor(cursor)
        }
        bytes.appendOptionalSign(withoutEnvelopes, tag: Self.withoutEnvelopesTag)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        prefix = try reader.readBytes()
        start = try reader.readFlag() ? .now : .beginning
        withoutEnvelopes = false
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.cursorTag:
                guard start != .now else { throw .malformed("a subscription that starts now has no cursor") }
                start = .cursor(try field.value.readCursor())
            case Self.withoutEnvelopesTag: withoutEnvelopes = true
            default: continue
            }
            try field.value.finish()
        }
    }
}

/// Client: end a subscription. Not answered; what was sent before may still arrive.
package struct Unsubscribe: WireMessage {
    package static let type = MessageType.unsubscribe

    /// The subscription's request.
    package var request: RequestID

    package init(request: RequestID) { self.request = request }

    package func writePayload(to bytes: inout [UInt8]) { bytes.appendVarint(request.rawValue) }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        try reader.skipOptionalFields()
    }
}
