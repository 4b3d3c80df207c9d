// SPDX-License-Identifier: Apache-2.0

/// What both halves of a heartbeat say of their sender.
package struct Heartbeat: Hashable, Sendable {
    package var token: UInt64
    package var incarnation: Incarnation
    /// The last committed sequence.
    package var head: Sequence
    package var wallMilliseconds: UInt64
    package var isSynchronised: Bool

    package init(
        token: UInt64, incarnation: Incarnation, head: Sequence, wallMilliseconds: UInt64, isSynchronised: Bool
    ) {
        self.token = token
        self.incarnation = incarnation
        self.head = head
        self.wallMilliseconds = wallMilliseconds
        self.isSynchronised = isSynchronised
    }

    func write(to bytes: inout [UInt8]) {
        bytes.appendVarint(token)
        bytes.appendUInt64(incarnation.rawValue)
        bytes.appendVarint(head.rawValue)
        bytes.appendVarint(wallMilliseconds)
        bytes.appendFlag(isSynchronised)
    }

    init(reading reader: inout ByteReader) throws(SyncError) {
        token = try reader.readVarint()
        incarnation = Incarnation(rawValue: try reader.readUInt64())
        head = Sequence(rawValue: try reader.readVarint())
        wallMilliseconds = try reader.readVarint()
        isSynchronised = try reader.readFlag()
        try reader.skipOptionalFields()
    }
}

/// Either side: are you there? Answered by `pong` with the same token.
package struct Ping: WireMessage {
    package static let type = MessageType.ping

    package var heartbeat: Heartbeat

    package init(_ heartbeat: Heartbeat) { self.heartbeat = heartbeat }
    package func writePayload(to bytes: inout [UInt8]) { heartbeat.write(to: &bytes) }
    package init(reading reader: inout ByteReader) throws(SyncError) { heartbeat = try Heartbeat(reading: &reader) }
}

/// The answer to `ping`.
package struct Pong: WireMessage {
    package static let type = MessageType.pong

    package var heartbeat: Heartbeat

    package init(_ heartbeat: Heartbeat) { self.heartbeat = heartbeat }
    package func writePayload(to bytes: inout [UInt8]) { heartbeat.write(to: &bytes) }
    package init(reading reader: inout ByteReader) throws(SyncError) { heartbeat = try Heartbeat(reading: &reader) }
}
