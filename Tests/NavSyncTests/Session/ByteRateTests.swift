// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Reading no faster than a limit: paused, never lost, never cut off.
@Suite struct ByteRateTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func driver(peerRate: Int? = nil, userRate: Int? = nil) -> ReplicaDriver {
        var configuration = ReplicaConfiguration()
        configuration.limits.peerByteRate = peerRate
        configuration.limits.userByteRate = userRate
        return ReplicaDriver(configuration: configuration)
    }

    private func records(_ request: RequestID, _ sequence: UInt64, bytes: Int) -> Records {
        let item = WireRecord(
            sequence: Sequence(rawValue: sequence), name: name("s\(sequence)"),
            stamp: stamp(1_700_000_000_000 + sequence, peer), writeCount: 1, base: nil,
            content: .envelope([UInt8](repeating: 1, count: bytes)))
        return Records(
            request: request, through: Sequence(rawValue: sequence), mark: Mark(rawValue: 9), items: [item])
    }

    private func openUser(_ driver: ReplicaDriver, _ number: UInt64, _ role: LocalRole, user: UInt32 = 7) -> SessionID {
        let id = SessionID(rawValue: number)
        let credentials = Credentials(processID: 1, userID: user, groupID: 1)
        driver.open(id, .accepted(.unix, credentials), access: .client(role))
        driver.receive(Hello.client(software: "test"), on: id)
        _ = driver.take(id)
        return id
    }

    @Test func aPeerThatSendsTooFastIsReadAgainWhenItIsPaidFor() throws {
        let driver = driver(peerRate: 100_000)
        let request = try #require(driver.openPeer(peer))
        driver.receive(records(request, 1, bytes: 90_000), on: link)
        #expect(driver.paused.isEmpty, "a second's worth may come at once")
        driver.receive(records(request, 2, bytes: 300_000), on: link)
        #expect(driver.paused == [link])
        driver.advance(milliseconds: 2500)
        #expect(driver.paused == [link])
        driver.advance(milliseconds: 1000)
        #expect(driver.paused.isEmpty)
        // What had come before the pause is not lost.
        let client = driver.openClient(7)
        #expect(driver.pull("s1", on: client) != nil)
        #expect(driver.pull("s2", on: client) != nil)
        #expect(driver.closes.isEmpty)
    }

    @Test func aPeerThatIsNotReadIsNotGivenUpAndHearsOfUs() throws {
        let driver = driver(peerRate: 10_000)
        let request = try #require(driver.openPeer(peer))
        driver.receive(records(request, 1, bytes: 600_000), on: link)
        let isPinged = driver.take(link).contains { if case .ping = $0 { true } else { false } }
        #expect(isPinged)
        driver.advance(milliseconds: 45_000)
        #expect(driver.paused == [link])
        #expect(driver.closes.isEmpty, "silence of our own making")
        driver.advance(milliseconds: 20_000)
        #expect(driver.paused.isEmpty)
        driver.advance(milliseconds: 45_000)
        #expect(driver.closes[link]??.code == .deadlineExceeded, "real silence still counts")
    }

    @Test func aNewLinkIsNoNewBudget() throws {
        let driver = driver(peerRate: 10_000)
        let request = try #require(driver.openPeer(peer))
        driver.receive(records(request, 1, bytes: 100_000), on: link)
        driver.lose(link)
        _ = driver.openPeer(peer, 51)
        #expect(driver.paused.contains(SessionID(rawValue: 51)))
    }

    @Test func oneUsersConnectionsShareABudgetAndOthersAreNotSlowed() {
        let driver = driver(userRate: 100_000)
        let first = openUser(driver, 1, .writer)
        let second = openUser(driver, 2, .writer)
        let other = openUser(driver, 3, .writer, user: 8)
        driver.push("a", [UInt8](repeating: 1, count: 300_000), on: first)
        driver.push("b", [1], on: second)
        driver.push("c", [1], on: other)
        #expect(driver.paused == [first, second])
        driver.advance(milliseconds: 3000)
        #expect(driver.paused.isEmpty)
        #expect(driver.pull("a", on: other) != nil && driver.pull("b", on: other) != nil)
    }

    @Test func administratorsAndWhoHasNoLimitAreNeverPaused() {
        let limited = driver(userRate: 1000)
        let administrator = openUser(limited, 1, .administrator)
        limited.push("a", [UInt8](repeating: 1, count: 300_000), on: administrator)
        #expect(limited.paused.isEmpty)
        let unlimited = driver()
        let writer = openUser(unlimited, 1, .writer)
        unlimited.push("a", [UInt8](repeating: 1, count: 300_000), on: writer)
        #expect(unlimited.paused.isEmpty)
    }

    @Test func aReaderThatIsBothSlowAndTooFastIsReadWhenNeitherHolds() {
        let driver = driver(userRate: 100_000)
        let writer = openUser(driver, 1, .writer)
        driver.push("a", [UInt8](repeating: 1, count: 600_000), on: writer)
        driver.advance(milliseconds: 7000)
        driver.blocked = [writer]
        driver.receive(Pull(request: RequestID(rawValue: 5), name: name("a")), on: writer)
        // The next frame waits for the reader, and it is one that is not paid for.
        driver.receive(
            Push(
                request: RequestID(rawValue: 6), name: name("b"), envelope: [UInt8](repeating: 1, count: 300_000),
                expected: .anything), on: writer)
        #expect(driver.paused == [writer])
        driver.unblock(writer)
        #expect(driver.paused == [writer], "not paid for yet")
        driver.advance(milliseconds: 4000)
        #expect(driver.paused.isEmpty)
    }
}
