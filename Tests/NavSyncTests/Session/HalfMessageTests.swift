// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// A message that is begun and not finished holds memory: for a while, and only so much of it.
@Suite struct HalfMessageTests {
    private func driver(_ change: (inout SyncLimits) -> Void = { _ in }) -> ReplicaDriver {
        var configuration = ReplicaConfiguration()
        change(&configuration.limits)
        return ReplicaDriver(configuration: configuration)
    }

    private func openUser(
        _ driver: ReplicaDriver, _ number: UInt64, user: UInt32 = 7, role: LocalRole = .writer
    ) -> SessionID {
        let id = SessionID(rawValue: number)
        let credentials = Credentials(processID: 1, userID: user, groupID: 1)
        driver.open(id, .accepted(.unix, credentials), access: .client(role))
        driver.receive(Hello.client(software: "test"), on: id)
        _ = driver.take(id)
        return id
    }

    private func push(_ text: String, _ byteCount: Int, request: UInt64 = 1) -> [UInt8] {
        Push(
            request: RequestID(rawValue: request), name: name(text), envelope: [UInt8](repeating: 1, count: byteCount),
            expected: .anything
        ).frame
    }

    private func code(_ driver: ReplicaDriver, _ id: SessionID) -> SyncError.Code? { driver.closes[id]??.code }

    // MARK: Time

    @Test(arguments: [1, 4, 5, 40_000]) func whoStopsInTheMiddleOfAMessageIsEnded(_ byteCount: Int) {
        let driver = driver()
        let client = openUser(driver, 1)
        driver.receive(Array(push("a", 50_000).prefix(byteCount)), on: client)
        driver.advance(milliseconds: 29_000)
        #expect(driver.closes.isEmpty)
        driver.advance(milliseconds: 2_000)
        #expect(code(driver, client) == .messageUnfinished)
        let goodbyes = driver.take(client).compactMap { if case .goodbye(let message) = $0 { message } else { nil } }
        #expect(goodbyes.map(\.code) == [SyncError.Code.messageUnfinished.rawValue])
    }

    @Test func whoIsSlowIsWaitedFor() {
        let driver = driver()
        let client = openUser(driver, 1)
        for byte in push("a", 40) {
            driver.advance(milliseconds: 25_000)
            driver.receive([byte], on: client)
        }
        #expect(driver.closes.isEmpty)
        #expect(driver.pull("a", on: client) != nil)
    }

    @Test func whoHasFinishedMayBeSilent() {
        let driver = driver()
        let client = openUser(driver, 1)
        let frame = push("a", 1000)
        driver.receive(Array(frame.prefix(500)), on: client)
        driver.receive(Array(frame.dropFirst(500)), on: client)
        driver.advance(milliseconds: 3_600_000)
        #expect(driver.closes.isEmpty)
        #expect(driver.replica.nextDeadline == nil, "nothing waits for time")
    }

    @Test func whoIsNotReadIsNotBlamed() {
        let driver = driver { $0.userByteRate = 1000 }
        let client = openUser(driver, 1)
        let frame = push("a", 60_000)
        driver.receive(Array(frame.prefix(50_000)), on: client)
        #expect(driver.paused == [client])
        driver.advance(milliseconds: 50_000)
        #expect(driver.paused.isEmpty)
        driver.advance(milliseconds: 25_000)
        #expect(driver.closes.isEmpty)
        driver.receive(Array(frame.dropFirst(50_000)), on: client)
        driver.advance(milliseconds: 60_000)
        #expect(driver.closes.isEmpty)
        #expect(driver.pull("a", on: client) != nil)
    }

    @Test func whoDoesNotReadItsAnswersIsLeftAlone() {
        let driver = driver { $0.outputHighWaterByteCount = 1000 }
        let client = openUser(driver, 1)
        driver.push("a", [UInt8](repeating: 1, count: 2000), on: client)
        driver.blocked = [client]
        let request = Pull(request: RequestID(rawValue: 5), name: name("a"))
        driver.receive(request.frame + push("b", 100).dropLast(), on: client)
        #expect(driver.paused == [client])
        driver.advance(milliseconds: 3_600_000)
        #expect(driver.closes.isEmpty)
        driver.unblock(client)
        driver.advance(milliseconds: 31_000)
        #expect(code(driver, client) == .messageUnfinished, "read again, it has its time and no more")
    }

    @Test func aPeerThatStopsInTheMiddleOfAMessageIsGivenUp() {
        let driver = driver()
        driver.openPeer(node(2))
        driver.receive([0, 0, 1, 0, MessageType.ping.rawValue, 1], on: SessionID(rawValue: 50))
        driver.advance(milliseconds: 31_000)
        #expect(code(driver, SessionID(rawValue: 50)) == .deadlineExceeded)
    }

    // MARK: Memory

    @Test func unfinishedMessagesOfAllTogetherAreBounded() {
        let driver = driver()
        let half = Array(push("a", 1 << 20).dropLast())
        let crowd = (1...200 as ClosedRange<UInt64>).map { number -> SessionID in
            let id = openUser(driver, number)
            driver.receive(half, on: id)
            driver.advance(milliseconds: 1)
            return id
        }
        let ended = crowd.filter { code(driver, $0) == .messageUnfinished }
        // The first of them, and so many that the rest fits.
        #expect(ended == Array(crowd.prefix(ended.count)))
        let left = crowd.count - ended.count
        #expect(left * half.count <= 64 << 20)
        #expect(left >= 28, "memory is counted, which may be twice the bytes")
        #expect(driver.replica.inputByteCount <= 64 << 20)
        for id in crowd { driver.lose(id) }
        #expect(driver.replica.inputByteCount == 0)
    }

    @Test func aCrowdOfOneUserHarmsNobodyElse() {
        let driver = driver()
        let frame = push("of another", 1 << 20)
        let other = openUser(driver, 1000, user: 8)
        driver.receive(Array(frame.dropLast()), on: other)
        for number in 1...100 as ClosedRange<UInt64> {
            driver.advance(milliseconds: 1)
            driver.receive(Array(push("a", 1 << 20).dropLast()), on: openUser(driver, number))
        }
        #expect(driver.closes[other] == nil)
        driver.receive([frame[frame.count - 1]], on: other)
        #expect(driver.pull("of another", on: other) != nil)
        #expect(driver.closes.count > 30)
    }

    @Test func whatIsCompleteAndWaitsForTheDiskIsNotGivenUp() {
        let driver = driver {
            $0.batchByteCount = 1 << 20
            $0.inputByteCount = 8 << 20
        }
        let clients = (1...40 as ClosedRange<UInt64>).map { openUser(driver, $0) }
        driver.holdsCommits = true
        for client in clients { driver.receive(push("s\(client.rawValue)", 1 << 20), on: client) }
        driver.advance(milliseconds: 120_000)
        #expect(driver.closes.isEmpty)
        for _ in clients where driver.heldCommit != nil { driver.finishCommit() }
        driver.holdsCommits = false
        driver.finishCommit()
        for client in clients { #expect(driver.pull("s\(client.rawValue)", on: client) != nil) }
        #expect(driver.replica.inputByteCount == 0)
    }

    @Test func aShortRestOfMuchInputHoldsLittle() {
        let driver = driver()
        let client = openUser(driver, 1)
        let pings = [[UInt8]](
            repeating: Ping(
                Heartbeat(
                    token: 1, incarnation: Incarnation(rawValue: 1), head: .zero, wallMilliseconds: 0,
                    isSynchronised: false)
            ).frame, count: 2000
        ).joined()
        driver.receive(Array(pings) + push("a", 50_000).prefix(20), on: client)
        #expect(driver.closes.isEmpty)
        #expect(driver.replica.inputByteCount == 0)
    }
}
