// SPDX-License-Identifier: Apache-2.0

/// The status report: what an operator asks first comes first, and what others can make long comes last.
extension Replica {
    func statusItems(now: Instant) -> [StatusReport.Item] {
        var report = StatusItems(maximumByteCount: limits.statusByteCount)
        addStore(to: &report)
        addClock(to: &report, now: now)
        addSessions(to: &report)
        addCounters(to: &report)
        for peer in peers.places { add(peer, to: &report, now: now) }
        for target in targets.places { add(target, to: &report, now: now) }
        for peer in peers.places { addRecords(of: peer, to: &report, now: now) }
        for (number, refusal) in refusals.all.enumerated() { report.add("refusal.\(number)", text(refusal)) }
        return report.complete
    }

    private func addStore(to report: inout StatusItems) {
        report.add("node", node.text)
        report.add("software", configuration.software)
        report.add("state", isDraining ? "draining" : "ready")
        report.add("store.state", "\(storeState)")
        report.add("store.incarnation", String(incarnation.rawValue, radix: 16))
        report.add("store.starts", startCounter)
        report.add("store.head", index.head.rawValue)
        report.add("store.stacks", index.liveCount)
        report.add("store.tombstones", index.tombstoneCount)
        report.add("store.held-envelope-bytes", index.heldEnvelopeByteCount)
        report.add("store.memory-bytes", indexMemoryByteCount)
        report.add("store.rows-in-flight", batchInFlight?.commit.rows.count ?? 0)
        report.add("store.rows-waiting", openBatch.commit.rows.count)
        report.add("store.commits", counters.commits)
        report.add("store.rows-committed", counters.rows)
    }

    private func addClock(to report: inout StatusItems, now: Instant) {
        report.add("clock.wall-ms", now.wallMilliseconds)
        report.add("clock.floor-ms", clock.floor.milliseconds)
        let ahead = Int64(clamping: clock.floor.milliseconds) - Int64(clamping: now.wallMilliseconds)
        report.add("clock.floor-ahead-ms", max(0, ahead))
        report.add("clock.refused-for-ms", floorExcess(now: now))
        report.add("clock.synchronised", now.isSynchronised ? "yes" : "no")
        report.add("clock.maximum-drift-ms", limits.maximumDriftMilliseconds)
    }

    private func addSessions(to report: inout StatusItems) {
        var counts: [SessionState: Int] = [:]
        var requests = 0
        var subscriptions = 0
        for place in sessions.places where sessions.isInUse(place) {
            let session = sessions[place]
            counts[session.state, default: 0] += 1
            requests += session.requestsInFlight
            if session.state == .client { subscriptions += session.subscriptions.count }
        }
        report.add("sessions.clients", counts[.client] ?? 0)
        report.add("sessions.peers", counts[.peer] ?? 0)
        report.add("sessions.without-hello", counts[.awaitingHello] ?? 0)
        report.add("sessions.watchers", subscriptions)
        report.add("sessions.requests-in-flight", requests)
        report.add("sessions.over-byte-rate", sessions[.throttled].count)
        let waits = sessions[.stalled].places.compactMap { wait(at: $0) }
        for wait in SessionWait.allCases {
            report.add("sessions.waiting-for-\(wait.rawValue)", waits.count { $0 == wait })
        }
    }

    private func addCounters(to report: inout StatusItems) {
        report.add("requests.pushes", counters.pushes)
        report.add("requests.pulls", counters.pulls)
        report.add("requests.deletes", counters.deletes)
        report.add("merge.applied", counters.applied)
        report.add("merge.stale", counters.stale)
        report.add("merge.duplicate", counters.duplicate)
        report.add("merge.refused", counters.refused)
        report.add("merge.concurrent", counters.concurrent)
    }

    private func add(_ place: PeerPlace, to report: inout StatusItems, now: Instant) {
        let (key, peer) = ("peer.\(place.rawValue)", peers[place])
        let session = peer.link.flatMap { sessions.isOpen($0) ? sessions[$0.place] : nil }
        report.add("\(key).node", peer.node.text)
        report.add("\(key).state", session == nil ? "away" : "linked")
        if !peer.software.isEmpty { report.add("\(key).software", peer.software) }
        let read = session?.inbound?.position ?? peer.unsavedCursor ?? peer.cursor
        report.add("\(key).read-through", read?.sequence.rawValue ?? 0)
        report.add("\(key).head", max(peer.head, read?.sequence ?? .zero).rawValue)
        report.add("\(key).records-received", peer.recordsReceived)
        report.add("\(key).records-applied", peer.recordsApplied)
        if let link = peer.link, session != nil, let reason = reasonNotToRead(at: link.place) {
            report.add("\(key).waits-for", reason)
        }
        if let subscription = session?.subscriptions.first {
            report.add("\(key).sent-through", subscription.position.rawValue)
            report.add("\(key).send-lag", index.head.rawValue - min(subscription.position, index.head).rawValue)
            report.add("\(key).unacknowledged-bytes", subscription.unacknowledgedByteCount)
        }
        report.add("\(key).clock-offset-ms", peer.clockOffsetMilliseconds)
        report.add("\(key).clock-synchronised", peer.isSynchronised ? "yes" : "no")
        if let error = peer.lastError { report.add("\(key).last-error", error.description) }
    }

    /// Why nothing is read of a session for now.
    private func reasonNotToRead(at place: SessionPlace) -> String? {
        if sessions[.throttled].contains(place) { return "byte-rate" }
        return sessions[.stalled].contains(place) ? wait(at: place)?.rawValue : nil
    }

    /// What was not taken from a peer yet, and what it did not take: names and numbers of its choice.
    private func addRecords(of place: PeerPlace, to report: inout StatusItems, now: Instant) {
        let (key, peer) = ("peer.\(place.rawValue)", peers[place])
        let session = peer.link.flatMap { sessions.isOpen($0) ? sessions[$0.place] : nil }
        let deferred = (session?.inbound?.deferred.values.map { $0 } ?? []).sorted { $0.sequence < $1.sequence }
        for (number, deferred) in deferred.enumerated() {
            let wait = deferred.dueMilliseconds - min(deferred.dueMilliseconds, now.wallMilliseconds)
            report.add(
                "\(key).deferred.\(number)",
                "clockDrift stack=\(deferred.name) stamp=\(deferred.stamp) due-in-ms=\(wait)")
        }
        for (number, refusal) in peer.refusedByPeer.all.enumerated() {
            report.add("\(key).refused-there.\(number)", text(refusal))
        }
    }

    private func add(_ place: TargetPlace, to report: inout StatusItems, now: Instant) {
        let (key, target) = ("target.\(place.rawValue)", targets[place])
        guard target.state != .removed else { return }
        report.add("\(key).address", target.label)
        switch target.state {
        case .waiting(let until):
            report.add("\(key).state", "waiting")
            let wait = until - min(until, now.monotonicNanoseconds)
            report.add("\(key).retry-in-ms", wait / 1_000_000)
        case .dialling: report.add("\(key).state", "dialling")
        case .connected(let id):
            let isReady = sessions.place(of: id).map { sessions[$0].state == .peer } ?? false
            report.add("\(key).state", isReady ? "linked" : "connected")
        case .linked: report.add("\(key).state", "linked")
        case .removed: break
        }
        if let node = target.node { report.add("\(key).node", node.text) }
        if let error = target.lastError { report.add("\(key).last-error", error) }
    }

    private func text(_ refusal: Refusal) -> String {
        "\(refusal.code) stack=\(refusal.name) stamp=\(refusal.stamp) peer=\(refusal.peer)"
    }
}

/// Items as far as there is room: a peer must not make the report longer than a frame, or nobody could read it.
private struct StatusItems {
    private let maximumByteCount: Int
    private var items: [StatusReport.Item] = []
    private var byteCount = 0
    private var leftOutCount = 0

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// All items, and how many there was no room for.
    var complete: [StatusReport.Item] {
        leftOutCount == 0 ? items : items + [StatusReport.Item(key: "left-out", value: String(leftOutCount))]
    }

    mutating func add(_ key: String, _ value: String) {
        let size = key.utf8.count + value.utf8.count + 4
        guard byteCount + size <= maximumByteCount else {
            leftOutCount += 1
            return
        }
        byteCount += size
        items.append(StatusReport.Item(key: key, value: value))
    }

    mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, String(value)) }
}
