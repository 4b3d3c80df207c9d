// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

/// Many reasons may end a connection in one round. It ends once, and nothing of it acts afterwards.
@Suite struct ConnectionEndTests {
    /// Bytes that begin like TLS and are none.
    static let badTLS: [UInt8] = [22, 3, 1, 0, 5] + Array("hello".utf8)

    @Test(arguments: [2, 3, 7, 40]) func peersThatResetAfterBadTLSEndOneByOne(_ count: Int) throws {
        let loop = try EventLoop()
        let node = try TLSNode()
        let crowd = Crowd(loop)
        for _ in 0..<count {
            let far = try crowd.connect { connection in
                connection.secureIfOffered { () throws(TLSError) in
                    try TLSEndpoint(context: node.context, role: .accepting, admission: node.pin)
                }
            }
            #expect(write(far, Self.badTLS, Self.badTLS.count) == Self.badTLS.count)
            close(far)
        }
        try loop.run(until: "the end of all") { crowd.closes.count == count }
        try crowd.expectAllForgotten()
        #expect(crowd.failures.count == count && crowd.failures.allSatisfy { $0.errno == EPROTO })
    }

    @Test func aWriteThatFailsWhileTheCloseWaitsEndsTheConnectionAtOnce() throws {
        let loop = try EventLoop()
        let crowd = Crowd(loop)
        for _ in 0..<3 {
            let far = try crowd.connect { $0.send([UInt8](repeating: 0, count: 8 << 20)) }
            crowd.connections.values.forEach { $0.closeAfterFlush(deadline: .max) }
            close(far)
        }
        try loop.run(until: "the end of all") { crowd.closes.count == 3 }
        try crowd.expectAllForgotten()
    }

    @Test func nothingIsSentAfterAFailure() throws {
        let loop = try EventLoop()
        let crowd = Crowd(loop)
        for _ in 0..<3 {
            let far = try crowd.connect { _ in }
            close(far)
        }
        for connection in crowd.connections.values {
            for _ in 0..<4 { connection.send([1]) }
            connection.closeAfterFlush(deadline: .max)
        }
        try loop.run(until: "the end of all") { crowd.closes.count == 3 }
        try crowd.expectAllForgotten()
        #expect(crowd.failures.map(\.errno) == [EPIPE, EPIPE, EPIPE])
    }

    /// What owner and peer do, in any order and all in a few rounds, on plain and secure connections.
    @Test(arguments: 0..<40) func whateverHappensEachConnectionEndsOnceAndIsForgotten(_ seed: UInt64) throws {
        var random = Lehmer(seed: seed)
        let loop = try EventLoop()
        let node = try TLSNode()
        let crowd = Crowd(loop)
        var farEnds: [Int32] = []
        for _ in 0..<8 {
            farEnds.append(
                try crowd.connect { connection in
                    guard random.below(2) == 0 else { return }
                    connection.secureIfOffered { () throws(TLSError) in
                        try TLSEndpoint(context: node.context, role: .accepting, admission: node.pin)
                    }
                })
        }
        crowd.onEvent = { connection in Self.act(on: connection, &random) }
        var rounds = 0
        try loop.run(until: "the end of all (seed \(seed))") {
            rounds += 1
            for place in farEnds.indices where farEnds[place] >= 0 {
                if random.below(2) == 0 { _ = send(farEnds[place], Self.badTLS, 10, Int32(MSG_NOSIGNAL)) }
                guard random.below(4) == 0 || rounds > 50 else { continue }
                close(farEnds[place])
                farEnds[place] = -1
            }
            for connection in crowd.connections.values { Self.act(on: connection, &random) }
            if rounds > 50 { for connection in crowd.connections.values { connection.close() } }
            loop.runAgain()
            return crowd.closes.count == 8 && rounds > 52
        }
        try crowd.expectAllForgotten()
    }

    private static func act(on connection: Connection, _ random: inout Lehmer) {
        switch random.below(12) {
        case 0...3: connection.send([1, 2, 3])
        case 4: connection.send([UInt8](repeating: 0, count: 1 << 20))
        case 5: connection.holdReading(true)
        case 6: connection.holdReading(false)
        case 7: connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 100_000)
        case 8: if random.below(4) == 0 { connection.close() }
        default: break
        }
    }
}

/// Connections that are let go when they say that they are closed, as a daemon lets them go.
private final class Crowd: ConnectionOwner {
    private let loop: EventLoop
    var connections: [UInt64: Connection] = [:]
    var closes: [UInt64] = []
    var failures: [PosixError] = []
    var onEvent: (Connection) -> Void = { _ in }
    private var watched: [Weak] = []

    private struct Weak { weak var connection: Connection? }

    init(_ loop: EventLoop) { self.loop = loop }

    /// A connection of which the other end is returned.
    func connect(_ prepare: (Connection) -> Void) throws -> Int32 {
        let ends = try makeSocketPair()
        let token = UInt64(watched.count)
        let connection = try Connection(loop: loop, descriptor: ends[0], token: token, owner: self)
        connections[token] = connection
        watched.append(Weak(connection: connection))
        prepare(connection)
        return ends[1]
    }

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) { onEvent(connection) }

    func connectionInputEnded(_ connection: Connection) {
        onEvent(connection)
        connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 1_000_000)
    }

    func connectionDrained(_ connection: Connection) { onEvent(connection) }

    func connectionClosed(_ connection: Connection, _ failure: PosixError?) {
        closes.append(connection.token)
        connections[connection.token] = nil
        if let failure { failures.append(failure) }
    }

    /// Runs the loop until every timer that could still act has come due: each connection was closed once, and nothing
    /// holds it.
    func expectAllForgotten() throws {
        var isOver = false
        let end = loop.makeTimer { isOver = true }
        end.arm(at: SystemClock.monotonicNanoseconds() + 2_000_000)
        try loop.run(until: "the last timers") { isOver }
        #expect(closes.sorted() == Array(0..<UInt64(watched.count)))
        #expect(watched.allSatisfy { $0.connection == nil })
    }
}

/// A small generator: the same bytes for the same seed.
private struct Lehmer {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

    mutating func below(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}
