// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

/// A name with several addresses: one that does not answer hides none of the others.
@Suite struct DialAddressesTests {
    private static let second: UInt64 = 1_000_000_000

    /// Dials a name that has these addresses, and closes what was connected.
    private func outcome(
        _ hosts: [String], _ port: UInt16, turn: UInt = 0, deadline: UInt64 = 8 * second
    ) throws -> Result<SocketAddress?, PosixError> {
        let loop = try EventLoop()
        let addresses = try hosts.map { try #require(IPAddress($0)) }
        let resolver = Resolver(loop: loop) { _ in .success(addresses) }
        var outcome: Result<SocketAddress?, PosixError>?
        let dialer = Dialer(
            loop: loop, resolver: resolver, address: .tcp(host: "many", port: port), turn: turn,
            deadline: SystemClock.monotonicNanoseconds() + deadline, rule: { _ in nil },
            completion: { result in
                outcome = result.map { descriptor in
                    defer { close(descriptor) }
                    return farEnd(of: descriptor)
                }
            })
        try loop.run(until: "an outcome") { outcome != nil }
        withExtendedLifetime(dialer) {}
        return try #require(outcome)
    }

    @Test func aSilentAddressHidesNoneAfterIt() throws {
        let hole = try BlackHole("127.0.0.1")
        let there = try Door("127.0.0.2", hole.port)
        #expect(try outcome(["127.0.0.1", "127.0.0.2"], hole.port).get() == there.address)
    }

    @Test func moreSilentAddressesThanAreTriedAtOnceHideNoneAfterThem() throws {
        let first = try BlackHole("127.0.0.1")
        let holes = try (2...12).map { try BlackHole("127.0.0.\($0)", first.port) }
        let there = try Door("127.0.0.13", first.port)
        #expect(try outcome((1...13).map { "127.0.0.\($0)" }, first.port).get() == there.address)
        withExtendedLifetime(holes) {}
    }

    @Test func eachTurnBeginsWithAnotherAddress() throws {
        let first = try Door("127.0.0.1")
        let doors = try [first, Door("127.0.0.2", first.port), Door("127.0.0.3", first.port)]
        for turn in 0..<7 as Range<UInt> {
            let reached = try outcome((1...3).map { "127.0.0.\($0)" }, first.port, turn: turn).get()
            #expect(reached == doors[Int(turn % 3)].address)
        }
    }

    @Test func aDiallerThatIsDroppedLeavesNothing() async {
        await #expect(processExitsWith: .success) {
            let hole = try BlackHole("127.0.0.1")
            let loop = try EventLoop()
            let resolver = Resolver(loop: loop)
            let before = descriptorCount()
            var dialer: Dialer? = Dialer(
                loop: loop, resolver: resolver, address: .tcp(host: "127.0.0.1", port: hole.port), deadline: .max,
                rule: { _ in nil }, completion: { _ in })
            try loop.run(until: "a socket") { descriptorCount() > before }
            withExtendedLifetime(dialer) {}
            dialer = nil
            #expect(descriptorCount() == before)
        }
    }

    @Test func addressesThatRefuseAreNotWaitedFor() throws {
        let there = try Door("127.0.0.100")
        let hosts = (1...100).map { "127.0.0.\($0)" }
        // At a quarter of a second for each it would take 25.
        #expect(try outcome(hosts, there.port).get() == there.address)
    }

    @Test func aRefusalWhileAnotherAddressIsSilentIsNoEnd() throws {
        let hole = try BlackHole("127.0.0.1")
        let there = try Door("127.0.0.3", hole.port)
        #expect(try outcome(["127.0.0.1", "127.0.0.2", "127.0.0.3"], hole.port).get() == there.address)
        let silent = try outcome(["127.0.0.1", "127.0.0.2"], hole.port, deadline: Self.second)
        #expect(throws: PosixError.self) { try silent.get() }
        guard case .failure(let failure) = silent else { return }
        #expect(failure.errno == ETIMEDOUT, "the silent one was waited for")
    }

    @Test func theLastFailureIsToldWhenAllRefuse() throws {
        let port = try Door("127.0.0.1").port
        guard case .failure(let failure) = try outcome(["127.0.0.4", "127.0.0.5"], port) else {
            Issue.record("connected to nobody")
            return
        }
        #expect(failure.errno == ECONNREFUSED)
    }

    @Test(arguments: [false, true]) func whatDidNotWinIsClosed(_ isCancelled: Bool) async {
        await #expect(processExitsWith: .success) { [isCancelled] in
            let hole = try BlackHole("127.0.0.1")
            let there = try Door("127.0.0.3", hole.port)
            let loop = try EventLoop()
            let addresses = try ["127.0.0.1", "127.0.0.1", "127.0.0.3"].map { try #require(IPAddress($0)) }
            let resolver = Resolver(loop: loop) { _ in .success(addresses) }
            for round in 0..<3 {
                let before = descriptorCount()
                var connected: Int32?
                let dialer = Dialer(
                    loop: loop, resolver: resolver, address: .tcp(host: "many", port: hole.port), deadline: .max,
                    rule: { _ in nil }, completion: { connected = try? $0.get() })
                if isCancelled {
                    try loop.run(until: "a first address") { descriptorCount() > before }
                    dialer.cancel()
                } else {
                    try loop.run(until: "a connection") { connected != nil }
                }
                if let connected { close(connected) }
                // The loop keeps what it needs for names from the first time on.
                if round > 0 { #expect(descriptorCount() == before) }
            }
            withExtendedLifetime(there) {}
        }
    }
}

/// A port on which somebody listens.
private final class Door {
    let port: UInt16
    let address: SocketAddress
    let descriptor: Int32

    init(_ host: String, _ port: UInt16 = 0, backlog: Int32 = 100) throws {
        let socket = try BoundSocket.tcp(host: try #require(IPAddress(host)), port: port)
        descriptor = socket.descriptor
        address = socket.address
        guard case .tcp(_, let chosen) = socket.address, listen(descriptor, backlog) == 0 else {
            throw PosixError.last("listen")
        }
        self.port = chosen
    }

    deinit { close(descriptor) }
}

/// A port that answers nothing: its queue is full, and nobody takes anything from it.
private final class BlackHole {
    private let door: Door
    private var fillers: [Int32] = []
    var port: UInt16 { door.port }

    init(_ host: String, _ port: UInt16 = 0) throws {
        door = try Door(host, port, backlog: 0)
        for _ in 0..<3 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = door.port.bigEndian
            inet_pton(AF_INET, host, &target.sin_addr)
            _ = withUnsafePointer(to: &target) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            fillers.append(filler)
        }
    }

    deinit { for filler in fillers { close(filler) } }
}

/// Where a connection leads to.
private func farEnd(of descriptor: Int32) -> SocketAddress? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    guard result == 0 else { return nil }
    let host = withUnsafeBytes(of: address.sin_addr) { IPAddress(bytes: Array($0)) }
    return host.map { .tcp(host: "\($0)", port: UInt16(bigEndian: address.sin_port)) }
}
