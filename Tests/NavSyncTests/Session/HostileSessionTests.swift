// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Peers and programs that keep to the protocol and to their rights, and still mean harm.
@Suite struct HostileSessionTests {
    private let link = SessionID(rawValue: 50)
    private let peer = node(2)

    private func receive(_ driver: ReplicaDriver, _ request: RequestID?, _ items: [WireRecord]) {
        driver.receive(
            Records(
                request: request ?? .none, through: items.last?.sequence ?? .zero, mark: Mark(rawValue: 1),
                items: items),
            on: link)
    }

    private func record(_ sequence: UInt64, _ text: String, _ stamp: Stamp, writeCount: UInt64 = 1) -> WireRecord {
        WireRecord(
            sequence: Sequence(rawValue: sequence), name: name(text), stamp: stamp, writeCount: writeCount, base: nil,
            content: .envelope([1]))
    }

    private func limits(_ change: (inout SyncLimits) -> Void) -> ReplicaConfiguration {
        var limits = SyncLimits.default
        change(&limits)
        return ReplicaConfiguration(limits: limits)
    }

    @Test func theGreatestWriteCountUnderOurOwnNameStopsNoWriteAfterARestart() {
        let driver = ReplicaDriver(node(1))
        let request = driver.openPeer(peer)
        receive(
            driver, request, [record(1, "a", stamp(driver.now.wallMilliseconds, node(1)), writeCount: .max)])
        let second = ReplicaDriver(node(1), store: driver.store)
        let client = second.openClient()
        #expect(second.push("b", [1], on: client) != nil)
        #expect(second.push("b", [2], on: client) != nil)
    }

    @Test func whoTakesNoAnswersMakesTheStoreReadLittle() {
        let driver = ReplicaDriver(
            configuration: limits {
                $0.recentEnvelopeByteCount = 0
                $0.outputHighWaterByteCount = 100_000
            })
        let client = driver.openClient()
        driver.push("large", [UInt8](repeating: 4, count: 30_000), on: client)
        driver.blocked = [client]
        driver.holdsReads = true
        for request in 1...50 as ClosedRange<UInt64> {
            driver.receive(Pull(request: RequestID(rawValue: request), name: name("large")), on: client)
        }
        #expect(driver.heldReads.count == 4)
        for _ in 0..<4 as Range<Int> { driver.finishRead() }
        #expect(driver.heldReads.isEmpty)
        driver.unblock(client)
        var answers = 0
        while !driver.heldReads.isEmpty {
            driver.finishRead()
            driver.unblock(client)
        }
        for case .records in driver.take(client) { answers += 1 }
        #expect(answers == 50)
    }

    @Test func aPrefixThatNoNameCanHaveIsRefused() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let prefix = [UInt8](repeating: 0x61, count: StackName.maximumByteCount + 1)
        driver.receive(Subscribe(request: RequestID(rawValue: 3), prefix: prefix, start: .now), on: client)
        driver.receive(List(request: RequestID(rawValue: 4), prefix: prefix), on: client)
        var refused: [UInt64: SyncError.Code] = [:]
        for case .error(let message) in driver.take(client) { refused[message.request.rawValue] = message.error.code }
        #expect(refused == [3: .invalidName, 4: .invalidName])
    }

    @Test func aReadForAnEndedWatchMovesNoOther() {
        let driver = ReplicaDriver(configuration: limits { $0.recentEnvelopeByteCount = 0 })
        let writer = driver.openClient(1)
        let watcher = driver.openClient(2)
        let request = RequestID(rawValue: 9)
        let large = [UInt8](repeating: 4, count: 5000)
        driver.push("a", large, on: writer)
        driver.holdsReads = true
        driver.receive(Subscribe(request: request, start: .beginning), on: watcher)
        driver.receive(Unsubscribe(request: request), on: watcher)
        driver.receive(Subscribe(request: request, start: .now), on: watcher)
        driver.push("b", large, on: writer)
        #expect(driver.heldReads.count == 2)
        driver.finishRead(0)
        #expect(driver.heldReads.count == 1)
        driver.finishRead(0)
        var names: [StackName] = []
        for case .records(let message) in driver.take(watcher) { names += message.items.map(\.name) }
        #expect(names == [name("b")])
    }

    @Test func aPeerCannotMakeTheStatusLongerThanAFrame() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.open(link, .accepted(.tcp, nil), access: .peer(peer, Rights(read: .all, write: .none)))
        driver.receive(driver.peerHello(peer), on: link)
        let ours = RequestID(rawValue: 8)
        driver.push("a", [1], on: client)
        driver.receive(Subscribe(request: ours, start: .beginning), on: link)
        var request: RequestID?
        for case .subscribe(let message) in driver.take(link) { request = message.request }
        let early = stamp(driver.now.wallMilliseconds, peer)
        let names = (1...1000 as ClosedRange<Int>).map { "\($0)" + String(repeating: "x", count: 500) }
        receive(driver, request, names.enumerated().map { record(UInt64($0 + 1), $1, early) })
        let refused = names.map {
            Acknowledge.Refused(
                code: 65, sequence: Sequence(rawValue: 1), name: name($0), stamp: early, retryMilliseconds: 0)
        }
        driver.receive(Acknowledge(request: ours, sequence: Sequence(rawValue: 1), refused: refused), on: link)
        driver.receive(Status(request: RequestID(rawValue: 4)), on: client)
        var reports: [StatusReport] = []
        for case .statusReport(let message) in driver.take(client) { reports.append(message) }
        #expect(reports.map { $0.frame.count < SyncLimits.default.frameByteCount } == [true])
        let keys = Set(reports.flatMap(\.items).map(\.key))
        #expect(keys.isSuperset(of: ["store.head", "peer.0.state", "peer.0.refused-there.0", "left-out"]))
    }

    @Test func listsThatPassManyRemovedNamesAreTakenInShares() {
        let driver = ReplicaDriver(configuration: limits { $0.claimedByteCountPerRound = 1_000 })
        let client = driver.openClient()
        for number in 1...10 as ClosedRange<UInt64> {
            driver.push("n\(number)", [1, 2, 3], on: client, request: number)
            driver.receive(Delete(request: RequestID(rawValue: 100 + number), name: name("n\(number)")), on: client)
        }
        _ = driver.take(client)
        let before = driver.sendCounts[client] ?? 0
        let lists = (1...40 as ClosedRange<UInt64>).flatMap { List(request: RequestID(rawValue: 200 + $0)).frame }
        driver.receive(lists, on: client)
        driver.advance(milliseconds: 10)
        let answers = driver.take(client).compactMap { if case .listing(let listing) = $0 { listing } else { nil } }
        #expect(answers.map(\.request.rawValue) == Array(201...240) && answers.allSatisfy(\.items.isEmpty))
        // Two lists, or three at first, and a share is over.
        #expect((driver.sendCounts[client] ?? 0) - before >= 15)
        #expect(driver.paused.isEmpty)
    }

    @Test func aMessageThatIsMuchWorkIsTakenInShares() {
        let driver = ReplicaDriver(configuration: limits { $0.claimedByteCountPerRound = 100 })
        let request = driver.openPeer(peer)
        let early = stamp(driver.now.wallMilliseconds, peer)
        let items = (1...50 as ClosedRange<UInt64>).map { number in
            WireRecord(
                sequence: Sequence(rawValue: number), name: name("n\(number)"), stamp: early, writeCount: 1, base: nil,
                content: .envelope([UInt8](repeating: 1, count: 10)))
        }
        receive(driver, request, items)
        driver.advance(milliseconds: 10)
        let rows = driver.commits.map(\.rows.count)
        #expect(rows.reduce(0, +) == 50 && rows.allSatisfy { $0 <= 30 })
        #expect(driver.commits.filter { !$0.cursors.isEmpty }.count == 1)
        let told = driver.take(link).compactMap { if case .acknowledge(let message) = $0 { message } else { nil } }
        #expect(told.map(\.sequence.rawValue) == [50])
        let client = driver.openClient()
        for number in 1...50 as ClosedRange<UInt64> {
            let push = Push(
                request: RequestID(rawValue: number), name: name("n"), envelope: [UInt8](repeating: 1, count: 10))
            driver.receive(push, on: client)
        }
        driver.advance(milliseconds: 10)
        #expect(driver.take(client).count == 50)
        #expect(driver.paused.isEmpty)
    }
}
