// SPDX-License-Identifier: Apache-2.0

/// Reading no faster than the limits say: what a peer or a user sends too fast waits in the kernel, and in time at the
/// sender. Nothing is lost and nobody is cut off.
extension Replica {
    /// Counts what was read on a session. Administrators are never slowed down.
    mutating func charge(_ byteCount: Int, at place: SessionPlace, now: Instant) {
        let moment = now.monotonicNanoseconds
        if let peer = sessions[place].peer {
            guard let rate = limits.peerByteRate else { return }
            peers[peer].readBudget.spend(byteCount, rate: rate, at: moment)
        } else {
            guard let rate = limits.userByteRate, let user = budgetedUser(at: place) else { return }
            userBudgets[user, default: ReadBudget()].spend(byteCount, rate: rate, at: moment)
        }
        let until = paidThrough(at: place)
        guard until > moment else { return }
        sessions[.throttled].insert(place)
        adjustReading(at: place, now: now)
        wake(at: until)
        showLife(at: place, now: now)
    }

    /// The user whose budget pays for a session; nil when none does.
    private func budgetedUser(at place: SessionPlace) -> UInt32? {
        guard sessions[place].state == .client, sessions[place].access.local < .administrator else { return nil }
        return sessions[place].userID
    }

    private func paidThrough(at place: SessionPlace) -> UInt64 {
        if let peer = sessions[place].peer { return peers[peer].readBudget.paidThrough }
        return budgetedUser(at: place).flatMap { userBudgets[$0]?.paidThrough } ?? 0
    }

    /// A peer whose words wait unread must not think that nobody is here.
    private mutating func showLife(at place: SessionPlace, now: Instant) {
        let due = sessions[place].shownLifeAt?.advanced(byNanoseconds: limits.heartbeatNanoseconds) ?? 0
        guard sessions[place].state == .peer, now.monotonicNanoseconds >= due else { return }
        sessions[place].shownLifeAt = now.monotonicNanoseconds
        send(Ping(heartbeat(token: makeNumber(), now: now)), at: place)
    }

    /// Reads again where everything is paid for.
    mutating func resumeThrottled(now: Instant) {
        for place in sessions[.throttled].removeAll() {
            let until = paidThrough(at: place)
            guard now.monotonicNanoseconds >= until else {
                sessions[.throttled].insert(place)
                wake(at: until)
                continue
            }
            adjustReading(at: place, now: now)
        }
    }
}
