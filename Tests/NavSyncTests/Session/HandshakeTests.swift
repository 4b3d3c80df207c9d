// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct HandshakeTests {
    private let id = SessionID(rawValue: 50)

    private func code(_ driver: ReplicaDriver, _ id: SessionID) -> SyncError.Code? { driver.closes[id]??.code }

    @Test func aClientIsAnsweredWithOurHello() {
        let driver = ReplicaDriver()
        driver.open(id)
        #expect(driver.take(id).isEmpty)
        driver.receive(Hello.client(software: "x"), on: id)
        guard case .hello(let hello)? = driver.take(id).first else {
            Issue.record("no hello")
            return
        }
        #expect(hello.node == node(1))
        #expect(hello.role == .peer)
    }

    @Test func requestsMayFollowHelloWithoutWaiting() {
        let driver = ReplicaDriver()
        driver.open(id)
        var bytes = Hello.client(software: "x").frame
        Push(request: RequestID(rawValue: 5), name: name("a"), envelope: [1]).write(to: &bytes)
        driver.receive(bytes, on: id)
        #expect(
            driver.take(id).contains { if case .acknowledge(let a) = $0 { a.request.rawValue == 5 } else { false } })
    }

    @Test func aDribblingHelloHasOneDeadline() {
        let driver = ReplicaDriver()
        driver.open(id)
        for byte in Hello.client(software: "x").frame.prefix(20) {
            driver.receive([byte], on: id)
            driver.advance(milliseconds: 300)
        }
        #expect(code(driver, id) == .deadlineExceeded)
    }

    @Test func aPeerIsSubscribedTo() {
        let driver = ReplicaDriver()
        #expect(driver.openPeer(node(2)) != nil)
        #expect(driver.events.contains(.linkReady(peer: node(2), id, software: "test")))
    }

    @Test func aDialledSessionSaysHelloFirst() {
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(targets: [PeerTarget(label: "b")]))
        driver.settle()
        #expect(driver.dials == [.first])
        driver.open(id, .dialled(.first))
        #expect(driver.take(id).contains { if case .hello = $0 { true } else { false } })
    }

    @Test func ourselfIsRefusedAndKeptAway() {
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(targets: [PeerTarget(label: "me")]))
        driver.open(id, .dialled(.first))
        guard case .hello(let ours)? = driver.take(id).first else { return }
        driver.receive(driver.peerHello(node(1), nonce: ours.nonce), on: id)
        #expect(code(driver, id) == .selfConnection)
        driver.advance(milliseconds: 200_000)
        #expect(driver.dials.count <= 1)
    }

    @Test func ourIdentityInAnotherProcessIsSaid() {
        let driver = ReplicaDriver()
        driver.open(id)
        driver.receive(driver.peerHello(node(1), nonce: 12345), on: id)
        #expect(code(driver, id) == .duplicateIdentity)
        #expect(driver.events.contains(.duplicateIdentity(node(1), id)))
    }

    @Test func aRestartReplacesTheOldLink() {
        let driver = ReplicaDriver()
        driver.openPeer(node(2), 50)
        driver.open(SessionID(rawValue: 51))
        driver.receive(driver.peerHello(node(2), startCounter: 2, nonce: 78), on: SessionID(rawValue: 51))
        #expect(code(driver, id) == .duplicateLink)
        #expect(driver.closes[SessionID(rawValue: 51)] == nil)
    }

    @Test(arguments: [0, 1] as [UInt64])
    func aCopyIsRefusedAndHeldAway(startCounter: UInt64) {
        let driver = ReplicaDriver()
        driver.openPeer(node(2), 50)
        for number in 51...60 as ClosedRange<UInt64> {
            let copy = SessionID(rawValue: number)
            driver.open(copy)
            driver.receive(driver.peerHello(node(2), startCounter: startCounter, nonce: 99), on: copy)
            #expect(code(driver, copy) == .duplicateIdentity)
        }
        #expect(driver.closes[id] == nil)
        // Said once, not ten times.
        #expect(driver.events.count { if case .duplicateIdentity = $0 { true } else { false } } == 1)
    }

    @Test func aRedialFromTheSameSideReplacesAtOnce() {
        let driver = ReplicaDriver()
        driver.openPeer(node(2), 50)
        #expect(driver.openPeer(node(2), 51) != nil)
        #expect(code(driver, id) == .duplicateLink)
    }

    @Test func aLinkThatStaysAgainstANewOneIsProbed() {
        // The lower id, us, dialled the old link: it stays, but it must prove that it lives.
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(targets: [PeerTarget(label: "b")]))
        driver.open(id, .dialled(.first))
        driver.receive(driver.peerHello(node(2)), on: id)
        #expect(driver.openPeer(node(2), 51) == nil)
        #expect(code(driver, SessionID(rawValue: 51)) == .duplicateLink)
        driver.advance(milliseconds: 2100)
        #expect(code(driver, id) == .deadlineExceeded)
        #expect(driver.openPeer(node(2), 52) != nil)
    }

    @Test func aSilentPeerIsPingedAndThenGivenUp() {
        let driver = ReplicaDriver()
        driver.openPeer(node(2))
        driver.advance(milliseconds: 10_500)
        #expect(driver.take(id).contains { if case .ping = $0 { true } else { false } })
        #expect(driver.closes[id] == nil)
        driver.advance(milliseconds: 20_000)
        #expect(code(driver, id) == .deadlineExceeded)
    }

    @Test func aWallClockThatJumpsHarmsNoLink() {
        let driver = ReplicaDriver()
        driver.openPeer(node(2))
        driver.now.wallMilliseconds += 12 * 3_600_000
        driver.advance(milliseconds: 5000)
        #expect(driver.closes[id] == nil)
    }

    @Test func noMoreSessionsThanAllowed() {
        var limits = SyncLimits.default
        limits.maximumSessions = 2
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        _ = driver.openClient(1)
        _ = driver.openClient(2)
        driver.open(SessionID(rawValue: 3))
        #expect(code(driver, SessionID(rawValue: 3)) == .limitExceeded)
        driver.lose(SessionID(rawValue: 1))
        driver.open(SessionID(rawValue: 4))
        #expect(driver.closes[SessionID(rawValue: 4)] == nil)
    }
}
