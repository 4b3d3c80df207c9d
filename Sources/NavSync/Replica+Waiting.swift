// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Sessions whose frames wait, so that nobody's words take more memory or time than there is.
extension Replica {
    /// What the session's next frame, or the rest of its unfinished one, must wait for; nil when it can be looked at.
    func wait(at place: SessionPlace) -> SessionWait? {
        if sessions[place].pendingOutputByteCount + sessions[place].awaitedByteCount >= outputLimit(at: place) {
            return .output
        }
        if sessions[place].requestsInFlight >= limits.maximumRequestsInFlight { return .requests }
        if hasHadItsShare(at: place) { return .turn }
        if sessions[place].awaitsHistory { return .history }
        let isUnfinished = hasUnfinished(at: place)
        // Reading and heartbeats go on while the store is slow.
        guard isUnfinished || wantsToWrite(at: place) else { return nil }
        if isOpenBatchFull { return .store }
        // What was refused of an unfinished message is told at its end: that must not wait for itself.
        return !isUnfinished && hasMuchUntold(at: place) ? .acknowledgement : nil
    }

    /// Refusals wait for the next acknowledgement: a peer that sends nothing else must not fill the memory with them.
    private func hasMuchUntold(at place: SessionPlace) -> Bool {
        sessions[place].inbound.map { $0.untold.count >= limits.refusalCount } ?? false
    }

    /// A client that does not read its answers is not listened to. Two peers that both had much to send would then
    /// wait for each other for ever: what a peer sends us makes us say little, so only far more than that stops it.
    private func outputLimit(at place: SessionPlace) -> Int {
        limits.outputHighWaterByteCount * (sessions[place].state == .peer ? 16 : 1)
    }

    func hasUnfinished(at place: SessionPlace) -> Bool { sessions[place].inbound?.unfinished != nil }

    private var isOpenBatchFull: Bool {
        openBatch.commit.rows.count >= limits.batchRowCount || openBatch.byteCount >= limits.batchByteCount
    }

    private func wantsToWrite(at place: SessionPlace) -> Bool {
        switch sessions[place].cutter.nextType.flatMap(MessageType.init(rawValue:)) {
        case .push, .delete, .records: true
        default: false
        }
    }

    /// Whether a session is not read for a reason that is not its own: its silence says nothing then.
    func waitsForUs(at place: SessionPlace) -> Bool {
        sessions[.throttled].contains(place)
            || sessions[.stalled].contains(place) && sessions[place].pendingOutputByteCount < outputLimit(at: place)
    }

    mutating func stall(at place: SessionPlace, now: Instant) {
        sessions[.stalled].insert(place)
        adjustReading(at: place, now: now)
    }

    /// Tells the runtime when nothing more must be read, and when reading may go on.
    mutating func adjustReading(at place: SessionPlace, now: Instant) {
        let mustPause = sessions[.stalled].contains(place) || sessions[.throttled].contains(place)
        guard mustPause != sessions[place].isPaused else { return }
        sessions[place].isPaused = mustPause
        actions.append(mustPause ? .pause(sessions[place].id) : .resume(sessions[place].id))
        guard !mustPause else { return }
        // It could not be heard meanwhile, and may have said much that was not read.
        noteHeard(at: place, now: now)
        wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: limits.heartbeatNanoseconds))
    }

    mutating func resumeStalled(at place: SessionPlace, now: Instant) {
        guard sessions[.stalled].contains(place), wait(at: place) == nil else { return }
        sessions[.stalled].remove(place)
        let id = sessions[place].id
        cutFrames(at: place, now: now)
        guard sessions.place(of: id) == place, !sessions[.stalled].contains(place) else { return }
        adjustReading(at: place, now: now)
    }

    /// Looks at an envelope and counts what that may have cost.
    mutating func look(at envelope: [UInt8], for place: SessionPlace) throws(SyncError) -> ContentHash {
        sessions[place].claimedByteCount += PathEnvelope.claimedByteCount(of: envelope)
        return try inspect(envelope)
    }

    /// Whether others come first: so much was looked at for the session that they would have to wait.
    func hasHadItsShare(at place: SessionPlace) -> Bool {
        sessions[place].claimedByteCount >= limits.claimedByteCountPerRound
    }

    /// In a later round, sessions that have had their share get another.
    mutating func resumeAfterShare(now: Instant) {
        for place in sessions[.stalled].places where sessions.isInUse(place) && hasHadItsShare(at: place) {
            sessions[place].claimedByteCount = 0
            resumeStalled(at: place, now: now)
        }
    }

    mutating func resumeAllStalled(now: Instant) {
        for place in sessions[.stalled].places { resumeStalled(at: place, now: now) }
    }
}
