// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// What the log still has of a stack, told piece by piece.
@Suite struct HistoryTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func remove(_ text: String, _ driver: ReplicaDriver, _ client: SessionID) {
        driver.receive(Delete(request: RequestID(rawValue: 3), name: name(text)), on: client)
        _ = driver.take(client)
    }

    private func listing(_ messages: [Message]) -> Listing? {
        for case .listing(let listing) in messages { return listing }
        return nil
    }

    private func ask(
        _ driver: ReplicaDriver, _ client: SessionID, _ text: String, before: UInt64? = nil, limit: Int = 0
    ) -> Listing? {
        let before = before.map { Sequence(rawValue: $0) }
        driver.receive(
            List(request: RequestID(rawValue: 9), limit: limit, stack: name(text), before: before), on: client)
        return listing(driver.take(client))
    }

    private func code(_ messages: [Message]) -> SyncError.Code? {
        for case .error(let error) in messages { return error.error.code }
        return nil
    }

    private func pull(
        _ driver: ReplicaDriver, _ client: SessionID, _ text: String, _ version: UInt64, withoutEnvelope: Bool = false
    ) -> (record: WireRecord?, code: SyncError.Code?) {
        let version = Sequence(rawValue: version)
        driver.receive(
            Pull(
                request: RequestID(rawValue: 8), name: name(text), withoutEnvelope: withoutEnvelope, version: version),
            on: client)
        let messages = driver.take(client)
        for case .records(let records) in messages { return (records.items.first, nil) }
        return (nil, code(messages))
    }

    /// Rows 1 to 5: `a` is written, written, removed and written; row 2 is another stack's.
    private func makeDriver(_ limits: SyncLimits = .default) -> (ReplicaDriver, SessionID) {
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.push("b", [9], on: client)
        driver.push("a", [2, 2], on: client)
        remove("a", driver, client)
        driver.push("a", [3, 3, 3], on: client)
        return (driver, client)
    }

    // MARK: Versions

    @Test func versionsAreToldNewestFirstWithTheLiveOneAndRemovals() throws {
        let (driver, client) = makeDriver()
        let told = try #require(ask(driver, client, "a"))
        #expect(told.items.map(\.sequence.rawValue) == [5, 4, 3, 1])
        #expect(told.items.map(\.envelopeByteCount) == [3, 0, 2, 1])
        #expect(told.items.map(\.stamp) == told.items.map(\.stamp).sorted(by: >))
        #expect(told.items.allSatisfy { $0.name == name("a") })
        #expect(!told.hasMore)
        #expect(told.history?.live == Sequence(rawValue: 5))
        #expect(told.history?.liveStamp == told.items.first?.stamp)
        #expect(told.history?.losers == [])
    }

    @Test func aRemovedStackStillHasItsVersions() throws {
        let (driver, client) = makeDriver()
        remove("a", driver, client)
        let told = try #require(ask(driver, client, "a"))
        #expect(told.items.map(\.sequence.rawValue) == [6, 5, 4, 3, 1])
        #expect(told.history?.live == Sequence(rawValue: 6))
    }

    @Test func theLoserOfTwoWritesAtOnceIsToldAsOneAndCanBeRead() throws {
        let driver = ReplicaDriver(node(1))
        let client = driver.openClient()
        let request = try #require(driver.openPeer(peer))
        let live = try #require(driver.push("a", [1], on: client))
        // Written before ours, by somebody who knew nothing of it.
        let early = stamp(driver.now.wallMilliseconds - 1000, peer)
        let record = WireRecord(
            sequence: Sequence(rawValue: 1), name: name("a"), stamp: early, writeCount: 1, base: nil,
            content: .envelope([7, 7]))
        driver.receive(
            Records(request: request, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1), items: [record]),
            on: link)
        let told = try #require(ask(driver, client, "a"))
        #expect(told.items.map(\.stamp) == [early, live])
        #expect(told.history?.live == Sequence(rawValue: 1))
        #expect(told.history?.losers == [Sequence(rawValue: 2)])
        #expect(pull(driver, client, "a", 2).record?.content == .envelope([7, 7]))
        #expect(driver.pull("a", on: client)?.content == .envelope([1]))
    }

    @Test func whatIsNotCommittedIsNotThere() throws {
        let (driver, client) = makeDriver()
        driver.holdsCommits = true
        driver.push("a", [4], on: client)
        #expect(ask(driver, client, "a")?.items.first?.sequence == Sequence(rawValue: 5))
        #expect(pull(driver, client, "a", 6).code == .notFound)
        driver.finishCommit()
        #expect(ask(driver, client, "a")?.items.first?.sequence == Sequence(rawValue: 6))
    }

    @Test func aStackThatNeverWasThereIsNotFoundAndAskedOfNoStore() {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        driver.receive(List(request: RequestID(rawValue: 9), stack: name("never")), on: client)
        #expect(code(driver.take(client)) == .notFound)
        #expect(driver.heldQuestions.isEmpty)
        // The session goes on.
        #expect(driver.pull("a", on: client)?.content == .envelope([3, 3, 3]))
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func piecesOfTheLogPutTogetherAreTheWhole(rowLimit: Int) throws {
        var limits = SyncLimits.default
        limits.historyRowCount = rowLimit
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let client = driver.openClient()
        for number in 1...30 as ClosedRange<UInt8> { driver.push(number % 9 == 0 ? "a" : "b", [number], on: client) }
        var found: [UInt64] = []
        var before: UInt64?
        var pieces = 0
        while pieces <= 31 {
            pieces += 1
            let told = try #require(ask(driver, client, "a", before: before))
            found += told.items.map(\.sequence.rawValue)
            let through = try #require(told.history?.through.rawValue)
            #expect(before.map { $0 - through <= rowLimit } ?? true)
            before = through
            guard told.hasMore else { break }
        }
        #expect(found == [27, 18, 9])
        #expect(pieces == (30 + rowLimit - 1) / rowLimit)
    }

    @Test func noMoreVersionsAreToldThanWereWantedOrAreAllowed() throws {
        var limits = SyncLimits.default
        limits.listPageCount = 3
        let (driver, client) = makeDriver(limits)
        let two = try #require(ask(driver, client, "a", limit: 2))
        #expect(two.items.map(\.sequence.rawValue) == [5, 4])
        #expect(two.hasMore && two.history?.through == Sequence(rawValue: 4))
        let three = try #require(ask(driver, client, "a", limit: .max))
        #expect(three.items.count == 3 && three.hasMore)
        let rest = try #require(ask(driver, client, "a", before: 3))
        #expect(rest.items.map(\.sequence.rawValue) == [1] && !rest.hasMore)
        for before in [0, 1] as [UInt64] {
            let none = try #require(ask(driver, client, "a", before: before))
            #expect(none.items.isEmpty && !none.hasMore)
        }
    }

    @Test func largeVersionsComeInSeveralPieces() throws {
        var limits = SyncLimits.default
        limits.historyByteCount = 4
        let (driver, client) = makeDriver(limits)
        let told = try #require(ask(driver, client, "a"))
        #expect(told.items.map(\.sequence.rawValue) == [5, 4, 3])
        #expect(told.hasMore && told.history?.through == Sequence(rawValue: 3))
    }

    // MARK: One version

    @Test func aVersionIsReadByItsSequence() {
        let (driver, client) = makeDriver()
        #expect(pull(driver, client, "a", 1).record?.content == .envelope([1]))
        #expect(pull(driver, client, "a", 1).record?.stamp == driver.store.rows.first?.record.stamp)
        #expect(pull(driver, client, "a", 3, withoutEnvelope: true).record?.content == .omitted(byteCount: 2))
        #expect(pull(driver, client, "a", 4).record?.content == .tombstone)
        // The live one is in memory.
        driver.holdsQuestions = true
        #expect(pull(driver, client, "a", 5).record?.content == .envelope([3, 3, 3]))
        #expect(driver.heldQuestions.isEmpty)
    }

    @Test(arguments: [0, 2, 6, .max] as [UInt64])
    func aSequenceThatIsNoVersionOfTheStackIsNotFound(sequence: UInt64) {
        let (driver, client) = makeDriver()
        #expect(pull(driver, client, "a", sequence).code == .notFound)
        #expect(pull(driver, client, "never", 1).code == .notFound)
    }

    @Test func aVersionThatCompactionHasRemovedIsNotFound() {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        _ = pull(driver, client, "a", 1)
        driver.finishQuestion(.row(nil))
        #expect(code(driver.take(client)) == .notFound)
    }

    @Test(arguments: [RowState.parked, .quarantined])
    func aRowThatWasNeverMergedIsNoVersion(state: RowState) throws {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        _ = pull(driver, client, "a", 1)
        let record = try #require(driver.store.rows.first).record
        driver.finishQuestion(.row(Row(sequence: Sequence(rawValue: 1), state: state, source: nil, record: record)))
        #expect(code(driver.take(client)) == .notFound)
    }

    @Test func aStoreThatCannotSayIsSaidSo() {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        for asked in 0...1 as ClosedRange<Int> {
            if asked == 0 { _ = ask(driver, client, "a") } else { _ = pull(driver, client, "a", 1) }
            driver.finishQuestion(.failed("input/output error"))
            #expect(code(driver.take(client)) == .storeFailed)
        }
        #expect(driver.pull("a", on: client) != nil)
    }

    // MARK: Rights and bounds

    @Test func whoeverMayReadMayReadVersionsAndAPeerAsksForNone() {
        let (driver, _) = makeDriver()
        let reader = SessionID(rawValue: 30)
        driver.open(reader, access: .client(.reader))
        driver.receive(Hello.client(software: "test"), on: reader)
        _ = driver.take(reader)
        #expect(ask(driver, reader, "a")?.items.count == 4)
        #expect(pull(driver, reader, "a", 1).record?.content == .envelope([1]))
        driver.openPeer(peer)
        driver.receive(List(request: RequestID(rawValue: 9), stack: name("a")), on: link)
        #expect(driver.closes[link] == .some(SyncError(code: .unexpectedMessage, reason: "")))
    }

    @Test func whoPipelinesQuestionsHoldsUpNobodyAndIsAnsweredInTheEnd() throws {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        var frames: [UInt8] = []
        for request in 1...2000 as ClosedRange<UInt64> {
            if request % 2 == 0 {
                List(request: RequestID(rawValue: request), stack: name("a")).write(to: &frames)
            } else {
                let version = Sequence(rawValue: 1)
                Pull(request: RequestID(rawValue: request), name: name("a"), version: version).write(to: &frames)
            }
        }
        driver.receive(frames, on: client)
        #expect(driver.heldQuestions.count == 1)
        #expect(driver.paused == [client], "no more is read of it")
        // Writes and reads of others go on meanwhile.
        let other = driver.openClient(2)
        #expect(driver.push("c", [1], on: other) != nil)
        #expect(driver.pull("c", on: other) != nil)
        // Another's question is the next one.
        driver.receive(List(request: RequestID(rawValue: 9), stack: name("b")), on: other)
        driver.finishQuestion()
        driver.finishQuestion()
        #expect(listing(driver.take(other))?.items.count == 1)

        var answers = 0
        while !driver.heldQuestions.isEmpty { driver.finishQuestion() }
        for message in driver.take(client) {
            switch message {
            case .listing, .records: answers += 1
            default: Issue.record("\(message)")
            }
        }
        #expect(answers == 2000)
        #expect(driver.paused.isEmpty)
    }

    @Test func questionsOfSessionsThatHaveEndedAreNotAsked() {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        for number in 10...40 as ClosedRange<UInt64> {
            let id = driver.openClient(number)
            driver.receive(List(request: RequestID(rawValue: 9), stack: name("a")), on: id)
            driver.lose(id)
        }
        #expect(driver.heldQuestions.count == 1)
        driver.receive(List(request: RequestID(rawValue: 9), stack: name("a")), on: client)
        driver.finishQuestion()
        #expect(driver.heldQuestions.count == 1, "only that of the session that is there")
        driver.finishQuestion()
        #expect(listing(driver.take(client))?.items.count == 4)
        #expect(driver.heldQuestions.isEmpty)
    }

    @Test func aCommitThatIsReadyGoesBeforeAQuestion() {
        let (driver, client) = makeDriver()
        _ = driver.openClient(2)
        var replica = driver.replica
        replica.bytesReceived(client, List(request: RequestID(rawValue: 9), stack: name("a")).frame, at: driver.now)
        let push = Push(request: RequestID(rawValue: 1), name: name("c"), envelope: [1])
        replica.bytesReceived(SessionID(rawValue: 2), push.frame, at: driver.now)
        let order = replica.endRound(at: driver.now).compactMap { action -> String? in
            switch action {
            case .commit: "commit"
            case .readHistory: "question"
            default: nil
            }
        }
        #expect(order == ["commit", "question"])
    }

    @Test func aDaemonThatStopsWaitsForNoQuestion() {
        let (driver, client) = makeDriver()
        driver.holdsQuestions = true
        _ = ask(driver, client, "a")
        driver.drain()
        #expect(driver.replica.isDrained)
        driver.finishQuestion()
        #expect(listing(driver.take(client)) == nil)
    }
}
