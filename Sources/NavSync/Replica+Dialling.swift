// SPDX-License-Identifier: Apache-2.0

/// When which target is dialled: one that waits becomes due, is dialled, connected, or linked by the peer itself, and waits
/// again when that ends.
extension Replica {
    mutating func dialDueTargets(now: Instant) {
        guard !isDraining else { return }
        for target in targets.places {
            guard case .waiting(let until) = targets[target].state else { continue }
            guard now.monotonicNanoseconds >= until else {
                wake(at: until)
                continue
            }
            if let node = targets[target].node, let peer = peers.place(of: node), peers[peer].link != nil {
                targets[target].state = .linked
            } else {
                targets[target].state = .dialling
                actions.append(.dial(target))
            }
        }
    }

    /// What a session's end means for the target that was dialled.
    mutating func settleTarget(of session: Session, _ end: SessionEnd, now: Instant) {
        guard case .dialled(let target) = session.origin, targets.contains(target),
            targets[target].state == .connected(session.id)
        else { return }
        if let peer = session.peer, let link = peers[peer].link, link.id != session.id {
            targets[target].state = .linked
            return
        }
        let reason = end.error?.description ?? "the connection was closed"
        targets[target].lastError = reason
        let ready = session.readyAt.map { now.monotonicNanoseconds - $0 }
        scheduleDial(target, readyFor: ready, reason: reason, error: end.error, now: now)
    }

    mutating func scheduleDial(
        _ target: TargetPlace, readyFor ready: UInt64?, reason: String, error: SyncError? = nil, now: Instant
    ) {
        var delay = targets[target].backOff.next(readyFor: ready, policy: configuration.backOff, using: &generator)
        if error?.code == .duplicateIdentity || error?.code == .selfConnection {
            delay = limits.duplicateIdentityNanoseconds
        }
        let until = now.monotonicNanoseconds.advanced(byNanoseconds: delay)
        targets[target].state = .waiting(until: until)
        wake(at: until)
        report(.dialScheduled(target, reason: reason, delayNanoseconds: delay))
    }
}
