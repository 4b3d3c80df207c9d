// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@Suite struct ConnectionTests {
    @Test(arguments: ["unix", "tcp4", "tcp6", "name"])
    func bytesGoBothWaysOverEveryTransport(_ transport: String) throws {
        let scratch = try Scratch()
        let loop = try EventLoop()
        let server = Party()
        let socket: BoundSocket
        switch transport {
        case "unix": socket = try .unix(path: scratch.file("x.sock"), mode: 0o660, group: nil)
        case "tcp6": socket = try .tcp(host: try #require(IPAddress("::1")), port: 0)
        default: socket = try .tcp(host: try #require(IPAddress("127.0.0.1")), port: 0)
        }
        let listener = try makeListener(loop, socket) { server.adopt($0.descriptor, loop) }
        defer { listener.close() }
        server.onBytes = { connection, bytes in connection.send(bytes.reversed()) }
        #expect(listener.address.description.hasSuffix(":0") == false)

        var target = listener.address
        if transport == "name", case .tcp(_, let port) = target { target = .tcp(host: "localhost", port: port) }
        let client = Party()
        let resolver = Resolver(loop: loop)
        let dialer = dial(loop, resolver, target) { client.adopt($0, loop)?.send([1, 2, 3]) }
        try loop.run(until: "an answer") { client.received.count == 3 }
        #expect(client.received == [3, 2, 1])
        withExtendedLifetime(dialer) {}
    }

    @Test func anyAmountArrivesInOrderThoughTheReaderIsSlow() throws {
        let (loop, near, far) = try makePair()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        for start in stride(from: 0, to: bytes.count, by: 70_001) {
            near.connection?.send(Array(bytes[start..<min(bytes.count, start + 70_001)]))
        }
        #expect(try #require(near.connection).pendingByteCount > 0)
        try loop.run(until: "all bytes") { far.received.count == bytes.count }
        #expect(far.received == bytes)
        #expect(near.drained == 1)
    }

    @Test func whoTakesNoAnswersIsNotReadFrom() throws {
        let (loop, near, far) = try makePair()
        let chunk = [UInt8](repeating: 7, count: 1 << 20)
        near.onBytes = { connection, _ in connection.send(chunk) }
        far.connection?.send([0])
        // The far side does not read: pause it by filling what it would have to write.
        let connection = try #require(near.connection)
        connection.send([UInt8](repeating: 1, count: Connection.pauseByteCount + (8 << 20)))
        var rounds = 0
        try loop.run(until: "some rounds") {
            rounds += 1
            return rounds > 1
        }
        let total = Connection.pauseByteCount + (8 << 20)
        try loop.run(until: "everything is taken") { far.received.count >= total + chunk.count }
        // It was read from only after its answers had been taken.
        #expect(near.received.count == 1)
    }

    @Test func aHalfClosedConnectionStillGetsItsAnswer() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        let loop = try EventLoop()
        let party = Party()
        party.adopt(ends[0], loop)
        party.onEnd = { connection in
            connection.send(Array("answer".utf8))
            connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 1_000_000_000)
        }
        #expect(write(ends[1], "ask", 3) == 3)
        #expect(shutdown(ends[1], Int32(SHUT_WR)) == 0)
        try loop.run(until: "the close") { party.closed == 1 }
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(read(ends[1], &buffer, 16) == 6)
        #expect(read(ends[1], &buffer, 16) == 0)
        #expect(party.received == Array("ask".utf8))
        close(ends[1])
    }

    @Test func aCloseIsHeardOfExactlyOnce() throws {
        let (loop, near, far) = try makePair()
        near.connection?.close()
        near.connection?.close()
        #expect(near.closed == 1)
        try loop.run(until: "the other side") { far.ended == 1 || far.closed == 1 }
        far.connection?.send([1])
        try loop.run(until: "the other side's close") { far.closed == 1 }
        far.connection?.close()
        far.connection?.send([1])
        #expect(far.closed == 1)
        #expect(near.failures == [])
    }

    @Test func aDeadlineEndsACloseThatNobodyReads() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        let loop = try EventLoop()
        let party = Party()
        let connection = try #require(party.adopt(ends[0], loop))
        connection.send([UInt8](repeating: 0, count: 8 << 20))
        connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 20_000_000)
        #expect(!connection.isClosed)
        try loop.run(until: "the deadline") { party.closed == 1 }
        close(ends[1])
    }

    @Test func manyShortConnectionsLeaveNoDescriptorBehind() throws {
        let scratch = try Scratch()
        let loop = try EventLoop()
        let server = Party()
        let listener = try makeListener(loop, try .unix(path: scratch.file("x.sock"), mode: 0o660, group: nil)) {
            server.adopt($0.descriptor, loop)
        }
        defer { listener.close() }
        server.onEnd = { $0.close() }
        for round in 0..<500 {
            close(try connectBlocking(scratch.file("x.sock")))
            if round % 50 == 49 {
                try loop.run(until: "all are closed") { server.closed == round + 1 }
            }
        }
        #expect(server.closed == 500)
        #expect(server.openCount == 0)
    }
}

@Suite struct DialerTests {
    @Test func aRefusedConnectionSaysToWhat() throws {
        let scratch = try Scratch()
        let loop = try EventLoop()
        var failure: PosixError?
        let dialer = Dialer(
            loop: loop, resolver: Resolver(loop: loop), address: .unix(path: scratch.file("none")), deadline: .max,
            rule: { _ in nil },
            completion: { if case .failure(let error) = $0 { failure = error } })
        try loop.run(until: "the failure") { failure != nil }
        #expect(failure?.errno == ENOENT)
        #expect(failure?.operation == "connect to unix:\(scratch.file("none"))")
        withExtendedLifetime(dialer) {}
    }

    @Test func aFullBacklogFailsInsteadOfBlocking() throws {
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        let socket = try BoundSocket.unix(path: path, mode: 0o660, group: nil)
        defer { close(socket.descriptor) }
        #expect(listen(socket.descriptor, 0) == 0)
        let filler = try connectBlocking(path)
        defer { close(filler) }
        let loop = try EventLoop()
        var failure: PosixError?
        let dialer = Dialer(
            loop: loop, resolver: Resolver(loop: loop), address: .unix(path: path),
            deadline: SystemClock.monotonicNanoseconds() + 50_000_000, rule: { _ in nil },
            completion: { if case .failure(let error) = $0 { failure = error } })
        try loop.run(until: "the failure") { failure != nil }
        #expect(failure?.errno == EAGAIN)
        withExtendedLifetime(dialer) {}
    }

    @Test func aDeadlineEndsADialIntoABlackHole() throws {
        let loop = try EventLoop()
        let socket = try BoundSocket.tcp(host: try #require(IPAddress("127.0.0.1")), port: 0)
        defer { close(socket.descriptor) }
        #expect(listen(socket.descriptor, 0) == 0)
        // The first connections fill the queue of the listener; then the kernel stays silent.
        var outcomes: [Result<Int32, PosixError>] = []
        let dialers = (0..<6).map { _ in
            Dialer(
                loop: loop, resolver: Resolver(loop: loop), address: socket.address,
                deadline: SystemClock.monotonicNanoseconds() + 80_000_000, rule: { _ in nil },
                completion: { outcomes.append($0) })
        }
        try loop.run(until: "all outcomes") { outcomes.count == dialers.count }
        var timeouts = 0
        for outcome in outcomes {
            switch outcome {
            case .success(let descriptor): close(descriptor)
            case .failure(let error): timeouts += error.errno == ETIMEDOUT ? 1 : 0
            }
        }
        #expect(timeouts > 0)
    }

    @Test func aResolvedAddressThatTheRuleForbidsIsNotDialled() throws {
        let loop = try EventLoop()
        var failure: PosixError?
        let dialer = Dialer(
            loop: loop, resolver: Resolver(loop: loop), address: .tcp(host: "localhost", port: 1), deadline: .max,
            rule: { _ in "not today" },
            completion: { if case .failure(let error) = $0 { failure = error } })
        try loop.run(until: "the failure") { failure != nil }
        #expect(failure?.errno == EACCES)
        #expect(failure?.hint == "not today")
        withExtendedLifetime(dialer) {}
    }
}

/// One side of a conversation: notes what it hears.
final class Party: ConnectionOwner {
    var connection: Connection?
    var received: [UInt8] = []
    var drained = 0
    var ended = 0
    var closed = 0
    var openCount = 0
    var plain = 0
    var secured = 0
    var onSecured: (Connection) -> Void = { _ in }
    var failures: [PosixError] = []
    var onBytes: (Connection, [UInt8]) -> Void = { _, _ in }
    var onEnd: (Connection) -> Void = { _ in }

    @discardableResult
    func adopt(_ descriptor: Int32, _ loop: EventLoop) -> Connection? {
        connection = try? Connection(loop: loop, descriptor: descriptor, token: 1, owner: self)
        openCount += 1
        return connection
    }

    func connectionIsPlain(_ connection: Connection) { plain += 1 }

    func connectionSecured(_ connection: Connection, _ endpoint: TLSEndpoint) {
        secured += 1
        onSecured(connection)
    }

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        received.append(contentsOf: bytes)
        onBytes(connection, Array(bytes))
    }

    func connectionInputEnded(_ connection: Connection) {
        ended += 1
        onEnd(connection)
    }

    func connectionDrained(_ connection: Connection) { drained += 1 }

    func connectionClosed(_ connection: Connection, _ failure: PosixError?) {
        closed += 1
        openCount -= 1
        if let failure { failures.append(failure) }
    }
}

func makePair() throws -> (EventLoop, Party, Party) {
    var ends: [Int32] = [0, 0]
    let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(flags), 0, &ends) == 0 else { throw PosixError.last("make a pair") }
    let loop = try EventLoop()
    let near = Party()
    let far = Party()
    near.adopt(ends[0], loop)
    far.adopt(ends[1], loop)
    return (loop, near, far)
}

func dial(
    _ loop: EventLoop, _ resolver: Resolver, _ address: SocketAddress, _ connected: @escaping (Int32) -> Void
) -> Dialer {
    Dialer(
        loop: loop, resolver: resolver, address: address,
        deadline: SystemClock.monotonicNanoseconds() + 5_000_000_000, rule: { _ in nil },
        completion: { result in
            switch result {
            case .success(let descriptor): connected(descriptor)
            case .failure(let error): Issue.record("\(error)")
            }
        })
}
