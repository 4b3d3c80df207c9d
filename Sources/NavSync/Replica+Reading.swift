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

    mutating func finishRead(_ token: ReadToken, _ envelope: [UInt8]?, now: Instant) {
        switch reads.removeValue(forKey: token) {
        case nil: break
        case .pull(let handle, let request, let entry):
            finishPull(handle, request, entry, envelope, now: now)
        case .subscription(let handle, let sequence):
            finishCatchUp(handle, token, sequence, envelope)
        }
    }

    private mutating func finishPull(
        _ handle: SessionHandle, _ request: RequestID, _ entry: IndexEntry, _ envelope: [UInt8]?, now: Instant
    ) {
        guard sessions.isOpen(handle) else { return }
        sessions[handle.place].requestsInFlight -= 1
        sessions[handle.place].awaitedByteCount -= entry.envelopeByteCount
        if let envelope {
            let record = WireRecord(
                sequence: entry.sequence, name: entry.name, stamp: entry.stamp, writeCount: entry.writeCount,
                base: entry.base, content: .envelope(envelope))
            send(
                Records(request: request, through: entry.sequence, mark: Mark(rawValue: 0), items: [record]),
                at: handle.place)
        } else {
            report(.envelopeMissing(entry.sequence))
            answer(
                request, SyncError(code: .storeFailed, reason: "the store did not return the stack's content"),
                at: handle.place)
        }
        resumeStalled(at: handle.place, now: now)
    }

    private mutating func finishCatchUp(
        _ handle: SessionHandle, _ token: ReadToken, _ sequence: Sequence, _ envelope: [UInt8]?
    ) {
        // By the read and not by the request: that may name another subscription by now, which stands elsewhere.
        guard sessions.isOpen(handle),
            let number = sessions[handle.place].subscriptions.firstIndex(where: { $0.awaitedRead == token })
        else { return }
        sessions[handle.place].subscriptions[number].awaitedRead = nil
        if let envelope {
            sessions[handle.place].subscriptions[number].readEnvelope = (sequence.rawValue, envelope)
        } else {
            // Written again meanwhile, or unreadable: what follows tells. The row itself is passed.
            if index.isLive(sequence) { report(.envelopeMissing(sequence)) }
            sessions[handle.place].subscriptions[number].position = sequence
            sessions[handle.place].subscriptions[number].reservedByteCount = 0
        }
        wantFanOut(at: handle.place)
    }
}
