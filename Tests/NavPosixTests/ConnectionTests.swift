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
        let (loop, near, farEnd) = try makeOpenPair()
        defer { close(farEnd) }
        let connection = try #require(near.connection)
        var pendingWhenRead: [Int] = []
        near.onBytes = { connection, _ in pendingWhenRead.append(connection.pendingByteCount) }
        connection.send([UInt8](repeating: 1, count: Connection.pauseByteCount + (8 << 20)))
        #expect(connection.pendingByteCount > Connection.pauseByteCount)
        #expect(write(farEnd, "ask", 3) == 3)
        try loop.runRoundsOfOthers()
        #expect(near.received.isEmpty)

        // Less than the pause is not little enough: the other side must have caught up with most of it.
        try takeBytes(farEnd, loop) { connection.pendingByteCount < Connection.pauseByteCount }
        #expect(connection.pendingByteCount > Connection.resumeByteCount)
        try loop.runRoundsOfOthers()
        #expect(near.received.isEmpty)

        try takeBytes(farEnd, loop) { !near.received.isEmpty }
        #expect(near.received == Array("ask".utf8))
        #expect(pendingWhenRead.allSatisfy { $0 <= Connection.resumeByteCount })
    }

    @Test func whoIsHeldIsNotReadFromUntilItIsLetGo() throws {
        let (loop, near, farEnd) = try makeOpenPair()
        defer { close(farEnd) }
        near.connection?.holdReading(true)
        #expect(write(farEnd, "ask", 3) == 3)
        try loop.runRoundsOfOthers()
        #expect(near.received.isEmpty)
        near.connection?.holdReading(false)
        try loop.run(until: "the bytes") { near.received.count == 3 }
    }

    /// Reads what the socket has, bit by bit, until `isEnough`.
    private func takeBytes(_ descriptor: Int32, _ loop: EventLoop, until isEnough: @escaping () -> Bool) throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        try loop.run(until: "enough bytes") {
            if !isEnough() { _ = read(descriptor, &buffer, buffer.count) }
            loop.runAgain()
            return isEnough()
        }
    }

    @Test func aHalfClosedConnectionStillGetsItsAnswer() throws {
        let (loop, party, farEnd) = try makeOpenPair()
        defer { close(farEnd) }
        party.onEnd = { connection in
            connection.send(Array("answer".utf8))
            connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 1_000_000_000)
        }
        #expect(write(farEnd, "ask", 3) == 3)
        #expect(shutdown(farEnd, Int32(SHUT_WR)) == 0)
        try loop.run(until: "the close") { party.closed == 1 }
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(read(farEnd, &buffer, 16) == 6)
        #expect(read(farEnd, &buffer, 16) == 0)
        #expect(party.received == Array("ask".utf8))
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
        let (loop, party, farEnd) = try makeOpenPair()
        defer { close(farEnd) }
        let connection = try #require(party.connection)
        connection.send([UInt8](repeating: 0, count: 8 << 20))
        connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 20_000_000)
        #expect(!connection.isClosed)
        try loop.run(until: "the deadline") { party.closed == 1 }
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

    /// Whoever asks for a dial may hold the dialler and be held by what is called when it ends.
    @Test(arguments: [true, false]) func aDialThatIsOverHoldsNobody(_ isCancelled: Bool) throws {
        final class Caller { var dialer: Dialer? }
        let scratch = try Scratch()
        let loop = try EventLoop()
        var caller: Caller? = Caller()
        weak let watched = caller
        var isOver = false
        caller?.dialer = Dialer(
            loop: loop, resolver: Resolver(loop: loop), address: .unix(path: scratch.file("none")), deadline: .max,
            rule: { _ in nil },
            completion: { [caller] _ in
                isOver = true
                withExtendedLifetime(caller) {}
            })
        if isCancelled { caller?.dialer?.cancel() } else { try loop.run(until: "the failure") { isOver } }
        caller = nil
        #expect(watched == nil)
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

/// Two non-blocking descriptors of one connection.
func makeSocketPair() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(flags), 0, &ends) == 0 else { throw PosixError.last("make a pair") }
    return ends
}

func makePair() throws -> (EventLoop, Party, Party) {
    let ends = try makeSocketPair()
    let loop = try EventLoop()
    let near = Party()
    let far = Party()
    near.adopt(ends[0], loop)
    far.adopt(ends[1], loop)
    return (loop, near, far)
}

/// A connection and the bare, non-blocking descriptor of its other end.
func makeOpenPair() throws -> (EventLoop, Party, Int32) {
    let ends = try makeSocketPair()
    let loop = try EventLoop()
    let near = Party()
    near.adopt(ends[0], loop)
    return (loop, near, ends[1])
}

extension EventLoop {
    /// Lets two other connections of the loop talk for a hundred rounds: whatever else was ready has been heard of then.
    func runRoundsOfOthers() throws {
        let parties = try makeSocketPair().map { end in
            let party = Party()
            party.adopt(end, self)
            party.onBytes = { connection, bytes in connection.send(bytes) }
            return party
        }
        parties[0].connection?.send([1])
        try run(until: "a hundred rounds") { parties[1].received.count >= 100 }
        for party in parties { party.connection?.close() }
    }
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
