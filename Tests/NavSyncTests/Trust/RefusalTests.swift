// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Refused records: shown while they are refused, gone when they are not, and never more than fit.
@Suite struct RefusalTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func set(_ prefixes: String...) -> PrefixSet {
        (try? PrefixSet(prefixes.map { Array($0.utf8) })) ?? .none
    }

    private func open(_ driver: ReplicaDriver, _ rights: Rights) throws -> Subscribe {
        driver.open(link, .accepted(.tcp, nil), access: .peer(peer, rights))
        var hello = driver.peerHello(peer)
        hello.grants = Grants(.all)
        driver.receive(hello, on: link)
        let asked = driver.take(link).compactMap { if case .subscribe(let found) = $0 { found } else { nil } }
        return try #require(asked.first)
    }

    private func record(_ sequence: UInt64, _ text: String, _ envelope: [UInt8] = [1]) -> WireRecord {
        WireRecord(
            sequence: Sequence(rawValue: sequence), name: name(text),
            stamp: stamp(1_700_000_000_000 + sequence, peer), writeCount: sequence, base: nil,
            content: .envelope(envelope))
    }

    private func send(_ driver: ReplicaDriver, _ request: RequestID, _ items: [WireRecord]) {
        let through = items.last?.sequence ?? .zero
        driver.receive(
            Records(request: request, through: through, mark: Mark(rawValue: 9), items: items), on: link)
    }

    /// What status says is refused, as "CODE stack=NAME".
    private func shown(_ driver: ReplicaDriver, _ key: String = "refusal.") -> [String] {
        let client = driver.openClient(900)
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        let reports = driver.take(client).compactMap { if case .statusReport(let found) = $0 { found } else { nil } }
        driver.lose(client)
        return reports.flatMap(\.items).filter { $0.key.hasPrefix(key) }
            .map { $0.value.split(separator: " ").prefix(2).joined(separator: " ") }
    }

    // MARK: Settled

    @Test func aRefusalIsGoneOnceTheRightIsGranted() throws {
        let driver = ReplicaDriver()
        let first = try open(driver, Rights(read: .none, write: set("shop/")))
        send(driver, first.request, [record(1, "mail/a"), record(2, "note/b")])
        #expect(shown(driver) == ["notPermitted stack=mail/a", "notPermitted stack=note/b"])
        driver.lose(link)
        let second = try open(driver, Rights(read: .none, write: set("shop/", "mail/")))
        driver.receive(Acknowledge(request: second.request, sequence: .zero, isCursorVoid: true), on: link)
        send(driver, second.request, [record(1, "mail/a"), record(2, "note/b")])
        #expect(shown(driver) == ["notPermitted stack=note/b"])
        // After a restart too.
        let restarted = ReplicaDriver(store: driver.store)
        #expect(shown(restarted) == ["notPermitted stack=note/b"])
    }

    @Test func aRefusalStaysWhileRightsStayAndIsGoneWhenALaterRecordIsTaken() throws {
        let driver = ReplicaDriver()
        let request = try open(driver, .all).request
        send(driver, request, [record(1, "a", [0xFF]), record(2, "b", [0xFF])])
        driver.lose(link)
        let again = try open(driver, .all)
        driver.receive(Acknowledge(request: again.request, sequence: Sequence(rawValue: 2)), on: link)
        #expect(shown(driver).count == 2)
        send(driver, again.request, [record(3, "a")])
        #expect(shown(driver) == ["invalidEnvelope stack=b"])
        #expect(shown(ReplicaDriver(store: driver.store)) == ["invalidEnvelope stack=b"])
    }

    @Test func aRefusalThatIsSettledBeforeItIsDurableLeavesNoTrace() throws {
        let driver = ReplicaDriver()
        let request = try open(driver, .all).request
        driver.holdsCommits = true
        send(driver, request, [record(1, "a", [0xFF])])
        send(driver, request, [record(2, "a")])
        driver.finishCommit()
        driver.finishCommit()
        #expect(shown(driver).isEmpty)
        #expect(shown(ReplicaDriver(store: driver.store)).isEmpty)
    }

    @Test func whatAPeerRefusedIsShownUntilItAsksAgain() throws {
        let driver = ReplicaDriver()
        _ = try open(driver, .all)
        driver.push("a", [1], on: driver.openClient())
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        let sent = driver.take(link).compactMap { if case .records(let found) = $0 { found } else { nil } }
        let item = try #require(sent.first?.items.first)
        let refused = Acknowledge.Refused(
            code: SyncError.Code.notPermitted.rawValue, sequence: item.sequence, name: item.name, stamp: item.stamp,
            retryMilliseconds: 0)
        driver.receive(
            Acknowledge(request: RequestID(rawValue: 3), sequence: item.sequence, refused: [refused]), on: link)
        #expect(shown(driver, "peer.0.refused-there.") == ["notPermitted stack=a"])
        driver.receive(Subscribe(request: RequestID(rawValue: 5), start: .beginning), on: link)
        #expect(shown(driver, "peer.0.refused-there.").isEmpty)
    }

    // MARK: Echoes

    @Test func aPeersOwnRecordsAreNotSentBackWhenItsRightsChange() throws {
        let driver = ReplicaDriver()
        let request = try open(driver, .all).request
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        send(driver, request, [record(1, "theirs")])
        driver.push("ours", [1], on: driver.openClient())
        let sent = driver.take(link).compactMap { if case .records(let found) = $0 { found } else { nil } }
        let last = try #require(sent.last)
        #expect(last.items.map(\.name.description) == ["ours"])
        driver.lose(link)
        _ = try open(driver, Rights(read: .all, write: .none))
        // The cursor of the old rights: void for its scope, though it tells what the peer held.
        let cursor = Cursor(
            incarnation: Incarnation(rawValue: 1), sequence: last.through, mark: last.mark,
            scope: Scope(rawValue: 1))
        driver.receive(Subscribe(request: RequestID(rawValue: 5), start: .cursor(cursor)), on: link)
        let again = driver.take(link).compactMap { if case .records(let found) = $0 { found } else { nil } }
        #expect(again.flatMap(\.items).map(\.name.description) == ["ours"])
    }

    @Test func ourOwnRecordThatComesBackIsNoAttemptToWrite() throws {
        let driver = ReplicaDriver()
        let own = try #require(driver.push("shop/a", [1], on: driver.openClient()))
        let request = try open(driver, Rights(read: set("shop/"), write: .none)).request
        var item = record(1, "shop/a")
        item.stamp = own
        send(driver, request, [item])
        #expect(shown(driver).isEmpty)
        // Another write of that name is one.
        send(driver, request, [record(2, "shop/a", [2])])
        #expect(shown(driver) == ["notPermitted stack=shop/a"])
    }

    @Test func aPeerLearnsNothingOfNamesThatItMayNotRead() throws {
        let driver = ReplicaDriver()
        let own = try #require(driver.push("mail/a", [1], on: driver.openClient()))
        let request = try open(driver, Rights(read: set("shop/"), write: .none)).request
        var item = record(1, "mail/a")
        item.stamp = own
        var absent = record(2, "mail/b")
        absent.stamp = own
        send(driver, request, [item, absent])
        let refused = driver.take(link).flatMap { message -> [UInt16] in
            if case .acknowledge(let found) = message { found.refused.map(\.code) } else { [] }
        }
        let code = SyncError.Code.notPermitted.rawValue
        #expect(refused == [code, code])
    }

    // MARK: Many

    @Test func aFloodOfRefusedRecordsIsToldInFramesThatFitAndRememberedInPart() throws {
        let driver = ReplicaDriver()
        let request = try open(driver, .none).request
        let long = String(repeating: "n", count: 480)
        var sent = 0
        for _ in 0..<3 {
            let items = (0..<1500).map { number in record(UInt64(sent + number + 1), "\(long)\(sent + number)") }
            sent += items.count
            send(driver, request, items)
        }
        let acknowledged = driver.take(link).compactMap { if case .acknowledge(let found) = $0 { found } else { nil } }
        #expect(acknowledged.flatMap(\.refused).count == sent)
        let longest = acknowledged.map(\.frame.count).max() ?? 0
        #expect(longest < SyncLimits.default.frameByteCount, "\(longest) bytes")
        #expect(shown(driver).count == SyncLimits.default.refusalCount)
    }

    @Test func aPeerWhoseRefusalsWaitForACommitIsReadNoFurther() throws {
        let driver = ReplicaDriver()
        let request = try open(driver, Rights(read: .none, write: set("shop/"))).request
        driver.holdsCommits = true
        send(driver, request, [record(1, "shop/a")])
        var sequence: UInt64 = 2
        for _ in 0..<5 {
            send(driver, request, (0..<600).map { record(sequence + $0, "mail/\(sequence + $0)") })
            sequence += 600
        }
        #expect(driver.paused == [link])
        driver.finishCommit()
        driver.finishCommit()
        driver.finishCommit()
        driver.finishCommit()
        #expect(driver.paused.isEmpty)
        let refused = driver.take(link).flatMap { message -> [Acknowledge.Refused] in
            if case .acknowledge(let found) = message { found.refused } else { [] }
        }
        #expect(refused.count == 3000)
    }

    @Test func whoAcknowledgesWhatWasNeverSentIsCutOff() throws {
        let driver = ReplicaDriver()
        _ = try open(driver, .all)
        driver.receive(Subscribe(request: RequestID(rawValue: 3), start: .beginning), on: link)
        driver.receive(Acknowledge(request: RequestID(rawValue: 3), sequence: Sequence(rawValue: 1 << 40)), on: link)
        #expect(driver.closes[link]??.code == .malformedMessage)
    }

    // MARK: The book

    @Test func theBookKeepsTheNewestOfEachNameAndDropsTheOldest() {
        var book = RefusalBook(limit: 3)
        func refusal(_ text: String, _ time: UInt64) -> Refusal {
            Refusal(peer: peer, name: name(text), stamp: stamp(time, peer), code: .notPermitted)
        }
        for round in 1...1000 as ClosedRange<UInt64> {
            for text in ["a", "b", "a", "c", "d"] { book.insert(refusal(text, round)) }
            if round % 3 == 0 { book.remove(refusal("c", round).key) }
        }
        #expect(book.all == [refusal("a", 1000), refusal("c", 1000), refusal("d", 1000)])
        #expect(book.contains(refusal("a", 1000)) && !book.contains(refusal("a", 999)))
        #expect(!book.contains(refusal("b", 1).key))
    }
}
