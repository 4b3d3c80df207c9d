// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// Whole daemons, several in this process.
@Suite(.serialized) struct DaemonTests {
    @Test func aPushIsThereAfterARestart() throws {
        let scratch = try Scratch()
        for round in 0..<3 {
            let daemon = try RunningDaemon(in: scratch.path)
            try daemon.awaitReady()
            if round > 0 { #expect(try daemon.pull("shop") == envelope("v\(round - 1)")) }
            try daemon.push("shop", "v\(round)")
            #expect(try daemon.stop() == .success)
            #expect(access(daemon.socket, F_OK) != 0)
        }
    }

    @Test func twoDaemonsOfOneProcessSyncAndLinkAgainAfterAStop() throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.file("a"), 0o700) == 0 && mkdir(scratch.file("b"), 0o700) == 0)
        try Pairing.makeTrust(scratch.file("a"), scratch.file("b"))
        let first = try RunningDaemon(in: scratch.file("a")) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
        }
        try first.awaitReady()
        let address = try SocketAddress(parsing: first.chosenAddress())
        let second = try RunningDaemon(in: scratch.file("b")) {
            $0.peers = [address]
            $0.backOff.firstNanoseconds = 10_000_000
            $0.backOff.maximumNanoseconds = 100_000_000
        }
        try second.awaitReady()
        try first.push("from-a", "one")
        try waitUntil(seconds: 10, "the record of a at b") { try second.pull("from-a") == envelope("one") }
        try second.push("from-b", "two")
        try waitUntil(seconds: 10, "the record of b at a") { try first.pull("from-b") == envelope("two") }

        #expect(try first.stop() == .success)
        try waitUntil(seconds: 10, "a failed dial") { second.has("msg=dial_failed") }
        let again = try RunningDaemon(in: scratch.file("a")) { $0.listenAddresses = [address] }
        try again.awaitReady()
        try again.push("later", "three")
        try waitUntil(seconds: 10, "the link again") { try second.pull("later") == envelope("three") }
        #expect(try again.stop() == .success)
        #expect(try second.stop() == .success)
    }

    @Test func aSecondDaemonOnTheDirectoryEndsAndTouchesNothing() throws {
        let scratch = try Scratch()
        let owner = try RunningDaemon(in: scratch.path)
        try owner.awaitReady()
        var before = stat()
        #expect(lstat(owner.socket, &before) == 0)
        let intruder = try RunningDaemon(in: scratch.path)
        #expect(try intruder.awaitEnd() == .locked)
        #expect(intruder.has("is in use by process \(getpid())"))
        var after = stat()
        #expect(lstat(owner.socket, &after) == 0)
        #expect(before.st_ino == after.st_ino)
        try owner.push("x", "y")
        #expect(try owner.stop() == .success)
    }

    @Test func aSocketOfAnotherDaemonIsLeftAlone() throws {
        let scratch = try Scratch()
        let owner = try RunningDaemon(in: scratch.path)
        try owner.awaitReady()
        let other = try RunningDaemon(in: scratch.path) { $0.stateDirectory = scratch.file("other") }
        #expect(try other.awaitEnd() == .cannotListen, "\(other.lines)")
        #expect(other.has("another process listens there"))
        try owner.push("x", "y")
        #expect(try owner.stop() == .success)
    }

    @Test func aTakenPortEndsTheStartBeforeTheStoreIsMade() throws {
        let scratch = try Scratch()
        let taken = try BoundSocket.tcp(host: #require(IPAddress("127.0.0.1")), port: 0)
        #expect(listen(taken.descriptor, 1) == 0)
        defer { close(taken.descriptor) }
        let daemon = try RunningDaemon(in: scratch.path) { $0.listenAddresses = [taken.address] }
        #expect(try daemon.awaitEnd() == .cannotListen)
        #expect(access(scratch.file("state/stacks.sqlite"), F_OK) != 0)
    }

    @Test func aDirectoryThatCannotBeUsedEndsTheStart() throws {
        let scratch = try Scratch()
        try scratch.write("state", "a file")
        let daemon = try RunningDaemon(in: scratch.path)
        #expect(try daemon.awaitEnd() == .unusableState)
    }

    @Test(arguments: [0o777, 0o770, 0o702] as [mode_t]) func aStateDirectoryThatOthersMayWriteToEndsTheStart(
        mode: mode_t
    ) throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.file("state"), 0o700) == 0)
        #expect(chmod(scratch.file("state"), mode) == 0)
        let daemon = try RunningDaemon(in: scratch.path)
        #expect(try daemon.awaitEnd() == .unusableState)
        #expect(access(scratch.file("state/identity.key"), F_OK) != 0)
    }

    /// A stranger that never speaks, a peer that takes the connection and never answers: neither holds up a stop.
    @Test(arguments: [true, false]) func aStopComesWithinTwoSecondsThoughSomebodyIsSilent(_ isDialled: Bool) throws {
        let scratch = try Scratch()
        let hole = try BoundSocket.tcp(host: #require(IPAddress("127.0.0.1")), port: 0)
        #expect(listen(hole.descriptor, 8) == 0)
        defer { close(hole.descriptor) }
        let daemon = try RunningDaemon(in: scratch.path) { $0.peers = isDialled ? [hole.address] : [] }
        try daemon.awaitReady()
        let silent = isDialled ? try acceptOne(hole.descriptor) : try connectRaw(daemon.socket)
        defer { close(silent) }
        // The daemon has it too: what comes later is served.
        try daemon.push("x", "y")
        try expectQuickStop(of: daemon)
    }

    @Test func aStopComesWithinTwoSecondsThoughAClientDoesNotRead() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch.path)
        try daemon.awaitReady()
        // A watcher of megabytes, which no compression makes less, that never reads.
        var random = SeededGenerator(seed: 7)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        let byteCount = try (0..<8).reduce(0) { sum, number in
            let text = String((0..<400_000).map { _ in letters[Int(random.next() % 64)] })
            try daemon.push("big/\(number)", text)
            return try sum + envelope(text).count
        }
        #expect(byteCount > 2_000_000)
        let deaf = try connectRaw(daemon.socket)
        defer { close(deaf) }
        let request = Self.hello.frame + Subscribe(request: RequestID(rawValue: 1), prefix: [], start: .beginning).frame
        #expect(write(deaf, request, request.count) == request.count)
        try waitUntil(seconds: 10, "a socket that takes no more") { try isFull(deaf) }
        try expectQuickStop(of: daemon)
        #expect(readToEnd(deaf).count < byteCount / 2)
    }

    private func expectQuickStop(of daemon: RunningDaemon, _ place: SourceLocation = #_sourceLocation) throws {
        let start = SystemClock.monotonicNanoseconds()
        #expect(try daemon.stop() == .success, sourceLocation: place)
        #expect(SystemClock.monotonicNanoseconds() - start < 2_000_000_000, sourceLocation: place)
    }

    private func acceptOne(_ listener: Int32) throws -> Int32 {
        var accepted: Int32 = -1
        try waitUntil(seconds: 10, "a dial") {
            accepted = accept(listener, nil, nil)
            return accepted >= 0
        }
        return accepted
    }

    /// Whether much waits to be read, and no more than before.
    private func isFull(_ descriptor: Int32) throws -> Bool {
        func waiting() -> Int32 {
            var count: Int32 = 0
            return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
        }
        let before = waiting()
        poll(nil, 0, 20)
        return before > 50_000 && waiting() == before
    }

    private func readToEnd(_ descriptor: Int32) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }

    private static let hello = Hello(
        role: .client, node: NodeID(high: 0, low: 0), incarnation: Incarnation(rawValue: 0), startCounter: 0, nonce: 0,
        wallMilliseconds: 0, isSynchronised: false, floor: .zero, software: "test")

    @Test func aHalfClosedClientStillGetsItsAcknowledgement() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch.path)
        try daemon.awaitReady()
        let client = try connectRaw(daemon.socket)
        defer { close(client) }
        let request =
            Self.hello.frame
            + Push(
                request: RequestID(rawValue: 1), name: try StackName("half"), envelope: try envelope("open"),
                expected: .anything
            ).frame
        #expect(write(client, request, request.count) == request.count)
        #expect(shutdown(client, Int32(SHUT_WR)) == 0)
        var cutter = FrameCutter()
        cutter.append(readToEnd(client)[...])
        var types: [MessageType?] = []
        while let frame = try cutter.next(limit: 1 << 20) { types.append(MessageType(rawValue: frame.type)) }
        #expect(types.contains(.acknowledge))
        #expect(try daemon.pull("half") == envelope("open"))
        #expect(try daemon.stop() == .success)
    }

    @Test func aReloadChangesListenersAndPeers() throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.file("a"), 0o700) == 0 && mkdir(scratch.file("b"), 0o700) == 0)
        try Pairing.makeTrust(scratch.file("a"), scratch.file("b"))
        let first = try RunningDaemon(in: scratch.file("a"))
        let second = try RunningDaemon(in: scratch.file("b"))
        try first.awaitReady()
        try second.awaitReady()
        try first.reload { $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)] }
        try waitUntil(seconds: 10, "the new listener") { first.has("address=tcp:127.0.0.1:") }
        let address = try SocketAddress(parsing: first.chosenAddress())
        try second.reload { $0.peers = [address] }
        try waitUntil(seconds: 10, "the link") { second.has("msg=link_ready") }
        try second.reload { $0.peers = [] }
        try waitUntil(seconds: 10, "the end of the link") { first.has("msg=link_lost") }
        #expect(try HostileLine.isRefused(address) == false)
        try first.reload { $0.listenAddresses = [] }
        try waitUntil(seconds: 10, "the reload") { first.count("msg=reloaded") == 2 }
        #expect(try HostileLine.isRefused(address))
        #expect(try first.stop() == .success)
        #expect(try second.stop() == .success)
    }

    @Test func aReloadChangesTheLevelOfTheLog() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch.path) { $0.logLevel = .info }
        try daemon.awaitReady()
        _ = try daemon.pull("nothing")
        #expect(daemon.count("msg=client_ready") == 0)
        try daemon.reload { $0.logLevel = .debug }
        try waitUntil(seconds: 10, "the reload") { daemon.count("msg=reloading") == 1 }
        _ = try daemon.pull("nothing")
        #expect(daemon.count("msg=client_ready") == 1)
        try daemon.reload { $0.logLevel = .warning }
        try waitUntil(seconds: 10, "the second reload") { daemon.count("msg=reloading") == 2 }
        _ = try daemon.pull("nothing")
        #expect(daemon.count("msg=client_ready") == 1 && daemon.count("msg=reloaded") == 1)
        #expect(try daemon.stop() == .success)
        #expect(!daemon.has("msg=stopped"))
    }

    @Test func aReloadThatFailsChangesNothingAndSaysSo() throws {
        let scratch = try Scratch()
        let taken = try BoundSocket.tcp(host: #require(IPAddress("127.0.0.1")), port: 0)
        #expect(listen(taken.descriptor, 1) == 0)
        defer { close(taken.descriptor) }
        let daemon = try RunningDaemon(in: scratch.path) { $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)] }
        try daemon.awaitReady()
        daemon.reload(.failure(ConfigurationError(place: "x:1", reason: "wrong")))
        try waitUntil(seconds: 10, "the refusal") { daemon.has("msg=reload_failed reason=\"x:1: wrong\"") }
        var other = Configuration(defaultsFor: .system)
        other.listenAddresses = [.tcp(host: "::1", port: 0), taken.address]
        daemon.reload(.success(other))
        try waitUntil(seconds: 10, "the second refusal") { daemon.count("msg=reload_failed") == 2 }
        #expect(daemon.count("msg=listening") == 2)
        #expect(!daemon.has("msg=reloaded"))
        try daemon.push("x", "y")
        #expect(try daemon.stop() == .success)
    }

    @Test func aHundredReloadsUnderWritesLoseNothing() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch.path)
        try daemon.awaitReady()
        for number in 0..<100 {
            try daemon.reload { $0.logLevel = number.isMultiple(of: 2) ? .info : .debug }
            try daemon.push("n/\(number)", "v")
        }
        #expect(try daemon.session().list(prefix: "n/", deadline: .after(milliseconds: 10_000)).count == 100)
        #expect(try daemon.stop() == .success)
    }
}
