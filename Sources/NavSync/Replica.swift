// SPDX-License-Identifier: Apache-2.0

/// One daemon's copy of all stacks: the pipeline from bytes in to bytes out, without any input or output.
///
///     bytesReceived ─► FrameCutter ─► admission ─► request or records ─► merge ─► open batch
///     endRound      ─► one commit at a time
///     batchCommitted ─► index ─► acknowledgements, fan-out ─► bytes out
///
/// The runtime tells it what happened (past tense), ends the round, and does the actions it gets back. One thread owns
/// it. Between two calls nothing happens. Each step is a file beside this one; what the steps work with is in the rooms,
/// which know nothing of the replica.
package struct Replica {
    /// Verifies an envelope and hashes its payload; throws `invalidEnvelope`,
    /// `unknownDictionary` or `valueTooLarge`.
    package typealias Inspect = @Sendable ([UInt8]) throws(SyncError) -> ContentHash

    package let node: NodeID
    package let configuration: ReplicaConfiguration
    let limits: SyncLimits
    let inspect: Inspect
    let incarnation: Incarnation
    let startCounter: UInt64
    /// Tells this process from every other that uses the same identity.
    let nonce: UInt64
    var generator: SeededGenerator
    var clock: HybridClock
    /// It was said that the floor is too far ahead.
    var isFloorAhead = false
    /// How many local writes were ever made.
    var writeCount: UInt64

    // What is durable.
    var index: StackIndex
    var marks: MarkRing
    var recent: RecentEnvelopes
    var refusals: RefusalBook

    // What is not durable yet.
    var nextSequence: UInt64
    var openBatch: Batch
    var batchInFlight: Batch?
    /// When cursors that moved without a record are committed all the same.
    var cursorFlushAt: UInt64?
    var storeState = StoreState.healthy

    // Who is there.
    var sessions = SessionTable()
    var peers = KnownPeers()
    var userBudgets: [UInt32: ReadBudget] = [:]
    var targets = DialTargets()
    var reads: [ReadToken: PendingRead] = [:]
    var historyReads = HistoryReads()
    var nextNumber: UInt64 = 0

    // What this round gives out.
    var actions: [Action] = []
    var closes: [Action] = []
    var deadline: UInt64 = 0
    var counters = Counters()

    /// Bytes that clients' messages take until they are taken, those of long ones.
    package internal(set) var inputByteCount = 0
    /// No new requests are taken.
    package private(set) var isDraining = false
    /// Nothing is in flight any more and every session was told goodbye.
    package internal(set) var isDrained = false

    /// A replica as it was when its store was last closed. `seed` is random for each process.
    package init(
        node: NodeID, configuration: ReplicaConfiguration, recovered: consuming RecoveredState,
        inspect: @escaping Inspect, seed: UInt64
    ) {
        self.node = node
        self.configuration = configuration
        limits = configuration.limits
        self.inspect = inspect
        incarnation = recovered.incarnation
        startCounter = recovered.startCounter
        generator = SeededGenerator(seed: seed)
        nonce = generator.next()
        clock = HybridClock(floor: recovered.floor)
        writeCount = recovered.writeCount
        marks = MarkRing(recovered.marks, limit: configuration.limits.markCount)
        recent = RecentEnvelopes(limit: configuration.limits.recentEnvelopeByteCount)
        refusals = RefusalBook(recovered.refusals, limit: configuration.limits.refusalCount)
        nextSequence = max(1, recovered.nextSequence.rawValue)
        openBatch = Batch(
            mark: Mark(rawValue: generator.next()), refusalLimit: configuration.limits.refusalCount)
        for target in configuration.targets { targets.append(DialTarget(label: target.label)) }
        for (node, cursor) in recovered.cursors.sorted(by: { $0.key < $1.key }) {
            peers.append(Peer(node: node, cursor: cursor, refusalLimit: limits.refusalCount))
        }
        index = recovered.index
        index.advanceHead(to: marks.last)
    }

    // MARK: Events

    /// A connection whose other end is known: what it may do is `access`, whatever it says.
    package mutating func connectionOpened(
        _ id: SessionID, _ origin: ConnectionOrigin, _ access: SessionAccess, at now: Instant
    ) {
        openSession(id, origin, access, at: now)
    }

    package mutating func bytesReceived(_ id: SessionID, _ bytes: ArraySlice<UInt8>, at now: Instant) {
        guard let place = sessions.place(of: id) else { return }
        noteHeard(at: place, now: now)
        sessions[place].cutter.append(bytes)
        cutFrames(at: place, now: now)
        if sessions.place(of: id) == place { charge(bytes.count, at: place, now: now) }
    }

    package mutating func bytesReceived(_ id: SessionID, _ bytes: [UInt8], at now: Instant) {
        bytesReceived(id, bytes[...], at: now)
    }

    /// The other end closed, or the socket failed.
    package mutating func connectionClosed(_ id: SessionID, at now: Instant) {
        guard let place = sessions.place(of: id) else { return }
        endSession(at: place, .lost, now: now)
    }

    package mutating func dialFailed(_ target: TargetPlace, reason: String, at now: Instant) {
        guard targets.contains(target), targets[target].state == .dialling else { return }
        targets[target].lastError = reason
        scheduleDial(target, readyFor: nil, reason: reason, now: now)
    }

    /// The socket took everything it was given.
    package mutating func drained(_ id: SessionID, at now: Instant) {
        guard let place = sessions.place(of: id) else { return }
        sessions[place].owedByteCount = 0
        wantFanOut(at: place)
        resumeStalled(at: place, now: now)
    }

    /// The outstanding commit is on disk.
    package mutating func batchCommitted(at now: Instant) {
        finishCommit(now: now)
        resumeAllStalled(now: now)
    }

    /// Nothing of the outstanding commit is on disk.
    package mutating func batchFailed(_ failure: CommitFailure, at now: Instant) {
        failCommit(failure, now: now)
        resumeAllStalled(now: now)
    }

    /// The answer to a `manage` action.
    package mutating func managed(
        _ id: SessionID, _ request: RequestID, _ result: Result<[StatusReport.Item], SyncError>, at now: Instant
    ) {
        guard let place = sessions.place(of: id) else { return }
        finishManage(request, result, at: place, now: now)
    }

    /// What a local program may do has changed: it holds for everything that is not answered yet, and who has no role left
    /// is told so and cut off.
    package mutating func roleChanged(_ id: SessionID, to role: LocalRole, at now: Instant) {
        guard let place = sessions.place(of: id), sessions[place].state != .peer else { return }
        sessions[place].access = .client(role)
        guard role == .none, sessions[place].state == .client else { return }
        endSession(at: place, .refused(.notPermitted("this user has no role here any more")), now: now)
    }

    /// One more peer to dial; returns its place, which no other ever gets.
    package mutating func targetAdded(_ target: PeerTarget, at now: Instant) -> TargetPlace {
        wake(at: now.monotonicNanoseconds)
        return targets.append(DialTarget(label: target.label))
    }

    /// The peer is dialled no more. A link with it stays until its connection is closed.
    package mutating func targetRemoved(_ target: TargetPlace) {
        guard targets.contains(target) else { return }
        targets[target].state = .removed
    }

    /// The store found between two batches that it can promise nothing any more.
    package mutating func storeFailed(_ reason: String, at now: Instant) {
        failStore(reason, now: now)
        resumeAllStalled(now: now)
    }

    package mutating func envelopeRead(_ token: ReadToken, _ read: EnvelopeRead, at now: Instant) {
        finishRead(token, read, now: now)
    }

    /// The answer to a `readHistory` action.
    package mutating func historyRead(_ token: ReadToken, _ answer: HistoryAnswer, at now: Instant) {
        finishHistoryRead(token, answer, now: now)
    }

    /// When `timePassed` must be called, in monotonic nanoseconds; nil when nothing waits for time.
    package var nextDeadline: UInt64? { deadline == .max ? nil : deadline }

    package mutating func timePassed(at now: Instant) {
        deadline = .max
        resumeAfterShare(now: now)
        resumeThrottled(now: now)
        watchSessions(now: now)
        dialDueTargets(now: now)
        askAgainForDeferred(now: now)
        retryReads(now: now)
        flushCursors(now: now)
    }

    /// Takes nothing new, finishes what is in flight, says goodbye: `isDrained` tells when that is done.
    package mutating func drain(at now: Instant) {
        guard !isDraining else { return }
        isDraining = true
        saveCursors(now: now)
    }

    /// Everything that the events since the last round ask for. Call once per loop round.
    package mutating func endRound(at now: Instant) -> [Action] {
        if deadline <= now.monotonicNanoseconds { timePassed(at: now) }
        noteFloor(now: now)
        startCommit()
        startHistoryRead()
        sendFanOut(now: now)
        if isDraining { finishDraining(now: now) }
        sendOutput()
        actions += closes
        closes.removeAll(keepingCapacity: true)
        defer { actions = [] }
        return actions
    }

    /// Bytes that the names and envelopes in memory take.
    package var indexMemoryByteCount: Int { index.memoryByteCount }

    // MARK: Small things that every room needs

    mutating func report(_ event: Event) { actions.append(.report(event)) }

    /// Asks for `timePassed` at that moment or before.
    mutating func wake(at moment: UInt64) { deadline = min(deadline, moment) }

    mutating func makeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }

    func handle(at place: SessionPlace) -> SessionHandle { SessionHandle(place: place, id: sessions[place].id) }
}

/// Whether writes can be taken.
enum StoreState: Hashable, Sendable {
    case healthy
    /// The last commit found no room; the next one tries again.
    case full
    case failed
}

/// What happened since the start, for status.
struct Counters: Sendable {
    var pushes: UInt64 = 0
    var pulls: UInt64 = 0
    var deletes: UInt64 = 0
    var commits: UInt64 = 0
    var rows: UInt64 = 0
    var applied: UInt64 = 0
    var stale: UInt64 = 0
    var duplicate: UInt64 = 0
    var refused: UInt64 = 0
    var concurrent: UInt64 = 0
}

extension UInt64 {
    /// A moment so long after this one; the end of time if there is none.
    func advanced(byNanoseconds duration: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(duration)
        return overflow ? .max : sum
    }
}
