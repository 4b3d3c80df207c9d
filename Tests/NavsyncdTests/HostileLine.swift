// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

@testable import navsyncd

/// One end of a connection to a daemon that does whatever the test wants. Blocking; gives up after five seconds.
final class HostileLine {
    private var descriptor: Int32
    private var endpoint: TLSEndpoint?
    private var cutter = FrameCutter()
    /// Plain bytes that were received and not looked at.
    private(set) var plain: [UInt8] = []
    private(set) var failure: TLSError?
    /// The daemon closed the connection.
    private(set) var isClosed = false

    init(_ address: String) throws {
        switch try SocketAddress(parsing: address) {
        case .tcp(_, let port): descriptor = try Self.connect(port: port)
        case .unix(let path): descriptor = try connectRaw(path)
        }
        var deadline = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Whether nobody listens at a TCP address.
    static func isRefused(_ address: SocketAddress) throws -> Bool {
        do {
            _ = try HostileLine("\(address)")
            return false
        } catch let failure as PosixError where failure.errno == ECONNREFUSED {
            return true
        }
    }

    /// A connection to a port of 127.0.0.1.
    private static func connect(port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let failure = PosixError.last("connect to port \(port)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends the connection without a word: over TCP the other end is told that it is no more.
    func reset() {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
        descriptor = -1
    }

    /// A connection that has shaken hands with this key, as far as this end can tell.
    static func secured(
        _ address: String, _ key: TLSKey, _ purpose: TLSPurpose = .sync
    ) throws -> HostileLine {
        let line = try HostileLine(address)
        let context = try TLSContext(key: key)
        let endpoint = try TLSEndpoint(context: context, role: .dialling(purpose)) { _, _ in nil }
        line.endpoint = endpoint
        try endpoint.start()
        line.sendRaw(endpoint.takeOutput())
        while !endpoint.isReady, !line.isClosed, line.failure == nil { line.readOnce() }
        return line
    }

    /// A connection on which hello was exchanged as `key`'s node, or as another one.
    static func greeted(
        _ address: String, _ identity: IdentityKey, as node: NodeID? = nil, startCounter: UInt64 = 1, nonce: UInt64 = 77
    ) throws -> HostileLine {
        let line = try secured(address, .issue(by: identity, generation: 1))
        let own = NodeID(bytes: identity.nodeID)
        var hello = hello(node ?? own ?? NodeID(high: 0, low: 0))
        hello.startCounter = startCounter
        hello.nonce = nonce
        line.send(hello.frame)
        return line
    }

    static func hello(_ node: NodeID) -> Hello {
        Hello(
            role: .peer, node: node, incarnation: Incarnation(rawValue: 5), startCounter: 1, nonce: 77,
            wallMilliseconds: SystemClock.wallMilliseconds(), isSynchronised: true, floor: .zero, software: "hostile",
            grants: Grants(.all))
    }

    var tls: TLSEndpoint? { endpoint }

    /// False when the daemon took less within five seconds, or has closed.
    @discardableResult
    func sendRaw(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard let endpoint else { return sendRaw(bytes) }
        do throws(TLSError) { try endpoint.send(bytes) } catch { failure = failure ?? error }
        return sendRaw(endpoint.takeOutput())
    }

    private func readOnce() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            isClosed = true
            return
        }
        guard let endpoint else {
            plain += buffer[..<count]
            return
        }
        do throws(TLSError) { plain += try endpoint.receive(Array(buffer[..<count])) } catch {
            failure = failure ?? error
        }
        sendRaw(endpoint.takeOutput())
    }

    /// Reads until the daemon closes or `isEnough`.
    func read(until isEnough: (HostileLine) -> Bool) throws {
        let deadline = SystemClock.monotonicNanoseconds() + 10_000_000_000
        while !isClosed, !isEnough(self) {
            guard SystemClock.monotonicNanoseconds() < deadline else { throw TimedOut(what: "an answer") }
            readOnce()
        }
    }

    /// Everything that the daemon says before it closes.
    func messagesUntilClosed() throws -> [Message] {
        try read { _ in false }
        return takeMessages()
    }

    /// The next message of a kind; nil when the daemon closed first.
    func message<Found>(_ pick: (Message) -> Found?) throws -> Found? {
        let deadline = SystemClock.monotonicNanoseconds() + 10_000_000_000
        while SystemClock.monotonicNanoseconds() < deadline {
            for message in takeMessages() { if let found = pick(message) { return found } }
            if isClosed { return nil }
            readOnce()
        }
        throw TimedOut(what: "a message")
    }

    func takeMessages() -> [Message] {
        cutter.append(plain[...])
        plain = []
        var messages: [Message] = []
        while let frame = try? cutter.next(limit: 2 << 20) {
            if let message = try? Message(reading: frame) { messages.append(message) }
        }
        return messages
    }
}
