// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// One replica with a store in memory, driven by hand: time moves when the test says so, commits end at once unless the
/// test holds them back.
package final class ReplicaDriver {
    package private(set) var replica: Replica
    package var store: MemoryStore
    package var now = Instant(
        wallMilliseconds: 1_800_000_000_000, monotonicNanoseconds: 1_000_000_000, isSynchronised: true)
    /// How long each round takes.
    package var roundMilliseconds: UInt64 = 0
    /// Commits wait in `heldCommit` until `finishCommit`.
    package var holdsCommits = false
    package private(set) var heldCommit: CommitBatch?
    package private(set) var commits: [CommitBatch] = []
    /// Reads wait in `heldReads`.
    package var holdsReads = false
    package private(set) var heldReads: [(ReadToken, Sequence)] = []
    /// What reads are answered with, in place of what the store has.
    package var readFault: EnvelopeRead?
    package private(set) var readCount = 0
    /// Questions about versions wait in `heldQuestions`.
    package var holdsQuestions = false
    package private(set) var heldQuestions: [(ReadToken, HistoryQuestion)] = []
    package private(set) var closes: [SessionID: SyncError?] = [:]
    package private(set) var events: [Event] = []
    package private(set) var dials: [TargetPlace] = []
    /// What clients asked of the runtime.
    package private(set) var managed: [(SessionID, Manage, LocalRole)] = []
    package private(set) var paused: Set<SessionID> = []
    /// Sessions whose socket takes nothing: `drained` is not called for them.
    package var blocked: Set<SessionID> = []
    package private(set) var sentByteCounts: [SessionID: Int] = [:]
    /// How often a session was sent something: once in a round at most.
    package private(set) var sendCounts: [SessionID: Int] = [:]
    private var inboxes: [SessionID: MessageInbox] = [:]
    private var received: [SessionID: [Message]] = [:]

    package init(
        _ id: NodeID = node(1), configuration: ReplicaConfiguration = ReplicaConfiguration(),
        store: MemoryStore = MemoryStore(incarnation: Incarnation(rawValue: 1)), seed: UInt64 = 1
    ) {
        var store = store
        replica = Replica(
            node: id, configuration: configuration, recovered: store.open(node: id), inspect: testInspect, seed: seed)
        self.store = store
    }

    // MARK: Events

    package func open(
        _ id: SessionID, _ origin: ConnectionOrigin = .accepted(.unix, nil), access: SessionAccess = .believed
    ) {
        replica.connectionOpened(id, origin, access, at: now)
        settle()
    }

    package func receive(_ bytes: [UInt8], on id: SessionID) {
        replica.bytesReceived(id, bytes, at: now)
        settle()
    }

    package func receive(_ message: some WireMessage, on id: SessionID) { receive(message.frame, on: id) }

    package func lose(_ id: SessionID) {
        replica.connectionClosed(id, at: now)
        settle()
    }

    package func failDial(_ target: TargetPlace) {
        replica.dialFailed(target, reason: "refused", at: now)
        settle()
    }

    /// Lets time pass, waking the replica whenever it asked for it.
    package func advance(milliseconds: UInt64) {
        let end = now.monotonicNanoseconds + milliseconds * 1_000_000
        var wakeUps = 0
        while let deadline = replica.nextDeadline, deadline <= end, wakeUps < 10_000 {
            wakeUps += 1
            moveClocks(to: max(deadline, now.monotonicNanoseconds))
            replica.timePassed(at: now)
            settle()
        }
        moveClocks(to: end)
    }

    private func moveClocks(to nanoseconds: UInt64) {
        now.wallMilliseconds += (nanoseconds - now.monotonicNanoseconds) / 1_000_000
        now.monotonicNanoseconds = nanoseconds
    }

    package func unblock(_ id: SessionID) {
        blocked.remove(id)
        replica.drained(id, at: now)
        settle()
    }

    package func finishCommit(_ failure: CommitFailure? = nil) {
        guard let batch = heldCommit else { return }
        heldCommit = nil
        apply(batch, failure)
        settle()
    }

    package func finishRead(_ number: Int = 0) {
        let (token, sequence) = heldReads.remove(at: number)
        replica.envelopeRead(token, readFault ?? store.answer(at: sequence), at: now)
        settle()
    }

    package func finishQuestion(_ answer: HistoryAnswer? = nil) {
        let (token, question) = heldQuestions.removeFirst()
        replica.historyRead(token, answer ?? store.answer(question), at: now)
        settle()
    }

    package func failStore(_ reason: String) {
        replica.storeFailed(reason, at: now)
        settle()
    }

    package func manage(
        _ id: SessionID, _ request: RequestID, _ result: Result<[StatusReport.Item], SyncError>
    ) {
        replica.managed(id, request, result, at: now)
        settle()
    }

    package func changeRole(_ id: SessionID, to role: LocalRole) {
        replica.roleChanged(id, to: role, at: now)
        settle()
    }

    package func addTarget(_ label: String) -> TargetPlace {
        defer { settle() }
        return replica.targetAdded(PeerTarget(label: label), at: now)
    }

    package func removeTarget(_ target: TargetPlace) {
        replica.targetRemoved(target)
        settle()
    }

    package func drain() {
        replica.drain(at: now)
        settle()
    }

    // MARK: What came out

    /// Messages sent to a session since the last call.
    package func take(_ id: SessionID) -> [Message] {
        defer { received[id] = [] }
        return received[id] ?? []
    }

    package func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    // MARK: Actions

    /// Ends rounds until nothing more comes out.
    package func settle() {
        for _ in 0..<100_000 {
            let actions = replica.endRound(at: now)
            guard !actions.isEmpty else { return }
            for action in actions { perform(action) }
            moveClocks(to: now.monotonicNanoseconds + roundMilliseconds * 1_000_000)
        }
        preconditionFailure("a replica that never comes to rest")
    }

    private func perform(_ action: Action) {
        switch action {
        case .send(let id, let bytes): keep(bytes, for: id)
        case .close(let id, let error): closes[id] = .some(error)
        case .pause(let id): paused.insert(id)
        case .resume(let id): paused.remove(id)
        case .dial(let target): dials.append(target)
        case .commit(let batch):
            precondition(heldCommit == nil, "two commits are outstanding")
            if holdsCommits { heldCommit = batch } else { apply(batch, nil) }
        case .readEnvelope(let token, let sequence):
            readCount += 1
            if holdsReads {
                heldReads.append((token, sequence))
            } else {
                replica.envelopeRead(token, readFault ?? store.answer(at: sequence), at: now)
            }
        case .readHistory(let token, let question):
            precondition(heldQuestions.isEmpty, "two questions are outstanding")
            if holdsQuestions {
                heldQuestions.append((token, question))
            } else {
                replica.historyRead(token, store.answer(question), at: now)
            }
        case .manage(let id, let manage, let role): managed.append((id, manage, role))
        case .report(let event): events.append(event)
        }
    }

    private func keep(_ bytes: [UInt8], for id: SessionID) {
        sentByteCounts[id, default: 0] += bytes.count
        sendCounts[id, default: 0] += 1
        let messages = try? inboxes[id, default: MessageInbox()].read(bytes)
        guard let messages else { preconditionFailure("a replica sent what is no message") }
        received[id, default: []] += messages
        if !blocked.contains(id) { replica.drained(id, at: now) }
    }

    private func apply(_ batch: CommitBatch, _ failure: CommitFailure?) {
        commits.append(batch)
        if let failure {
            replica.batchFailed(failure, at: now)
            return
        }
        do throws(CommitFailure) {
            try store.apply(batch)
            replica.batchCommitted(at: now)
        } catch {
            replica.batchFailed(error, at: now)
        }
    }
}

extension ReplicaDriver {
    /// Opens a client's session and says hello.
    package func openClient(_ number: UInt64 = 1) -> SessionID {
        let id = SessionID(rawValue: number)
        open(id)
        receive(Hello.client(software: "test"), on: id)
        _ = take(id)
        return id
    }

    /// Pushes and returns the acknowledged stamp; nil when it was refused or still waits.
    @discardableResult
    package func push(
        _ text: String, _ envelope: [UInt8], on id: SessionID, request: UInt64 = 1,
        expected: Expectation = .anything
    ) -> Stamp? {
        receive(
            Push(
                request: RequestID(rawValue: request), name: name(text), envelope: envelope, expected: expected),
            on: id)
        for case .acknowledge(let message) in take(id) where message.request.rawValue == request {
            return message.stamp
        }
        return nil
    }

    /// What a pull finds: nil when there is no live stack.
    package func pull(_ text: String, on id: SessionID) -> WireRecord? {
        receive(Pull(request: RequestID(rawValue: 999), name: name(text)), on: id)
        for case .records(let message) in take(id) where message.request.rawValue == 999 { return message.items.first }
        return nil
    }

    package func peerHello(
        _ peer: NodeID, startCounter: UInt64 = 1, nonce: UInt64 = 77, incarnation: UInt64 = 5
    ) -> Hello {
        Hello(
            role: .peer, node: peer, incarnation: Incarnation(rawValue: incarnation), startCounter: startCounter,
            nonce: nonce, wallMilliseconds: now.wallMilliseconds, isSynchronised: true, floor: .zero, software: "test")
    }

    /// Opens a session that a peer dialled and says hello; returns our subscription's request.
    @discardableResult
    package func openPeer(_ peer: NodeID, _ number: UInt64 = 50) -> RequestID? {
        let id = SessionID(rawValue: number)
        open(id, .accepted(.tcp, nil))
        receive(peerHello(peer), on: id)
        for case .subscribe(let message) in take(id) { return message.request }
        return nil
    }
}
