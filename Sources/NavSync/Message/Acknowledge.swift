// SPDX-License-Identifier: Apache-2.0

/// What was asked for is done, and durable.
///
/// To a `push` or `delete`: the record's stamp and local sequence. To a `subscribe`: where the scan starts, the mark
/// that makes a cursor of it, and whether the cursor was void. To a peer's `records`: up to which of its sequences everything is taken, and what was
/// refused.
package struct Acknowledge: WireMessage {
    package static let type = MessageType.acknowledge
    private static let stampTag: UInt64 = 1
    private static let voidCursorTag: UInt64 = 2
    private static let refusalsTag: UInt64 = 3
    private static let markTag: UInt64 = 4

    /// A record that the acknowledging peer did not take.
    package struct Refused: Hashable, Sendable {
        package var code: UInt16
        package var sequence: Sequence
        package var name: StackName
        package var stamp: Stamp
        /// When the receiver will ask again; 0 when it never will.
        package var retryMilliseconds: UInt64

        package init(code: UInt16, sequence: Sequence, name: StackName, stamp: Stamp, retryMilliseconds: UInt64) {
            self.code = code
            self.sequence = sequence
            self.name = name
            self.stamp = stamp
            self.retryMilliseconds = retryMilliseconds
        }
    }

    package var request: RequestID
    package var sequence: Sequence
    package var stamp: Stamp?
    package var isCursorVoid: Bool
    package var refused: [Refused]
    /// The mark of the commit that holds `sequence`.
    package var mark: Mark?

    package init(
        request: RequestID, sequence: Sequence, stamp: Stamp? = nil, isCursorVoid: Bool = false,
        refused: [Refused] = [], mark: Mark? = nil
    ) {
        self.request = request
        self.sequence = sequence
        self.stamp = stamp
        self.isCursorVoid = isCursorVoid
        self.refused = refused
        self.mark = mark
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendVarint(sequence.rawValue)
        bytes.appendOptionalStamp(stamp, tag: Self.stampTag)
        bytes.appendOptionalSign(isCursorVoid, tag: Self.voidCursorTag)
        if !refused.isEmpty { writeRefused(to: &bytes) }
        guard let mark else { return }
        bytes.appendVarint(Self.markTag)
        bytes.appendVarint(8)
        bytes.appendUInt64(mark.rawValue)
    }

    private func writeRefused(to bytes: inout [UInt8]) {
        var list: [UInt8] = []
        for refusal in refused {
            list.appendVarint(UInt64(refusal.code))
            list.appendVarint(refusal.sequence.rawValue)
            list.appendCounted(refusal.name.bytes)
            list.appendStamp(refusal.stamp)
            list.appendVarint(refusal.retryMilliseconds)
        }
        bytes.appendVarint(Self.refusalsTag)
        bytes.appendCounted(list)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        sequence = Sequence(rawValue: try reader.readVarint())
        stamp = nil
        isCursorVoid = false
        refused = []
        mark = nil
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.stampTag: stamp = try field.value.readStamp()
            case Self.voidCursorTag: isCursorVoid = true
            case Self.refusalsTag:
                while field.value.remaining > 0 { refused.append(try Refused(reading: &field.value)) }
            case Self.markTag: mark = Mark(rawValue: try field.value.readUInt64())
            default: continue
            }
            try field.value.finish()
        }
    }
}

extension Acknowledge {
    /// The payload for a write that is durable now: the same bytes as `writePayload`, without a message in between.
    static func writeTaken(_ request: RequestID, _ row: Row, to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendVarint(row.sequence.rawValue)
        bytes.appendOptionalStamp(row.record.stamp, tag: stampTag)
    }
}

extension Acknowledge.Refused {
    init(reading reader: inout ByteReader) throws(SyncError) {
        let code = try reader.readVarint()
        guard let code = UInt16(exactly: code) else { throw .malformed("an error code of \(code)") }
        self.code = code
        sequence = Sequence(rawValue: try reader.readVarint())
        name = try reader.readName()
        stamp = try reader.readStamp()
        retryMilliseconds = try reader.readVarint()
    }
}
