// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import NavTestSupport
import Testing

/// What is no message, and what ends a session, costs one call its answer and no later call anything.
@Suite struct BrokenSessionTests {
    /// Its first connection gives `bytes` for an answer, later ones answer as they should.
    private func daemon(first bytes: [UInt8]) -> FakeDaemon {
        let count = Locked(0)
        return FakeDaemon { line in
            let number = count.withLock { count in
                count += 1
                return count
            }
            line.greet()
            while let message = line.receive() {
                if number == 1 {
                    line.send(bytes)
                } else if case .push(let push) = message {
                    line.send(Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame)
                } else if case .subscribe(let subscribe) = message,
                    let record = try? FakeDaemon.record("a", sequence: 1, .envelope([1]))
                {
                    let records = Records(
                        request: subscribe.request, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1),
                        items: [record])
                    line.send(Acknowledge(request: subscribe.request, sequence: .zero).frame + records.frame)
                }
            }
        }
    }

    private static let noMessages: [[UInt8]] = [
        // Longer than a frame may be; an acknowledgement that is cut short; one with a byte too many.
        [0xFF, 0xFF, 0xFF, 0xFF, MessageType.records.rawValue],
        [0, 0, 0, 1, MessageType.acknowledge.rawValue, 1],
        [0, 0, 0, 2, MessageType.pong.rawValue, 0x80, 0x00],
    ]

    @Test(.timeLimit(.minutes(1)), arguments: noMessages)
    func whatIsNoMessageEndsTheSessionAndNotTheClient(_ bytes: [UInt8]) async throws {
        let daemon = daemon(first: bytes)
        let client = try NavClient(DaemonAddress(daemon.path), timeout: .seconds(5))
        await #expect(throws: NavClientError(code: .incompatible, reason: "")) {
            try await client.push(envelope: [1], to: "a")
        }
        try await client.push(envelope: [1], to: "a")
    }

    /// Codes that a single request may be refused with as well.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            SyncError.Code.frameTooLarge, .valueTooLarge, .invalidName, .invalidEnvelope, .notFound, .staleBase,
        ])
    func aGoodbyeEndsTheSessionWhateverItsReason(_ code: SyncError.Code) async throws {
        // It says so, and does not close.
        let daemon = daemon(first: Goodbye(code: code.rawValue, reason: "because").frame)
        let client = try NavClient(DaemonAddress(daemon.path), timeout: .seconds(5))
        await #expect(throws: NavClientError.self) { try await client.push(envelope: [1], to: "a") }
        try await client.push(envelope: [1], to: "a")
    }

    private static let ping = Ping(
        Heartbeat(
            token: 1, incarnation: Incarnation(rawValue: 1), head: .zero, wallMilliseconds: 0, isSynchronised: false)
    ).frame

    @Test(.timeLimit(.minutes(1)), arguments: [[], ping])
    func aDaemonThatStoppedBetweenTwoCallsCostsNone(_ before: [UInt8]) async throws {
        let goodbye = Goodbye(code: SyncError.Code.draining.rawValue, reason: "because").frame
        let daemon = FakeDaemon { line in
            line.greet()
            guard case .push(let push)? = line.receive() else { return }
            let answer = Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
            line.send(answer + before + goodbye)
        }
        let client = try NavClient(DaemonAddress(daemon.path), timeout: .seconds(5))
        for _ in 0..<5 { try await client.push(envelope: [1], to: "a") }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsSaidBetweenTwoCallsIsAnsweredOnTheSameSession() async throws {
        let (connections, pongs) = (Locked(0), Locked(0))
        let daemon = FakeDaemon { line in
            connections.withLock { $0 += 1 }
            line.greet()
            while let message = line.receive() {
                if case .pong = message { pongs.withLock { $0 += 1 } }
                guard case .push(let push) = message else { continue }
                let answer = Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
                line.send(answer + Self.ping + Self.ping)
            }
        }
        let client = try NavClient(DaemonAddress(daemon.path), timeout: .seconds(5))
        for _ in 0..<3 { try await client.push(envelope: [1], to: "a") }
        #expect(connections.withLock { $0 } == 1 && pongs.withLock { $0 } == 4)
    }

    @Test(.timeLimit(.minutes(1))) func aDaemonThatTalksWithoutEndIsLeft() async throws {
        let connections = Locked(0)
        let daemon = FakeDaemon { line in
            connections.withLock { $0 += 1 }
            line.greet()
            guard case .push(let push)? = line.receive() else { return }
            let acknowledge = Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
            line.send((0..<100).flatMap { _ in acknowledge })
            line.waitForEnd()
        }
        let client = try NavClient(DaemonAddress(daemon.path), timeout: .seconds(5))
        for _ in 0..<2 { try await client.push(envelope: [1], to: "a") }
        #expect(connections.withLock { $0 } == 2)
    }

    @Test(.timeLimit(.minutes(1)), arguments: noMessages)
    func aWatchThatMetNoMessageCanBeAskedAgain(_ bytes: [UInt8]) throws {
        let acknowledge = Acknowledge(request: RequestID(rawValue: 1), sequence: .zero).frame
        let daemon = daemon(first: acknowledge + bytes)
        var watch = Watch(
            address: try DaemonAddress(daemon.path), prefix: "", startsWithPresent: true, timeoutMilliseconds: 5_000)
        try watch.start()
        #expect(throws: NavClientError(code: .incompatible, reason: "")) { try watch.next() }
        var events: [WatchEvent] = []
        while events.count < 3 { events.append(try watch.next()) }
        guard case .reconnecting = events[0], events[1] == .reconnected, case .change(let change) = events[2] else {
            Issue.record("\(events)")
            return
        }
        #expect(change.name == "a")
    }
}
