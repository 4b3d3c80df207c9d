// SPDX-License-Identifier: Apache-2.0

/// What time alone brings about: silence that is too long, heartbeats, and the look at our own clock.
extension Replica {
    // MARK: Sessions

    /// Gives up what was silent for too long, and pings what was silent for a while.
    mutating func watchSessions(now: Instant) {
        for place in sessions.places where sessions.isInUse(place) {
            switch sessions[place].state {
            case .awaitingHello: watchHandshake(at: place, now: now)
            case .peer: watchLink(at: place, now: now)
            case .client: watchHalfMessage(at: place, now: now)
            }
        }
    }

    private mutating func watchHandshake(at place: SessionPlace, now: Instant) {
        let due = sessions[place].openedAt.advanced(byNanoseconds: limits.handshakeNanoseconds)
        guard now.monotonicNanoseconds >= due else { return wake(at: due) }
        let error = SyncError(
            code: .deadlineExceeded,
            reason: "no hello within \(limits.handshakeNanoseconds / 1_000_000_000) seconds")
        endSession(at: place, .refused(error), now: now)
    }

    private mutating func watchLink(at place: SessionPlace, now: Instant) {
        // Who is not read cannot be heard; this goes on when it is read again.
        guard !waitsForUs(at: place) else { return }
        let heard = sessions[place].heardAt
        let silence = heard.advanced(byNanoseconds: limits.silenceNanoseconds)
        let lost = min(silence, sessions[place].probeDeadline ?? .max)
        guard now.monotonicNanoseconds < lost else {
            let error = SyncError(
                code: .deadlineExceeded,
                reason: "nothing was heard for \((now.monotonicNanoseconds - heard) / 1_000_000_000) seconds")
            endSession(at: place, .closed(error), now: now)
            return
        }
        let lastWord = max(heard, sessions[place].pingedAt ?? 0)
        var nextPing = lastWord.advanced(byNanoseconds: limits.heartbeatNanoseconds)
        if now.monotonicNanoseconds >= nextPing {
            ping(at: place, now: now)
            nextPing = now.monotonicNanoseconds.advanced(byNanoseconds: limits.heartbeatNanoseconds)
        }
        wake(at: min(lost, nextPing))
    }

    private mutating func ping(at place: SessionPlace, now: Instant) {
        sessions[place].pingedAt = now.monotonicNanoseconds
        tellPosition(at: place)
        send(Ping(heartbeat(token: makeNumber(), now: now)), at: place)
    }

    /// Makes sure that a link is alive: it must answer within two seconds.
    mutating func probe(at place: SessionPlace, now: Instant) {
        guard sessions[place].probeDeadline == nil else { return }
        let due = now.monotonicNanoseconds.advanced(byNanoseconds: 2_000_000_000)
        ping(at: place, now: now)
        sessions[place].probeDeadline = due
        wake(at: due)
    }

    func heartbeat(token: UInt64, now: Instant) -> Heartbeat {
        Heartbeat(
            token: token, incarnation: incarnation, head: index.head, wallMilliseconds: now.wallMilliseconds,
            isSynchronised: now.isSynchronised)
    }

    mutating func noteHeartbeat(_ heartbeat: Heartbeat, at place: SessionPlace, now: Instant) {
        guard let peer = sessions[place].peer else { return }
        peers[peer].head = heartbeat.head
        noteClock(heartbeat.wallMilliseconds, isSynchronised: heartbeat.isSynchronised, of: peer, now: now)
    }

    // MARK: Clock

    /// Looked at in each round, because the wall clock may be set at any time.
    mutating func noteFloor(now: Instant) {
        let isAhead = floorExcess(now: now) > 0
        guard isAhead != isFloorAhead else { return }
        isFloorAhead = isAhead
        if isAhead { report(.floorAhead(milliseconds: clock.floor.milliseconds - now.wallMilliseconds)) }
    }

    /// For how many milliseconds peers whose clocks agree with ours will refuse what is written now.
    func floorExcess(now: Instant) -> UInt64 {
        HybridClock.excessDrift(of: clock.floor, at: now, limits: limits) ?? 0
    }
}
