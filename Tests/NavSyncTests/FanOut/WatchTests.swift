// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct WatchTests {
    private let watch = RequestID(rawValue: 70)

    private func items(_ messages: [Message]) -> [WireRecord] {
        messages.flatMap { message -> [WireRecord] in
            if case .records(let records) = message { records.items } else { [] }
        }
    }

    private func subscribe(
        _ driver: ReplicaDriver, _ id: SessionID, _ start: SubscriptionStart, prefix: String = "",
        withoutEnvelopes: Bool = false
    ) {
        driver.receive(
            Subscribe(
                request: watch, prefix: Array(prefix.utf8), start: start, withoutEnvelopes: withoutEnvelopes),
            on: id)
    }

    @Test func aWatcherFromTheBeginningGetsWhatIsLiveAndThenEachChange() {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        driver.push("a", [1], on: writer)
        driver.push("gone", [1], on: writer)
        driver.receive(Delete(request: RequestID(rawValue: 3), name: name("gone")), on: writer)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .beginning)
        #expect(items(driver.take(watcher)).map(\.name) == [name("a")])
        driver.push("b", [2], on: writer)
        driver.receive(Delete(request: RequestID(rawValue: 4), name: name("a")), on: writer)
        let changes = items(driver.take(watcher))
        #expect(changes.map(\.name) == [name("b"), name("a")])
        #expect(changes.map(\.isTombstone) == [false, true])
    }

    @Test func aWatcherFromNowGetsOnlyWhatFollows() {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        driver.push("a", [1], on: writer)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .now)
        #expect(items(driver.take(watcher)).isEmpty)
        driver.push("a", [2], on: writer)
        #expect(items(driver.take(watcher)).map(\.content) == [.envelope([2])])
    }

    @Test func aPrefixAndNoEnvelopes() {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .now, prefix: "shop/", withoutEnvelopes: true)
        _ = driver.take(watcher)
        driver.push("mail/1", [1], on: writer)
        driver.push("shop/1", [1, 2, 3], on: writer)
        let found = items(driver.take(watcher))
        #expect(found.map(\.name) == [name("shop/1")])
        #expect(found.map(\.content) == [.omitted(byteCount: 3)])
    }

    @Test func sameContentWakesNobodyButGetsANewStamp() throws {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .beginning)
        let first = try #require(driver.push("a", [1], on: writer))
        #expect(items(driver.take(watcher)).count == 1)
        let second = try #require(driver.push("a", [1], on: writer))
        #expect(second > first)
        #expect(driver.take(watcher).isEmpty)
        driver.push("a", [2], on: writer)
        #expect(items(driver.take(watcher)).count == 1)
    }

    /// The row that made the content current is gone by the time a slow watcher comes to it.
    @Test func aWatcherBehindBothWritesOfOneContentStillGetsIt() {
        var limits = SyncLimits.default
        limits.outputHighWaterByteCount = 100
        limits.recordsMessageByteCount = 10
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .now)
        driver.blocked.insert(watcher)
        driver.push("filler/1", [UInt8](repeating: 9, count: 200), on: writer)
        driver.push("a", [7], on: writer)
        driver.push("filler/2", [UInt8](repeating: 9, count: 200), on: writer)
        driver.push("a", [7], on: writer)
        for _ in 0..<10 { driver.unblock(watcher) }
        let found = items(driver.take(watcher)).filter { $0.name == name("a") }
        #expect(found.map(\.content) == [.envelope([7])])
    }

    @Test func aSlowWatcherCostsNoMemoryAndGetsTheLatestOfEachName() {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .now)
        driver.blocked.insert(watcher)
        for round in 0..<2000 as Range<Int> {
            driver.push("n\(round % 10)", [UInt8](repeating: UInt8(round % 251), count: 2000), on: writer)
        }
        let owed = driver.sentByteCounts[watcher] ?? 0
        #expect(owed < SyncLimits.default.outputHighWaterByteCount + (128 << 10))
        _ = driver.take(watcher)
        for _ in 0..<10 { driver.unblock(watcher) }
        let rest = items(driver.take(watcher))
        #expect(rest.count == 10)
        for record in rest { #expect(driver.pull(record.name.description, on: writer)?.content == record.content) }
    }

    @Test func aLargeContentIsReadFromTheStoreAndTheOrderHolds() {
        var limits = SyncLimits.default
        limits.recentEnvelopeByteCount = 0
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let writer = driver.openClient(1)
        let large = [UInt8](repeating: 4, count: 50_000)
        driver.push("a", [1], on: writer)
        driver.push("large", large, on: writer)
        driver.push("b", [2], on: writer)
        let watcher = driver.openClient(2)
        driver.holdsReads = true
        subscribe(driver, watcher, .beginning)
        #expect(items(driver.take(watcher)).map(\.name) == [name("a")])
        #expect(driver.heldReads.count == 1)
        // Written again before the read comes back: the watcher gets the new one, once.
        driver.push("large", [5], on: writer)
        driver.finishRead()
        let found = items(driver.take(watcher))
        #expect(found.map(\.name) == [name("b"), name("large")])
        #expect(found.last?.content == .envelope([5]))
    }

    /// Nobody reads: sixteen watches must not hold sixteen large envelopes.
    @Test func watchesThatReadNothingHoldOneLargeEnvelope() {
        var limits = SyncLimits.default
        limits.recentEnvelopeByteCount = 0
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let writer = driver.openClient(1)
        let size = 700_000
        for text in ["a", "b"] { driver.push(text, [UInt8](repeating: 4, count: size), on: writer) }
        let watcher = driver.openClient(2)
        driver.blocked.insert(watcher)
        driver.holdsReads = true
        let before = driver.sentByteCounts[watcher] ?? 0
        for number in 1...16 as ClosedRange<UInt64> {
            driver.receive(Subscribe(request: RequestID(rawValue: number), start: .beginning), on: watcher)
        }
        #expect(driver.heldReads.count == 1)
        var read = 0
        while !driver.heldReads.isEmpty {
            driver.finishRead()
            read += 1
        }
        #expect(read == 1)
        #expect((driver.sentByteCounts[watcher] ?? 0) - before < size + 4096)
        // Once it reads, each watch gets everything, and none waits for the end of another.
        driver.holdsReads = false
        driver.unblock(watcher)
        var told: [UInt64: [StackName]] = [:]
        var order: [UInt64] = []
        for case .records(let message) in driver.take(watcher) {
            told[message.request.rawValue, default: []] += message.items.map(\.name)
            order.append(message.request.rawValue)
        }
        #expect(told == Dictionary(uniqueKeysWithValues: (1...16).map { ($0, [name("a"), name("b")]) }))
        #expect(Set(order.prefix(16)).count == 16)
    }

    @Test(arguments: [true, false]) func aWatchThatEndsWhileItsEnvelopeIsReadGivesItsRoomToTheNext(isRead: Bool) {
        var limits = SyncLimits.default
        limits.recentEnvelopeByteCount = 0
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let writer = driver.openClient(1)
        driver.push("a", [UInt8](repeating: 4, count: 700_000), on: writer)
        let watcher = driver.openClient(2)
        driver.holdsReads = true
        for number in 1...2 as ClosedRange<UInt64> {
            driver.receive(Subscribe(request: RequestID(rawValue: number), start: .beginning), on: watcher)
        }
        if isRead {
            // Written again, small: what is read is of no use to the first.
            driver.push("a", [5], on: writer)
        } else {
            driver.receive(Unsubscribe(request: RequestID(rawValue: 1)), on: watcher)
        }
        while !driver.heldReads.isEmpty { driver.finishRead() }
        var told: Set<UInt64> = []
        for case .records(let message) in driver.take(watcher) { told.insert(message.request.rawValue) }
        #expect(told == (isRead ? [1, 2] : [2]))
    }

    @Test func anEndedSubscriptionIsSilent() {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        subscribe(driver, watcher, .now)
        driver.receive(Unsubscribe(request: watch), on: watcher)
        _ = driver.take(watcher)
        driver.push("a", [1], on: writer)
        #expect(driver.take(watcher).isEmpty)
    }

    @Test func watchersOfALostSessionAreForgotten() {
        let driver = ReplicaDriver()
        for number in 100..<300 as Range<UInt64> {
            let id = driver.openClient(number)
            subscribe(driver, id, .now)
            driver.lose(id)
        }
        let client = driver.openClient(1)
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        guard case .statusReport(let report)? = driver.take(client).first else { return }
        #expect(report.items.first { $0.key == "sessions.watchers" }?.value == "0")
    }
}
