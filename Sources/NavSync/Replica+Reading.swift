// SPDX-License-Identifier: Apache-2.0

/// Who waits for an envelope from the store.
enum PendingRead: Sendable {
    case pull(SessionHandle, RequestID, IndexEntry)
    case subscription(SessionHandle, Sequence)
}

extension Replica {
    @discardableResult
    mutating func readEnvelope(_ read: PendingRead, at sequence: Sequence) -> ReadToken {
        let token = ReadToken(rawValue: makeNumber())
        reads[token] = read
        actions.append(.readEnvelope(token, sequence))
        return token
    }

    mutating func finishRead(_ token: ReadToken, _ read: EnvelopeRead, now: Instant) {
        switch reads.removeValue(forKey: token) {
        case nil: break
        case .pull(let handle, let request, let entry):
            noteFault(read, of: entry.sequence)
            finishPull(handle, request, entry, read, now: now)
        case .subscription(let handle, let sequence):
            noteFault(read, of: sequence)
            finishCatchUp(handle, token, sequence, read, now: now)
        }
    }

    /// A row that is no longer live may be gone by now: nobody waits for it any more.
    private mutating func noteFault(_ read: EnvelopeRead, of sequence: Sequence) {
        guard index.isLive(sequence) else { return }
        switch read {
        case .envelope: break
        case .absent: report(.envelopeMissing(sequence))
        case .failed(let reason): report(.readFailed(sequence, reason))
        }
    }

    private mutating func finishPull(
        _ handle: SessionHandle, _ request: RequestID, _ entry: IndexEntry, _ read: EnvelopeRead, now: Instant
    ) {
        guard sessions.isOpen(handle) else { return }
        sessions[handle.place].requestsInFlight -= 1
        sessions[handle.place].awaitedByteCount -= entry.envelopeByteCount
        if case .envelope(let envelope) = read {
            let record = WireRecord(
                sequence: entry.sequence, name: entry.name, stamp: entry.stamp, writeCount: entry.writeCount,
                base: entry.base, content: .envelope(envelope))
            send(
                Records(request: request, through: entry.sequence, mark: Mark(rawValue: 0), items: [record]),
                at: handle.place)
        } else {
            answer(
                request, SyncError(code: .storeFailed, reason: "the store did not return the stack's content"),
                at: handle.place)
        }
        resumeStalled(at: handle.place, now: now)
    }

    private mutating func finishCatchUp(
        _ handle: SessionHandle, _ token: ReadToken, _ sequence: Sequence, _ read: EnvelopeRead, now: Instant
    ) {
        // By the read and not by the request: that may name another subscription by now, which stands elsewhere.
        guard sessions.isOpen(handle),
            let number = sessions[handle.place].subscriptions.firstIndex(where: { $0.awaitedRead == token })
        else { return }
        sessions[handle.place].subscriptions[number].awaitedRead = nil
        if case .envelope(let envelope) = read {
            sessions[handle.place].subscriptions[number].readEnvelope = (sequence.rawValue, envelope)
        } else {
            sessions[handle.place].subscriptions[number].reservedByteCount = 0
            if index.isLive(sequence) {
                // A reader that has passed a live row is never sent it again: it stands here until the row can be read.
                let due = now.monotonicNanoseconds.advanced(byNanoseconds: limits.readRetryNanoseconds)
                sessions[handle.place].subscriptions[number].retryAt = due
                wake(at: due)
            }
        }
        wantFanOut(at: handle.place)
    }

    /// Reads again what could not be read.
    mutating func retryReads(now: Instant) {
        for place in sessions[.subscribed].places {
            for number in sessions[place].subscriptions.indices {
                guard let due = sessions[place].subscriptions[number].retryAt else { continue }
                guard now.monotonicNanoseconds >= due else {
                    wake(at: due)
                    continue
                }
                sessions[place].subscriptions[number].retryAt = nil
                wantFanOut(at: place)
            }
        }
    }
}
