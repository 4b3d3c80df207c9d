// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavSync
import Testing

/// A bare connection to a daemon: sends any bytes, reads messages. For what no client would do.
final class RawLine {
    private let descriptor: Int32
    private var cutter = FrameCutter()

    init(_ daemon: Daemon) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: daemon.socket.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard code == 0 else { throw HarnessError("cannot connect to \(daemon.socket)") }
    }

    deinit { close(descriptor) }

    /// Connects and exchanges hellos.
    static func greeted(_ daemon: Daemon) throws -> RawLine {
        let line = try RawLine(daemon)
        line.send(Hello.client(software: "test").frame)
        guard case .hello? = try line.receive() else { throw HarnessError("no hello") }
        return line
    }

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// The next message; nil when the daemon closed the connection.
    func receive(within seconds: Double = 10) throws -> Message? {
        let end = Wait.now() + seconds
        while true {
            if let frame = try cutter.next(limit: 2 << 20) { return try Message(reading: frame) }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(max(0, end - Wait.now()) * 1_000)) > 0 else {
                throw HarnessError("no message and no end within \(seconds) s")
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            cutter.append(piece[..<count])
        }
    }

    /// Reads until the daemon closes; what it said on the way.
    func messagesUntilClosed() throws -> [Message] {
        var messages: [Message] = []
        while let message = try receive() { messages.append(message) }
        return messages
    }
}
