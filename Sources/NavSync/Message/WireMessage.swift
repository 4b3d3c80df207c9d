// SPDX-License-Identifier: Apache-2.0

/// A message that writes and reads its own payload. The byte tables are in docs/spec/protocol.md.
package protocol WireMessage: Sendable, Hashable {
    static var type: MessageType { get }
    func writePayload(to bytes: inout [UInt8])
    /// Reads the whole payload, skipping optional fields that it does not know.
    init(reading reader: inout ByteReader) throws(SyncError)
}

extension WireMessage {
    /// Appends the message as one frame.
    package func write(to bytes: inout [UInt8]) {
        let start = bytes.beginFrame(Self.type)
        writePayload(to: &bytes)
        bytes.endFrame(at: start)
    }

    /// The message as one frame.
    package var frame: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }
}

/// Any message, for those who read whatever comes: the client, tests, tools.
package enum Message: Hashable, Sendable {
    case hello(Hello)
    case push(Push)
    case pull(Pull)
    case list(List)
    case delete(Delete)
    case subscribe(Subscribe)
    case unsubscribe(Unsubscribe)
    case records(Records)
    case acknowledge(Acknowledge)
    case ping(Ping)
    case pong(Pong)
    case error(ErrorMessage)
    case goodbye(Goodbye)
    case status(Status)
    case listing(Listing)
    case statusReport(StatusReport)
    case manage(Manage)

    /// Reads a frame's payload; a type that is not known is an `unknownMessage`.
    package init(reading frame: Frame) throws(SyncError) {
        var reader = frame.payload
        guard let type = MessageType(rawValue: frame.type) else { throw .unknownMessage(frame.type) }
        switch type {
        case .hello: self = .hello(try Hello(reading: &reader))
        case .push: self = .push(try Push(reading: &reader))
        case .pull: self = .pull(try Pull(reading: &reader))
        case .list: self = .list(try List(reading: &reader))
        case .delete: self = .delete(try Delete(reading: &reader))
        case .subscribe: self = .subscribe(try Subscribe(reading: &reader))
        case .unsubscribe: self = .unsubscribe(try Unsubscribe(reading: &reader))
        case .records: self = .records(try Records(reading: &reader))
        case .acknowledge: self = .acknowledge(try Acknowledge(reading: &reader))
        case .ping: self = .ping(try Ping(reading: &reader))
        case .pong: self = .pong(try Pong(reading: &reader))
        case .error: self = .error(try ErrorMessage(reading: &reader))
        case .goodbye: self = .goodbye(try Goodbye(reading: &reader))
        case .status: self = .status(try Status(reading: &reader))
        case .listing: self = .listing(try Listing(reading: &reader))
        case .statusReport: self = .statusReport(try StatusReport(reading: &reader))
        case .manage: self = .manage(try Manage(reading: &reader))
        }
    }

    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .hello(let message): message.write(to: &bytes)
        case .push(let message): message.write(to: &bytes)
        case .pull(let message): message.write(to: &bytes)
        case .list(let message): message.write(to: &bytes)
        case .delete(let message): message.write(to: &bytes)
        case .subscribe(let message): message.write(to: &bytes)
        case .unsubscribe(let message): message.write(to: &bytes)
        case .records(let message): message.write(to: &bytes)
        case .acknowledge(let message): message.write(to: &bytes)
        case .ping(let message): message.write(to: &bytes)
        case .pong(let message): message.write(to: &bytes)
        case .error(let message): message.write(to: &bytes)
        case .goodbye(let message): message.write(to: &bytes)
        case .status(let message): message.write(to: &bytes)
        case .listing(let message): message.write(to: &bytes)
        case .statusReport(let message): message.write(to: &bytes)
        case .manage(let message): message.write(to: &bytes)
        }
    }
}
