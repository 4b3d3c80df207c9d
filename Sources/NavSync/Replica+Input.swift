// SPDX-License-Identifier: Apache-2.0

/// What clients have sent of messages that are not taken yet. A message that is begun may be silent for a while and no
/// longer, and all of them together may take so much memory and no more: who is slow is waited for while there is room.
///
/// Peers are not counted: each has one link, somebody trusted it, and its silence is watched anyway.
extension Replica {
    /// Something was heard of the session, or it could not be heard until now.
    mutating func noteHeard(at place: SessionPlace, now: Instant) {
        sessions[place].heardAt = now.monotonicNanoseconds
        sessions[place].pingedAt = nil
        sessions[place].probeDeadline = nil
    }

    /// Counts what a session holds, after its frames were cut; gives up others if that is too much, or this one.
    mutating func noteInput(at place: SessionPlace, hasCut: Bool, now: Instant) {
        guard sessions[place].cutter.bufferedByteCount > 0 else {
            sessions[place].halfSince = nil
            return countInput(0, at: place)
        }
        if hasCut || sessions[place].halfSince == nil { sessions[place].halfSince = now.monotonicNanoseconds }
        guard sessions[place].state == .client else { return }
        wake(at: halfMessageDeadline(at: place))
        let held = sessions[place].cutter.heldByteCount
        countInput(held > limits.uncountedInputByteCount ? held : 0, at: place)
        guard sessions[place].inputByteCount > 0 else { return }
        while inputByteCount > limits.inputByteCount, let victim = greatestHalfMessage() {
            let reason = "those of all local programs take more than \(limits.inputByteCount) bytes"
            endSession(at: victim, .refused(.messageUnfinished(reason)), now: now)
        }
    }

    mutating func countInput(_ byteCount: Int, at place: SessionPlace) {
        inputByteCount += byteCount - sessions[place].inputByteCount
        sessions[place].inputByteCount = byteCount
    }

    /// Ends a client that has left a message in the middle. Who is not read cannot finish.
    mutating func watchHalfMessage(at place: SessionPlace, now: Instant) {
        guard sessions[place].halfSince != nil, !sessions[.stalled].contains(place),
            !sessions[.throttled].contains(place)
        else { return }
        let due = halfMessageDeadline(at: place)
        guard now.monotonicNanoseconds >= due else { return wake(at: due) }
        let reason = "nothing came for \(limits.halfMessageNanoseconds / 1_000_000_000) seconds"
        endSession(at: place, .refused(.messageUnfinished(reason)), now: now)
    }

    private func halfMessageDeadline(at place: SessionPlace) -> UInt64 {
        sessions[place].heardAt.advanced(byNanoseconds: limits.halfMessageNanoseconds)
    }

    /// The longest-standing unfinished message of the user whose input is the most: a crowd harms only the user who made it.
    private func greatestHalfMessage() -> SessionPlace? {
        var sums: [UInt32?: Int] = [:]
        for place in sessions.places where sessions.isInUse(place) && sessions[place].inputByteCount > 0 {
            sums[sessions[place].userID, default: 0] += sessions[place].inputByteCount
        }
        var found: (place: SessionPlace, sum: Int, since: UInt64)?
        for place in sessions.places where sessions.isInUse(place) && mayBeGivenUp(at: place) {
            let (sum, since) = (sums[sessions[place].userID] ?? 0, sessions[place].halfSince ?? 0)
            guard sum > limits.userInputByteCount else { continue }
            if let best = found, (best.sum, since) >= (sum, best.since) { continue }
            found = (place, sum, since)
        }
        return found?.place
    }

    /// Whether it is the other side that keeps a session's input waiting. What waits for the store or for its turn does not.
    private func mayBeGivenUp(at place: SessionPlace) -> Bool {
        sessions[place].inputByteCount > 0 && !waitsForUs(at: place)
    }
}
