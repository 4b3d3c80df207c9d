// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// No reader is taken past a live row that the store did not give.
@Suite struct FailedReadTests {
    private static let faults: [EnvelopeRead] = [.failed("input/output error"), .absent]
    private let link = SessionID(rawValue: 50)
    private let large = [UInt8](repeating: 7, count: 5000)

    /// Whose `large` is in the store only.
    private func makeDriver() -> (ReplicaDriver, client: SessionID) {
        var configuration = ReplicaConfiguration()
        configuration.limits.recentEnvelopeByteCount = 1
        let driver = ReplicaDriver(configuration: configuration)
        let client = driver.openClient()
        driver.push("large", large, on: client)
        return (driver, client)
    }

    private func records(_ messages: [Message]) -> [Records] {
        messages.compactMap { if case .records(let records) = $0 { records } else { nil } }
    }

    @Test(arguments: faults) func aPeerStandsBeforeARowThatCannotBeReadAndGetsItLater(fault: EnvelopeRead) throws {
        let (driver, client) = makeDriver()
        driver.openPeer(node(2))
        driver.readFault = fault
        driver.receive(Subscribe(request: RequestID(rawValue: 1001), start: .beginning), on: link)
        for number in 1...20 as ClosedRange<UInt8> { driver.push("small", [number], on: client) }
        // A heartbeat must not tell it that it has everything, either.
        driver.advance(milliseconds: 12_000)
        #expect(records(driver.take(link)).isEmpty)
        #expect(driver.readCount <= 4, "once, and once in five seconds")

        driver.readFault = nil
        driver.advance(milliseconds: 5_000)
        let messages = records(driver.take(link))
        #expect(messages.flatMap(\.items).map(\.name) == [name("large"), name("small")])
        #expect(messages.flatMap(\.items).first?.content == .envelope(large))
        #expect(messages.last?.through == driver.store.rows.last?.sequence)
    }

    @Test(arguments: faults) func aWatcherStandsBeforeARowThatCannotBeReadAndGetsItLater(fault: EnvelopeRead) throws {
        let (driver, client) = makeDriver()
        let watcher = driver.openClient(2)
        driver.readFault = fault
        driver.receive(Subscribe(request: RequestID(rawValue: 5), start: .beginning), on: watcher)
        driver.push("small", [1], on: client)
        #expect(records(driver.take(watcher)).isEmpty)
        driver.readFault = nil
        driver.advance(milliseconds: 5_000)
        let items = records(driver.take(watcher)).flatMap(\.items)
        #expect(items.map(\.name) == [name("large"), name("small")])
    }

    @Test func aReadThatFailedKeepsNoRoomFromOtherSubscriptions() throws {
        var configuration = ReplicaConfiguration()
        configuration.limits.recentEnvelopeByteCount = 1
        configuration.limits.outputHighWaterByteCount = 4000
        let driver = ReplicaDriver(configuration: configuration)
        let client = driver.openClient()
        for text in ["a", "b"] { driver.push(text, large, on: client) }
        let watcher = driver.openClient(2)
        driver.holdsReads = true
        for (request, text) in [(5, "a"), (6, "b")] as [(UInt64, String)] {
            driver.receive(
                Subscribe(request: RequestID(rawValue: request), prefix: Array(text.utf8), start: .beginning),
                on: watcher)
        }
        #expect(driver.heldReads.count == 1, "there is room for one")
        driver.readFault = .failed("input/output error")
        driver.finishRead()
        try #require(driver.heldReads.count == 1, "it is the other's turn")
        driver.readFault = nil
        driver.finishRead()
        #expect(records(driver.take(watcher)).flatMap(\.items).map(\.name) == [name("b")])
    }

    @Test func whatIsWrongIsSaid() throws {
        let (driver, client) = makeDriver()
        let row = try #require(driver.store.rows.first)
        driver.readFault = .failed("input/output error")
        #expect(driver.pull("large", on: client) == nil)
        #expect(driver.events.contains(.readFailed(row.sequence, "input/output error")))
        driver.readFault = .absent
        #expect(driver.pull("large", on: client) == nil)
        #expect(driver.events.contains(.envelopeMissing(row.sequence)))
    }

    @Test func aRowThatWasWrittenAgainMeanwhileIsNoFault() throws {
        let (driver, client) = makeDriver()
        driver.holdsReads = true
        driver.openPeer(node(2))
        driver.receive(Subscribe(request: RequestID(rawValue: 1001), start: .beginning), on: link)
        driver.push("large", [1], on: client)
        driver.readFault = .absent
        driver.finishRead()
        #expect(records(driver.take(link)).flatMap(\.items).map(\.content) == [.envelope([1])])
        #expect(!driver.events.contains { if case .envelopeMissing = $0 { true } else { false } })
    }

    @Test func aStoreThatFailsBetweenTwoCommitsTakesNothingMore() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.failStore("checkpoint: input/output error")
        driver.failStore("checkpoint: input/output error")
        #expect(driver.push("a", [1], on: client) == nil)
        #expect(driver.commits.isEmpty)
        #expect(driver.takeEvents().count { $0 == .storeFailed("checkpoint: input/output error") } == 1)
    }

    @Test func whoWaitsForACommitIsAnsweredWhenTheStoreFailsBeforeIt() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.holdsCommits = true
        for request in 1...2 as ClosedRange<UInt64> {
            driver.receive(Push(request: RequestID(rawValue: request), name: name("a"), envelope: [1]), on: client)
        }
        driver.failStore("gone")
        // The outstanding commit has its own answer.
        #expect(driver.take(client).isEmpty)
        driver.finishCommit(.failed("gone"))
        let codes = driver.take(client).compactMap { if case .error(let e) = $0 { e.error.code } else { nil } }
        #expect(codes == [.storeFailed, .storeFailed])
    }
}
