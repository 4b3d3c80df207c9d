// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Names that a peer with a limit may leave behind, removed.
@Suite struct RemovedNamesTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)
    private let rights = Rights(read: .none, write: .all, maximumStackCount: 1)

    /// Two removed names, and one more for each stack that the peer may have.
    private func driver(store: MemoryStore = MemoryStore(incarnation: Incarnation(rawValue: 1))) -> ReplicaDriver {
        var limits = SyncLimits.default
        limits.removedCount = 2
        limits.removedCountPerStack = 1
        return ReplicaDriver(configuration: ReplicaConfiguration(limits: limits), store: store)
    }

    private func open(_ driver: ReplicaDriver, _ rights: Rights) throws -> RequestID {
        driver.open(link, .accepted(.tcp, nil), access: .peer(peer, rights))
        driver.receive(driver.peerHello(peer), on: link)
        for case .subscribe(let message) in driver.take(link) { return message.request }
        throw SyncError.notPermitted("no subscription")
    }

    /// Sends one record per text, in the order of their stamps: "-a" removes a. Returns what was refused.
    @discardableResult
    private func send(_ texts: [String], from first: UInt64, _ request: RequestID, to driver: ReplicaDriver) -> [String]
    {
        let items = texts.enumerated().map { number, text in
            WireRecord(
                sequence: Sequence(rawValue: first + UInt64(number)), name: name(text.filter { $0 != "-" }),
                stamp: stamp(1_800_000_000_000 + first + UInt64(number), peer), writeCount: 1, base: nil,
                content: text.hasPrefix("-") ? .tombstone : .envelope([1, 2, 3]))
        }
        driver.receive(
            Records(
                request: request, through: Sequence(rawValue: first + UInt64(texts.count) - 1),
                mark: Mark(rawValue: 9), items: items), on: link)
        return driver.take(link).flatMap { message -> [String] in
            guard case .acknowledge(let acknowledged) = message else { return [] }
            return acknowledged.refused.filter { $0.code == SyncError.Code.limitExceeded.rawValue }.map(
                \.name.description)
        }
    }

    private func status(of driver: ReplicaDriver) -> [String: String] {
        let client = driver.openClient(9)
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        guard case .statusReport(let report)? = driver.take(client).first else { return [:] }
        return Dictionary(report.items.map { ($0.key, $0.value) }) { $1 }
    }

    @Test func removalsOfNamesThatNeverWereEndAtALimitAndAreShownOnBothSides() throws {
        let driver = driver()
        let request = try open(driver, rights)
        let refused = send((0..<50).map { "-n\($0)" }, from: 1, request, to: driver)
        #expect(refused == (3..<50).map { "n\($0)" })
        let status = status(of: driver)
        #expect(status["store.tombstones"] == "3")
        #expect(status["refusal.0"]?.hasPrefix("limitExceeded stack=n") == true)
    }

    @Test func stacksThatAreMadeAndRemovedAgainEndAtTheSameLimit() throws {
        let driver = driver()
        let request = try open(driver, rights)
        let refused = send(["a", "-a", "b", "-b", "c", "-c", "d", "-d"], from: 1, request, to: driver)
        #expect(refused == ["d", "d"])
        // What is known already may come back.
        #expect(send(["c"], from: 9, request, to: driver).isEmpty)
        #expect(driver.pull("c", on: driver.openClient(7)) != nil)
    }

    @Test func aRemovalOfWhatIsHereIsAlwaysTaken() throws {
        let driver = driver()
        let client = driver.openClient(7)
        for number in 0..<5 as Range<Int> { driver.push("ours\(number)", [1], on: client) }
        let request = try open(driver, rights)
        send(["-x", "-y", "-z"], from: 1, request, to: driver)
        #expect(send((0..<5).map { "-ours\($0)" }, from: 100, request, to: driver).isEmpty)
        for number in 0..<5 as Range<Int> { #expect(driver.pull("ours\(number)", on: client) == nil) }
    }

    @Test func aNewLinkAndARestartCountWhatIsThere() throws {
        let first = driver()
        send(["-x", "-y", "-z"], from: 1, try open(first, rights), to: first)
        first.lose(link)
        #expect(send(["-again"], from: 4, try open(first, rights), to: first) == ["again"])
        let second = driver(store: first.store)
        let request = try open(second, rights)
        #expect(send(["-after"], from: 5, request, to: second) == ["after"])
        // Written anew by others, they are no longer the peer's.
        let client = second.openClient(7)
        for text in ["x", "y"] { second.push(text, [1], on: client) }
        second.advance(milliseconds: 1500)
        #expect(send(["-more"], from: 6, request, to: second).isEmpty)
    }

    @Test func aLimitOfBytesLimitsRemovedNamesToo() throws {
        let driver = driver()
        let request = try open(driver, Rights(read: .none, write: .all, maximumByteCount: 4096))
        #expect(send((0..<6).map { "-n\($0)" }, from: 1, request, to: driver) == ["n4", "n5"])
    }

    @Test func aPeerWithoutALimitHasNoneForRemovals() throws {
        let driver = driver()
        #expect(send((0..<50).map { "-n\($0)" }, from: 1, try open(driver, .all), to: driver).isEmpty)
    }
}
