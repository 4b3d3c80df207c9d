// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct GroupCommitTests {
    private func push(_ driver: ReplicaDriver, _ text: String, _ envelope: [UInt8], _ request: UInt64, _ id: SessionID)
    {
        driver.receive(Push(request: RequestID(rawValue: request), name: name(text), envelope: envelope), on: id)
    }

    private func acknowledged(_ messages: [Message]) -> [UInt64] {
        messages.compactMap { if case .acknowledge(let message) = $0 { message.request.rawValue } else { nil } }
    }

    @Test func nothingIsVisibleOrAcknowledgedBeforeTheCommit() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.receive(Subscribe(request: RequestID(rawValue: 90), start: .beginning), on: client)
        _ = driver.take(client)
        driver.holdsCommits = true
        push(driver, "a", [1], 5, client)
        #expect(driver.take(client).isEmpty)
        #expect(driver.pull("a", on: client) == nil)
        driver.finishCommit()
        let messages = driver.take(client)
        #expect(acknowledged(messages) == [5])
        #expect(messages.contains { if case .records(let r) = $0 { r.items.count == 1 } else { false } })
        #expect(driver.pull("a", on: client) != nil)
    }

    @Test func whatArrivesDuringACommitGoesIntoTheNext() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.holdsCommits = true
        push(driver, "a", [1], 1, client)
        for request in 2...50 as ClosedRange<UInt64> { push(driver, "n\(request % 5)", [2], request, client) }
        #expect(driver.heldCommit?.rows.count == 1)
        driver.finishCommit()
        #expect(acknowledged(driver.take(client)) == [1])
        #expect(driver.heldCommit?.rows.count == 49)
        driver.finishCommit()
        #expect(acknowledged(driver.take(client)) == Array(2...50))
        #expect(driver.commits.count == 2)
    }

    @Test func aFailureTakesTheOpenBatchWithItAndLeavesNoTrace() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.holdsCommits = true
        push(driver, "a", [2], 2, client)
        push(driver, "b", [3], 3, client)
        driver.finishCommit(.full("no room"))
        let failed = driver.take(client).compactMap { message -> UInt64? in
            guard case .error(let error) = message, error.error.code == .storeFull else { return nil }
            return error.request.rawValue
        }
        #expect(failed == [2, 3])
        driver.holdsCommits = false
        #expect(driver.pull("a", on: client)?.content == .envelope([1]))
        #expect(driver.pull("b", on: client) == nil)
        #expect(driver.events.contains(.storeFull("no room")))
        // And then it works again, above every sequence that was given out before.
        #expect(driver.push("b", [4], on: client) != nil)
        #expect(driver.events.contains(.storeRecovered))
        #expect(driver.store.rows.map(\.sequence.rawValue) == [1, 4])
    }

    @Test func aBrokenStoreTakesNothingMore() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.holdsCommits = true
        push(driver, "a", [2], 2, client)
        driver.finishCommit(.failed("fdatasync: input/output error"))
        push(driver, "a", [3], 3, client)
        #expect(driver.heldCommit == nil)
        let codes = driver.take(client).compactMap { if case .error(let e) = $0 { e.error.code } else { nil } }
        #expect(codes == [.storeFailed, .storeFailed])
        #expect(driver.pull("a", on: client)?.content == .envelope([1]))
    }

    @Test func anAcknowledgementForALostSessionIsDropped() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.holdsCommits = true
        push(driver, "a", [1], 5, client)
        driver.lose(client)
        // The place is used again by somebody else.
        let other = driver.openClient(2)
        driver.finishCommit()
        #expect(driver.take(other).isEmpty)
        #expect(driver.pull("a", on: other) != nil)
    }

    @Test func writesAreInOrderWhateverTheClockDoes() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        var last = stamp(0, node(0))
        for step in 0..<200 as Range<UInt64> {
            driver.now.wallMilliseconds = step.isMultiple(of: 3) ? 5 : 1_800_000_000_000 + step
            guard let stamp = driver.push("a", [UInt8(step)], on: client) else {
                Issue.record("not acknowledged")
                return
            }
            #expect(stamp > last)
            last = stamp
        }
    }

    @Test func theFloorSurvivesARestart() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let before = try #require(driver.push("a", [1], on: client))
        let second = ReplicaDriver(store: driver.store)
        second.now.wallMilliseconds = 1000
        let after = try #require(second.push("b", [1], on: second.openClient()))
        #expect(after > before)
    }

    @Test func readingPausesWhileTheOpenBatchIsFull() {
        var limits = SyncLimits.default
        limits.batchRowCount = 10
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let client = driver.openClient()
        driver.holdsCommits = true
        push(driver, "a", [1], 1000, client)
        var burst: [UInt8] = []
        for request in 0..<100 as Range<UInt64> {
            Push(request: RequestID(rawValue: request), name: name("n\(request)"), envelope: [1]).write(to: &burst)
        }
        driver.receive(burst, on: client)
        #expect(driver.paused.contains(client))
        for _ in 0..<20 { driver.finishCommit() }
        #expect(!driver.paused.contains(client))
        #expect(driver.store.rows.count == 101)
        #expect(driver.commits.allSatisfy { $0.rows.count <= 10 })
    }

    @Test func readsAndHeartbeatsGoOnWhileTheOpenBatchIsFull() {
        var limits = SyncLimits.default
        limits.batchRowCount = 2
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let writer = driver.openClient(1)
        let reader = driver.openClient(2)
        driver.openPeer(node(2), 50)
        driver.push("a", [1], on: writer)
        driver.holdsCommits = true
        for request in 1...9 as ClosedRange<UInt64> { push(driver, "n", [2], request, writer) }
        #expect(driver.paused == [writer])
        #expect(driver.pull("a", on: reader) != nil)
        let heartbeat = Heartbeat(
            token: 9, incarnation: Incarnation(rawValue: 5), head: .zero, wallMilliseconds: 1, isSynchronised: true)
        _ = driver.take(SessionID(rawValue: 50))
        driver.receive(Ping(heartbeat), on: SessionID(rawValue: 50))
        #expect(driver.take(SessionID(rawValue: 50)).contains { if case .pong = $0 { true } else { false } })
    }

    @Test func drainFinishesWhatIsInFlightAndSaysGoodbye() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.holdsCommits = true
        push(driver, "a", [1], 1, client)
        push(driver, "b", [1], 2, client)
        driver.drain()
        #expect(!driver.replica.isDrained)
        push(driver, "c", [1], 3, client)
        driver.finishCommit()
        driver.finishCommit()
        #expect(driver.replica.isDrained)
        let messages = driver.take(client)
        #expect(acknowledged(messages) == [1, 2])
        #expect(messages.contains { if case .error(let e) = $0 { e.error.code == .draining } else { false } })
        guard case .goodbye(let goodbye)? = messages.last else {
            Issue.record("no goodbye")
            return
        }
        #expect(goodbye.error?.code == .draining)
        #expect(driver.store.rows.count == 2)
    }
}
