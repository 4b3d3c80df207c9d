// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct PeerSendingTests {
    private let link = SessionID(rawValue: 50)
    private let peer = node(2)
    private let theirs = RequestID(rawValue: 1001)

    private func records(_ messages: [Message]) -> [Records] {
        messages.compactMap { if case .records(let records) = $0 { records } else { nil } }
    }

    private func start(_ messages: [Message]) -> Acknowledge? {
        for case .acknowledge(let message) in messages where message.request == theirs { return message }
        return nil
    }

    private func subscribe(_ driver: ReplicaDriver, _ cursor: Cursor? = nil) {
        driver.receive(
            Subscribe(request: theirs, start: cursor.map { .cursor($0) } ?? .beginning), on: link)
    }

    private func cursor(_ driver: ReplicaDriver, _ records: Records, incarnation: UInt64 = 1) -> Cursor {
        Cursor(
            incarnation: Incarnation(rawValue: incarnation), sequence: records.through, mark: records.mark,
            scope: Scope(sender: Grants(.all), receiver: .none))
    }

    @Test func aCursorThatWeGaveOutIsTakenUpWhereItStands() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.openPeer(peer)
        subscribe(driver)
        let first = try #require(records(driver.take(link)).last)
        driver.push("b", [2], on: client)
        driver.openPeer(peer, 50)
        let second = ReplicaDriver(store: driver.store)
        second.openPeer(peer)
        subscribe(second, cursor(driver, first))
        let messages = second.take(link)
        #expect(start(messages)?.isCursorVoid == false)
        #expect(records(messages).flatMap(\.items).map(\.name) == [name("b")])
    }

    @Test func aCursorOfAnotherLifeIsVoid() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.openPeer(peer)
        subscribe(driver)
        let known = try #require(records(driver.take(link)).last)
        let good = cursor(driver, known)
        let void = [
            cursor(driver, known, incarnation: 9),
            Cursor(incarnation: good.incarnation, sequence: good.sequence, mark: Mark(rawValue: 4), scope: good.scope),
            Cursor(
                incarnation: good.incarnation, sequence: Sequence(rawValue: 1000), mark: good.mark, scope: good.scope),
            Cursor(
                incarnation: good.incarnation, sequence: good.sequence, mark: good.mark, scope: Scope(rawValue: 3)),
        ]
        for cursor in void {
            subscribe(driver, cursor)
            let messages = driver.take(link)
            #expect(start(messages)?.isCursorVoid == true)
            #expect(records(messages).flatMap(\.items).count == 1)
        }
        subscribe(driver, good)
        #expect(start(driver.take(link))?.isCursorVoid == false)
    }

    @Test func nothingGoesBackToWhereItCameFrom() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        subscribe(driver)
        _ = driver.take(link)
        let record = WireRecord(
            sequence: Sequence(rawValue: 1), name: name("a"), stamp: stamp(driver.now.wallMilliseconds, peer),
            writeCount: 1, base: nil, content: .envelope([1]))
        driver.receive(
            Records(
                request: request ?? .none, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1), items: [record]),
            on: link)
        #expect(records(driver.take(link)).isEmpty)
        // The heartbeat tells how far that has moved us.
        driver.advance(milliseconds: 10_100)
        let told = records(driver.take(link))
        #expect(told.map(\.through.rawValue) == [1])
        #expect(told.flatMap(\.items).isEmpty)
    }

    @Test func whatCameBeforeTheSubscriptionGoesBackToAPeerThatMayHaveLostIt() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let record = WireRecord(
            sequence: Sequence(rawValue: 1), name: name("a"), stamp: stamp(driver.now.wallMilliseconds, peer),
            writeCount: 1, base: nil, content: .envelope([1]))
        driver.receive(
            Records(
                request: request ?? .none, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1), items: [record]),
            on: link)
        _ = driver.take(link)
        subscribe(driver)
        #expect(records(driver.take(link)).flatMap(\.items).map(\.name) == [name("a")])
    }

    @Test func sendingStopsAtTheUnacknowledgedLimitAndGoesOnWithAcknowledgements() throws {
        var limits = SyncLimits.default
        limits.unacknowledgedByteCount = 10_000
        limits.recordsMessageByteCount = 4000
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let client = driver.openClient()
        for number in 0..<100 { driver.push("n\(number)", [UInt8](repeating: 1, count: 1000), on: client) }
        driver.openPeer(peer)
        subscribe(driver)
        var got: [Records] = records(driver.take(link))
        #expect(got.flatMap(\.items).count < 20)
        for _ in 0..<100 {
            guard let last = got.last, last.through.rawValue < 100 else { break }
            driver.receive(Acknowledge(request: theirs, sequence: last.through), on: link)
            got += records(driver.take(link))
        }
        #expect(got.flatMap(\.items).map(\.sequence.rawValue) == Array(1...100))
    }

    /// Else two peers with much to send would stop reading each other for ever.
    @Test func aPeerIsReadWhileItTakesNothing() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        for number in 0..<400 { driver.push("n\(number)", [UInt8](repeating: 1, count: 3000), on: client) }
        let request = driver.openPeer(peer)
        driver.blocked.insert(link)
        subscribe(driver)
        #expect((driver.sentByteCounts[link] ?? 0) > SyncLimits.default.outputHighWaterByteCount)
        let record = WireRecord(
            sequence: Sequence(rawValue: 1), name: name("theirs"), stamp: stamp(driver.now.wallMilliseconds, peer),
            writeCount: 1, base: nil, content: .envelope([1]))
        driver.receive(
            Records(
                request: request ?? .none, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1), items: [record]),
            on: link)
        #expect(!driver.paused.contains(link))
        #expect(driver.pull("theirs", on: client) != nil)
    }

    @Test func aRefusalByThePeerIsShown() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.openPeer(peer)
        subscribe(driver)
        let written = driver.push("a", [1], on: client) ?? stamp(0, node(0))
        let refused = Acknowledge.Refused(
            code: SyncError.Code.clockDrift.rawValue, sequence: Sequence(rawValue: 1), name: name("a"), stamp: written,
            retryMilliseconds: 5)
        driver.receive(Acknowledge(request: theirs, sequence: Sequence(rawValue: 1), refused: [refused]), on: link)
        let refusal = Refusal(peer: peer, name: name("a"), stamp: written, code: .clockDrift)
        #expect(driver.events.contains(.recordRefusedByPeer(refusal)))
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        guard case .statusReport(let report)? = driver.take(client).first else { return }
        #expect(report.items.contains { $0.key == "peer.0.refused-there.0" && $0.value.contains("clockDrift stack=a") })
    }
}
