// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct SessionRightsTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func set(_ prefixes: String...) -> PrefixSet {
        (try? PrefixSet(prefixes.map { Array($0.utf8) })) ?? .none
    }

    /// Opens a link on which the other end has proved to be `peer`; returns our subscription.
    private func open(
        _ driver: ReplicaDriver, _ rights: Rights, claiming claimed: NodeID? = nil
    ) -> Subscribe? {
        driver.open(link, .accepted(.tcp, nil), access: .peer(peer, rights))
        var hello = driver.peerHello(claimed ?? peer)
        hello.grants = Grants(.all)
        driver.receive(hello, on: link)
        for case .subscribe(let message) in driver.take(link) { return message }
        return nil
    }

    private func records(_ request: RequestID, _ names: [String], from first: UInt64 = 1) -> Records {
        let items = names.enumerated().map { number, text in
            WireRecord(
                sequence: Sequence(rawValue: first + UInt64(number)), name: name(text),
                stamp: stamp(1_700_000_000_000 + first + UInt64(number), peer), writeCount: 1, base: nil,
                content: .envelope([1, 2, 3]))
        }
        return Records(
            request: request, through: Sequence(rawValue: first + UInt64(names.count) - 1), mark: Mark(rawValue: 9),
            items: items)
    }

    private func sentNames(_ driver: ReplicaDriver) -> [String] {
        driver.take(link).flatMap { message -> [String] in
            guard case .records(let records) = message else { return [] }
            return records.items.map(\.name.description)
        }
    }

    private func goodbye(_ driver: ReplicaDriver) -> SyncError.Code? {
        for case .goodbye(let message) in driver.take(link) { return SyncError.Code(rawValue: message.code) }
        return nil
    }

    // MARK: Who

    @Test func aPeerCannotCallItselfAnother() {
        let driver = ReplicaDriver()
        #expect(open(driver, .all, claiming: node(3)) == nil)
        #expect(driver.closes[link]??.code == .notPermitted)
    }

    @Test func aLocalProgramCannotCallItselfAPeer() {
        let driver = ReplicaDriver()
        driver.open(link, access: .client(.administrator))
        driver.receive(driver.peerHello(peer), on: link)
        #expect(goodbye(driver) == .notPermitted)
    }

    @Test func aPeerCannotCallItselfAProgram() {
        let driver = ReplicaDriver()
        driver.open(link, .accepted(.tcp, nil), access: .peer(peer, .all))
        driver.receive(Hello.client(software: "x"), on: link)
        #expect(goodbye(driver) == .notPermitted)
    }

    @Test func whoHasNoRoleIsRefused() {
        let driver = ReplicaDriver()
        driver.open(link, access: .client(.none))
        driver.receive(Hello.client(software: "x"), on: link)
        #expect(goodbye(driver) == .notPermitted)
    }

    @Test func aReaderReadsAndDoesNotWrite() {
        let driver = ReplicaDriver()
        driver.push("a", [1], on: driver.openClient())
        driver.open(link, access: .client(.reader))
        driver.receive(Hello.client(software: "x"), on: link)
        _ = driver.take(link)
        #expect(driver.pull("a", on: link) != nil)
        #expect(driver.push("a", [2], on: link) == nil)
        driver.receive(Delete(request: RequestID(rawValue: 5), name: name("a")), on: link)
        var codes: [UInt16] = []
        for case .error(let message) in driver.take(link) { codes.append(message.code) }
        #expect(codes == [SyncError.Code.notPermitted.rawValue])
        #expect(driver.takeEvents().suffix(2) == [.writeRefused(link, .push), .writeRefused(link, .delete)])
        #expect(driver.pull("a", on: link)?.content == .envelope([1]))
    }

    @Test func aRoleThatIsTakenAwayIsGoneForAnOpenSession() throws {
        let driver = ReplicaDriver()
        driver.open(link, access: .client(.administrator))
        driver.receive(Hello.client(software: "x"), on: link)
        _ = driver.take(link)
        #expect(driver.push("a", [1], on: link) != nil)
        driver.changeRole(link, to: .reader)
        #expect(driver.push("a", [2], on: link) == nil)
        driver.receive(Manage(request: RequestID(rawValue: 4), verb: "id.rotate"), on: link)
        #expect(driver.managed.last?.2 == .reader)
        #expect(driver.pull("a", on: link)?.content == .envelope([1]))
        driver.receive(Subscribe(request: RequestID(rawValue: 5), start: .now), on: link)
        driver.changeRole(link, to: .none)
        #expect(goodbye(driver) == .notPermitted)
        #expect(driver.closes[link]??.code == .notPermitted)
        driver.push("a", [3], on: driver.openClient())
        #expect(driver.take(link).isEmpty, "nothing is sent to who lost its role")
    }

    // MARK: Reading

    @Test func onlyWhatAPeerMayReadIsSent() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        for text in ["shop/a", "mail/b", "shopping", "shop/c"] { driver.push(text, [1], on: client) }
        _ = open(driver, Rights(read: set("shop/"), write: .none))
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        #expect(sentNames(driver) == ["shop/a", "shop/c"])
        driver.push("mail/d", [1], on: client)
        driver.push("shop/e", [1], on: client)
        #expect(sentNames(driver) == ["shop/e"])
    }

    @Test func nothingIsSentToAPeerWithoutRights() {
        let driver = ReplicaDriver()
        driver.push("a", [1], on: driver.openClient())
        _ = open(driver, .none)
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        #expect(sentNames(driver).isEmpty)
    }

    @Test func aGrantMadeLaterBringsWhatIsThereAlready() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        for text in ["mail/a", "shop/b"] { driver.push(text, [1], on: client) }
        _ = open(driver, Rights(read: set("shop/"), write: .none))
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        var cursor: Cursor?
        let narrow = Scope(sender: Grants(Rights(read: set("shop/"), write: .none)), receiver: Grants(.all))
        for case .records(let records) in driver.take(link) {
            cursor = Cursor(
                incarnation: Incarnation(rawValue: 1), sequence: records.through, mark: records.mark, scope: narrow)
        }
        driver.lose(link)
        // The same rights: the cursor holds.
        _ = open(driver, Rights(read: set("shop/"), write: .none))
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .cursor(try #require(cursor))), on: link)
        #expect(sentNames(driver).isEmpty)
        driver.lose(link)
        // More rights: it does not, and the scan brings the rest.
        _ = open(driver, Rights(read: set("shop/", "mail/"), write: .none))
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .cursor(try #require(cursor))), on: link)
        #expect(sentNames(driver) == ["mail/a", "shop/b"])
    }

    // MARK: Writing

    @Test func onlyWhatAPeerMayWriteIsTakenAndBothSidesAreTold() throws {
        let driver = ReplicaDriver()
        let subscribe = try #require(open(driver, Rights(read: .none, write: set("shop/"))))
        driver.receive(records(subscribe.request, ["mail/x", "shop/y"]), on: link)
        var refused: [String] = []
        for case .acknowledge(let message) in driver.take(link) {
            refused += message.refused.map { "\($0.name) \($0.code)" }
        }
        #expect(refused == ["mail/x \(SyncError.Code.notPermitted.rawValue)"])
        let client = driver.openClient(7)
        #expect(driver.pull("shop/y", on: client) != nil)
        #expect(driver.pull("mail/x", on: client) == nil)
        #expect(driver.takeEvents().contains { if case .recordRefused = $0 { true } else { false } })
    }

    @Test func aRefusedRecordMovesNoClockAndComesAgainAfterAGrant() throws {
        let driver = ReplicaDriver()
        let first = try #require(open(driver, .none))
        driver.receive(records(first.request, ["mail/x"]), on: link)
        driver.lose(link)
        let again = try #require(open(driver, .none))
        guard case .cursor(let old) = again.start else { throw SyncError.notPermitted("no cursor was kept") }
        driver.lose(link)
        let granted = try #require(open(driver, Rights(read: .none, write: set("mail/"))))
        // The peer knows the scope of both hellos and finds the cursor void.
        guard case .cursor(let cursor) = granted.start else { throw SyncError.notPermitted("no cursor was kept") }
        #expect(cursor == old)
        let scope = Scope(sender: Grants(.all), receiver: Grants(Rights(read: .none, write: set("mail/"))))
        #expect(cursor.scope != scope)
        driver.receive(Acknowledge(request: granted.request, sequence: .zero, isCursorVoid: true), on: link)
        driver.receive(records(granted.request, ["mail/x"]), on: link)
        #expect(driver.pull("mail/x", on: driver.openClient(7)) != nil)
    }

    // MARK: Quotas

    @Test func aPeerKeepsNoMoreStacksThanItMay() throws {
        let driver = ReplicaDriver()
        let rights = Rights(read: .none, write: .all, maximumStackCount: 2)
        let subscribe = try #require(open(driver, rights))
        driver.receive(records(subscribe.request, ["a", "b", "c", "a"]), on: link)
        let client = driver.openClient(7)
        #expect(driver.pull("a", on: client)?.stamp == stamp(1_700_000_000_004, peer))
        #expect(driver.pull("b", on: client) != nil)
        #expect(driver.pull("c", on: client) == nil)
        // What is removed here makes room.
        driver.receive(Delete(request: RequestID(rawValue: 5), name: name("a")), on: client)
        driver.advance(milliseconds: 1500)
        driver.receive(records(subscribe.request, ["d", "e"], from: 5), on: link)
        #expect(driver.pull("d", on: client) != nil)
        #expect(driver.pull("e", on: client) == nil)
    }

    @Test func aPeerKeepsNoMoreBytesThanItMay() throws {
        let driver = ReplicaDriver()
        let rights = Rights(read: .none, write: .all, maximumByteCount: 7)
        let subscribe = try #require(open(driver, rights))
        driver.holdsCommits = true
        driver.receive(records(subscribe.request, ["a", "b", "c", "a", "b"]), on: link)
        driver.finishCommit()
        let client = driver.openClient(7)
        #expect(driver.pull("b", on: client)?.stamp == stamp(1_700_000_000_005, peer))
        #expect(driver.pull("c", on: client) == nil)
    }

    // MARK: The runtime's requests

    @Test func manageIsPassedOnWithTheRoleAndAnswered() throws {
        let driver = ReplicaDriver()
        driver.open(link, access: .client(.administrator))
        driver.receive(Hello.client(software: "x"), on: link)
        _ = driver.take(link)
        driver.receive(Manage(request: RequestID(rawValue: 4), verb: "id.show"), on: link)
        let asked = try #require(driver.managed.first)
        #expect(asked.0 == link && asked.1.verb == "id.show" && asked.2 == .administrator)
        #expect(driver.take(link).isEmpty)
        driver.manage(link, asked.1.request, .success([.init(key: "id", value: "x")]))
        guard case .statusReport(let report)? = driver.take(link).first else {
            throw SyncError.notPermitted("no answer")
        }
        #expect(report.request.rawValue == 4 && report.items.first?.value == "x")
    }

    @Test func peersComeAndGoWhileItRuns() {
        let driver = ReplicaDriver()
        let target = driver.addTarget("tcp:10.0.0.1:7101")
        #expect(driver.dials == [target])
        driver.removeTarget(target)
        driver.failDial(target)
        driver.advance(milliseconds: 60_000)
        #expect(driver.dials == [target])
        driver.open(link, .dialled(target), access: .peer(peer, .all))
        #expect(driver.closes[link] != nil)
    }
}
