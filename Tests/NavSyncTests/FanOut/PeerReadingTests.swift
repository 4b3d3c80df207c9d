// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// A peer, played by hand, that we read and that reads us.
@Suite struct PeerReadingTests {
    private let link = SessionID(rawValue: 50)
    private let peer = node(2)

    private func record(
        _ sequence: UInt64, _ text: String, _ stamp: Stamp, _ envelope: [UInt8]? = [1], base: Stamp? = nil
    ) -> WireRecord {
        WireRecord(
            sequence: Sequence(rawValue: sequence), name: name(text), stamp: stamp, writeCount: sequence, base: base,
            content: envelope.map { .envelope($0) } ?? .tombstone)
    }

    private func send(_ driver: ReplicaDriver, _ request: RequestID?, through: UInt64, _ items: [WireRecord]) {
        driver.receive(
            Records(
                request: request ?? .none, through: Sequence(rawValue: through), mark: Mark(rawValue: through * 10),
                items: items),
            on: link)
    }

    private func acknowledgements(_ messages: [Message]) -> [Acknowledge] {
        messages.compactMap { if case .acknowledge(let message) = $0 { message } else { nil } }
    }

    private func cursor(_ driver: ReplicaDriver) -> Cursor? {
        for commit in driver.commits.reversed() { if let cursor = commit.cursors[peer] { return cursor } }
        return nil
    }

    private func early(_ driver: ReplicaDriver, _ counter: UInt16 = 0) -> Stamp {
        stamp(driver.now.wallMilliseconds - 1000, peer, counter: counter)
    }

    @Test func recordsAndCursorBecomeDurableTogetherAndOnlyThenAreAcknowledged() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        driver.holdsCommits = true
        send(driver, request, through: 7, [record(5, "a", early(driver))])
        #expect(acknowledgements(driver.take(link)).isEmpty)
        driver.finishCommit()
        #expect(acknowledgements(driver.take(link)).map(\.sequence.rawValue) == [7])
        #expect(driver.commits.count == 1)
        #expect(driver.commits[0].rows.map(\.source) == [peer])
        let expected = Cursor(
            incarnation: Incarnation(rawValue: 5), sequence: Sequence(rawValue: 7), mark: Mark(rawValue: 70),
            scope: Scope(sender: .none, receiver: Grants(.all)))
        #expect(cursor(driver) == expected)
    }

    @Test func aRestartGoesOnFromTheDurableCursor() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 7, [record(5, "a", early(driver))])
        let second = ReplicaDriver(store: driver.store)
        second.open(link, .accepted(.tcp, nil))
        second.receive(second.peerHello(peer), on: link)
        let starts = second.take(link).compactMap { if case .subscribe(let s) = $0 { s.start } else { nil } }
        #expect(
            starts == [
                .cursor(
                    cursor(driver)
                        ?? Cursor(
                            incarnation: Incarnation(rawValue: 0), sequence: .zero, mark: Mark(rawValue: 0),
                            scope: Scope(rawValue: 0)))
            ])
    }

    @Test func aCursorThatMovedWithoutRecordsIsSavedAfterAWhile() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 30, [])
        #expect(acknowledgements(driver.take(link)).map(\.sequence.rawValue) == [30])
        #expect(driver.commits.isEmpty)
        driver.advance(milliseconds: 6000)
        #expect(cursor(driver)?.sequence.rawValue == 30)
    }

    @Test func aStopSavesACursorThatMovedWithoutRecords() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 30, [])
        driver.drain()
        #expect(driver.replica.isDrained)
        #expect(cursor(driver)?.sequence.rawValue == 30)
    }

    @Test func oneStampIsMergedOnce() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let stamp = early(driver)
        send(driver, request, through: 5, [record(5, "a", stamp)])
        send(driver, request, through: 6, [record(6, "a", stamp)])
        #expect(driver.store.rows.count == 1)
        #expect(acknowledgements(driver.take(link)).map(\.sequence.rawValue) == [5, 6])
    }

    @Test func aLocalWriteIsAboveWhatWasMerged() throws {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let ahead = stamp(driver.now.wallMilliseconds + 50_000, peer)
        send(driver, request, through: 5, [record(5, "a", ahead)])
        let client = driver.openClient()
        let written = try #require(driver.push("a", [9], on: client))
        #expect(written > ahead)
        #expect(driver.store.rows.last?.record.base == ahead)
        #expect(driver.events.allSatisfy { if case .mergeConcurrent = $0 { false } else { true } })
    }

    @Test func concurrentWritesAreSaidAndTheLoserIsKept() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let ours = try #require(driver.push("a", [9], on: client))
        let request = driver.openPeer(peer)
        let theirs = early(driver)
        send(driver, request, through: 5, [record(5, "a", theirs)])
        #expect(driver.events.contains(.mergeConcurrent(name: name("a"), winner: ours, loser: theirs)))
        #expect(driver.store.rows.map(\.state) == [.merged, .superseded])
        #expect(driver.pull("a", on: client)?.content == .envelope([9]))
        // Sent again, it is neither kept nor said again.
        _ = driver.takeEvents()
        send(driver, request, through: 6, [record(6, "a", theirs)])
        #expect(driver.store.rows.count == 2)
        #expect(driver.events.isEmpty)
        // And the next write of ours knows of it.
        driver.push("a", [10], on: client)
        #expect(driver.store.rows.last?.record.base == theirs)
    }

    @Test func oneStampWithTwoContentsIsSaidAndTheGreaterHashWins() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let stamp = early(driver)
        send(driver, request, through: 5, [record(5, "a", stamp, [1])])
        send(driver, request, through: 6, [record(6, "a", stamp, [2])])
        #expect(driver.events.contains(.stampReused(name: name("a"), stamp: stamp)))
        let winner: [UInt8] = testHash([1]) < testHash([2]) ? [2] : [1]
        #expect(driver.pull("a", on: driver.openClient())?.content == .envelope(winner))
    }

    // MARK: Drift

    @Test func aStampTooFarAheadIsRefusedOnBothSidesAndMergedWhenItIsDue() throws {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 3, [record(3, "ok", early(driver))])
        _ = driver.take(link)
        let ahead = stamp(driver.now.wallMilliseconds + 90_000, peer)
        send(driver, request, through: 9, [record(5, "a", ahead), record(9, "later", early(driver, 1))])
        let client = driver.openClient()
        #expect(driver.pull("a", on: client) == nil)
        #expect(driver.pull("later", on: client) != nil)
        let told = acknowledgements(driver.take(link)).flatMap(\.refused)
        #expect(told.map(\.code) == [SyncError.Code.clockDrift.rawValue])
        #expect(told.map(\.retryMilliseconds) == [30_000])
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        guard case .statusReport(let report)? = driver.take(client).first else { return }
        #expect(report.items.contains { $0.key == "peer.0.deferred.0" && $0.value.contains("clockDrift stack=a") })
        // Our own clock was not moved.
        let written = try #require(driver.push("b", [1], on: client))
        #expect(written.time.milliseconds == driver.now.wallMilliseconds)
        // The durable cursor stays before it.
        #expect(cursor(driver)?.sequence.rawValue == 3)
        // When it is due we ask again from there.
        for _ in 0..<35 {
            driver.advance(milliseconds: 1000)
            heartbeat(driver)
        }
        let asked = driver.take(link).compactMap { if case .subscribe(let s) = $0 { s } else { nil } }
        #expect(asked.count == 1)
        guard case .cursor(let place)? = asked.first?.start else {
            Issue.record("not asked again")
            return
        }
        #expect(place.sequence.rawValue == 3)
        send(driver, asked.first?.request, through: 9, [record(5, "a", ahead), record(9, "later", early(driver, 1))])
        #expect(driver.pull("a", on: client) != nil)
        #expect(cursor(driver)?.sequence.rawValue == 9)
    }

    private func heartbeat(_ driver: ReplicaDriver) {
        let heartbeat = Heartbeat(
            token: 1, incarnation: Incarnation(rawValue: 5), head: .zero,
            wallMilliseconds: driver.now.wallMilliseconds, isSynchronised: true)
        driver.receive(Ping(heartbeat), on: link)
    }

    @Test func aDeferredRecordSurvivesARestart() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let ahead = stamp(driver.now.wallMilliseconds + 90_000, peer)
        send(driver, request, through: 5, [record(5, "a", ahead)])
        send(driver, request, through: 9, [record(9, "b", early(driver))])
        let second = ReplicaDriver(store: driver.store)
        second.open(link, .accepted(.tcp, nil))
        second.receive(second.peerHello(peer), on: link)
        let starts = second.take(link).compactMap { if case .subscribe(let s) = $0 { s.start } else { nil } }
        #expect(starts == [.beginning])
    }

    @Test func aLaterWriteOfTheNameEndsTheWait() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 5, [record(5, "a", stamp(driver.now.wallMilliseconds + 90_000, peer))])
        send(driver, request, through: 6, [record(6, "a", early(driver))])
        #expect(cursor(driver)?.sequence.rawValue == 6)
    }

    @Test func moreEarlyRecordsThanAreHeldKeepTheCursorBeforeTheFirstOfThem() {
        var configuration = ReplicaConfiguration()
        configuration.limits.deferredCount = 2
        let driver = ReplicaDriver(configuration: configuration)
        let request = driver.openPeer(peer)
        let far = stamp(driver.now.wallMilliseconds + 70_000, peer)
        send(driver, request, through: 4, [record(4, "there", early(driver))])
        send(driver, request, through: 7, [record(5, "a", far), record(6, "b", far), record(7, "c", far)])
        // Those that are held are overtaken; the one that is not must be asked for all the same.
        send(driver, request, through: 9, [record(8, "a", early(driver)), record(9, "b", early(driver))])
        #expect(cursor(driver)?.sequence.rawValue == 4)
        _ = driver.take(link)
        driver.advance(milliseconds: 12_000)
        let starts = driver.take(link).compactMap { if case .subscribe(let s) = $0 { s.start } else { nil } }
        guard case .cursor(let start)? = starts.first else {
            Issue.record("no cursor was kept: \(starts)")
            return
        }
        #expect(start.sequence.rawValue == 4)
    }

    // MARK: Refusals

    @Test func aBadEnvelopeIsRefusedForGoodRememberedAndPassed() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        let stamp = early(driver)
        send(driver, request, through: 5, [record(5, "a", stamp, [0xFF])])
        let refusal = Refusal(peer: peer, name: name("a"), stamp: stamp, code: .invalidEnvelope)
        #expect(driver.commits.flatMap(\.refusals) == [refusal])
        #expect(cursor(driver)?.sequence.rawValue == 5)
        let told = acknowledgements(driver.take(link)).flatMap(\.refused)
        #expect(told.map(\.code) == [SyncError.Code.invalidEnvelope.rawValue])
        #expect(told.map(\.retryMilliseconds) == [0])
    }

    @Test func aFullStoreStopsTheReadingUntilItIsAskedForAgain() {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        driver.holdsCommits = true
        send(driver, request, through: 5, [record(5, "a", early(driver))])
        driver.finishCommit(.full("no room"))
        send(driver, request, through: 6, [record(6, "b", early(driver))])
        #expect(driver.heldCommit == nil)
        _ = driver.take(link)
        driver.advance(milliseconds: 5100)
        let asked = driver.take(link).compactMap { if case .subscribe(let s) = $0 { s } else { nil } }
        #expect(asked.map(\.start) == [.beginning])
        send(driver, asked.first?.request, through: 6, [record(6, "b", early(driver))])
        driver.finishCommit()
        #expect(driver.store.rows.count == 1)
    }

    @Test(arguments: [[6, 5], [5, 5], [0], [9]] as [[UInt64]])
    func recordsOutOfOrderEndTheSession(sequences: [UInt64]) {
        let driver = ReplicaDriver()
        let request = driver.openPeer(peer)
        send(driver, request, through: 8, sequences.map { record($0, "n\($0)", early(driver)) })
        #expect(driver.closes[link]??.code == .malformedMessage)
    }

    @Test func recordsOfAnotherSubscriptionAreDropped() {
        let driver = ReplicaDriver()
        driver.openPeer(peer)
        send(driver, RequestID(rawValue: 4000), through: 5, [record(5, "a", early(driver))])
        #expect(driver.store.rows.isEmpty)
        #expect(driver.closes[link] == nil)
    }
}
