// SPDX-License-Identifier: Apache-2.0

/// What a writer expects to overwrite.
package enum Expectation: Hashable, Sendable {
    case anything
    /// No live stack of that name.
    case absent
    /// The record with this very stamp.
    case stamp(Stamp)

    static let stampTag: UInt64 = 1
    static let absentTag: UInt64 = 2

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .anything: break
        case .stamp(let stamp): bytes.appendOptionalStamp(stamp, tag: Self.stampTag)
        case .absent: bytes.appendOptionalSign(true, tag: Self.absentTag)
        }
    }

    /// Reads the optional fields of push and delete.
    init(reading reader: inout ByteReader) throws(SyncError) {
        self = .anything
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.stampTag: self = .stamp(try field.value.readStamp())
            case Self.absentTag:
                guard self == .anything else { throw .malformed("both a stamp and absence are expected") }
                self = .absent
            default: continue
            }
            try field.value.finish()
        }
    }
}

/// Client: write a stack. Answered by `acknowledge` once the record is on disk, or by `error`.
package struct Push: WireMessage {
    package static let type = MessageType.push

    package var request: RequestID
    package var name: StackName
    package var envelope: [UInt8]
    package var expected: Expectation

    package init(request: RequestID, name: StackName, envelope: [UInt8], expected: Expectation = .anything) {
        self.request = request
        self.name = name
        self.envelope = envelope
        self.expected = expected
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(name.bytes)
        bytes.appendCounted(envelope)
        expected.write(to: &bytes)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        name = try reader.readName()
        envelope = try reader.readBytes()
        expected = try Expectation(reading: &reader)
    }
}
