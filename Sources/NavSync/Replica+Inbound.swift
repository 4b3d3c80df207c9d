// SPDX-License-Identifier: Apache-2.0

/// Our reading of peers.
extension Replica {
    /// Asks a peer for its records behind our cursor.
    mutating func subscribeToPeer(at place: SessionPlace, now: Instant) {
        guard let peer = sessions[place].peer, !isDraining else { return }
        let cursor = sessions[place].inbound?.durablePosition ?? peers[peer].unsavedCursor ?? peers[peer].cursor
        // Odd from the side that dialled, even from the other: an acknowledgement then tells whose request it means.
        let request = RequestID(rawValue: 2 * makeNumber() + (sessions[place].isDialled ? 1 : 0))
        var inbound = Inbound()
        // What is not sent again because the cursor has passed it is still to be told.
        let told = cursor?.sequence ?? .zero
        inbound.untold = sessions[place].inbound?.untold.filter { $0.sequence <= told } ?? []
        inbound.known = Set(sessions[place].inbound?.deferred.values.map(\.stamp) ?? [])
        inbound.askedAt = now.monotonicNanoseconds
        inbound.request = request
        inbound.position = cursor
        sessions[place].inbound = inbound
        send(Subscribe(request: request, start: cursor.map { .cursor($0) } ?? .beginning), at: place)
    }

    mutating func takeAcknowledge(_ message: Acknowledge, at place: SessionPlace, now: Instant) throws(SyncError) {
        guard let peer = sessions[place].peer else { return }
        if message.request == sessions[place].inbound?.request, message.request != .none {
            try takeStart(message, peer, at: place)
        } else if let number = isOfSubscription(message.request, at: place) {
            let sent = sessions[place].subscriptions[number].toldThrough
            guard message.sequence <= sent, message.refused.allSatisfy({ $0.sequence <= sent }) else {
                throw .malformed("\(message.sequence.rawValue) is acknowledged, \(sent.rawValue) was sent")
            }
            sessions[place].subscriptions[number].acknowledge(through: message.sequence)
            for refused in message.refused { noteRefusedByPeer(refused, peer) }
            wantFanOut(at: place)
        }
    }

    /// The answer to our subscription: where the peer starts.
    private mutating func takeStart(_ message: Acknowledge, _ peer: PeerPlace, at place: SessionPlace) throws(SyncError)
    {
        let asked = sessions[place].inbound?.position?.sequence ?? .zero
        guard message.isCursorVoid || message.sequence == asked else {
            throw .malformed("a subscription from \(asked.rawValue) starts at \(message.sequence.rawValue)")
        }
        guard message.isCursorVoid else { return }
        sessions[place].inbound?.position = nil
        sessions[place].inbound?.untold = []
        report(.cursorVoid(peer: peers[peer].node, reason: "the peer does not know our place"))
    }

    mutating func takeRecords(_ reader: inout ByteReader, at place: SessionPlace, now: Instant) throws(SyncError) {
        let request = RequestID(rawValue: try reader.readVarint())
        guard request == sessions[place].inbound?.request, !isDraining, storeState != .failed else { return }
        let through = Sequence(rawValue: try reader.readUInt64())
        let mark = Mark(rawValue: try reader.readUInt64())
        let before = sessions[place].inbound?.position
        let last = before?.sequence ?? .zero
        guard through >= last else { throw .malformed("records through \(through.rawValue) after \(last.rawValue)") }
        sessions[place].inbound?.unfinished = Inbound.Unfinished(
            reader: reader, through: through, mark: mark, before: before, last: last)
        try goOnWithRecords(at: place, now: now)
    }

    /// Takes records of a message until its end, or until the session has had its share of this round: a short message can
    /// hold thousands of envelopes of a megabyte each, compressed.
    mutating func goOnWithRecords(at place: SessionPlace, now: Instant) throws(SyncError) {
        guard var message = sessions[place].inbound?.unfinished else { return }
        sessions[place].inbound?.unfinished = nil
        guard let peer = sessions[place].peer, let incarnation = sessions[place].hello?.incarnation,
            let request = sessions[place].inbound?.request, !isDraining, storeState != .failed
        else { return }
        let rowCount = openBatch.commit.rows.count
        while message.reader.remaining > 0 {
            guard !hasHadItsShare(at: place) else {
                sessions[place].inbound?.unfinished = message
                return
            }
            let record = try WireRecord(reading: &message.reader)
            guard record.sequence > message.last, record.sequence <= message.through else {
                throw .malformed("record \(record.sequence.rawValue) after \(message.last.rawValue)")
            }
            message.last = record.sequence
            take(record, before: message.before, peer, at: place, now: now)
        }
        let scope = sessions[place].inboundScope
        sessions[place].inbound?.position = Cursor(
            incarnation: incarnation, sequence: message.through, mark: message.mark, scope: scope)
        noteCursor(sessions[place].inbound?.durablePosition, of: peer, now: now)
        acknowledgeWhenDurable(
            request, through: message.through, hasNewRows: openBatch.commit.rows.count > rowCount, at: place)
    }

    private mutating func take(
        _ wire: WireRecord, before: Cursor?, _ peer: PeerPlace, at place: SessionPlace, now: Instant
    ) {
        peers[peer].recordsReceived += 1
        sessions[place].inbound?.dropDeferred(wire.name)
        guard sessions[place].rights.write.contains(wire.name) else {
            guard !isEcho(wire, at: place) else { return counters.duplicate += 1 }
            let error = SyncError.notPermitted("'\(wire.name)' is outside what the peer may write here")
            return refuse(wire, error, peer, at: place)
        }
        guard wire.stamp.origin != node || wire.writeCount < limits.maximumOwnWriteCount else {
            return refuse(wire, .malformed("a write count that this replica cannot have reached"), peer, at: place)
        }
        if let excess = HybridClock.excessDrift(of: wire.stamp.time, at: now, limits: limits) {
            deferRecord(wire, excess: excess, before: before, peer, at: place, now: now)
            return
        }
        let content: Record.Content
        switch wire.content {
        case .tombstone: content = .tombstone
        case .omitted: return refuse(wire, .invalidEnvelope("a record without its envelope"), peer, at: place)
        case .envelope(let envelope):
            guard envelope.count <= limits.maximumEnvelopeByteCount else {
                let error = SyncError.valueTooLarge(envelope.count, limit: limits.maximumEnvelopeByteCount)
                return refuse(wire, error, peer, at: place)
            }
            do throws(SyncError) {
                content = .envelope(envelope, try look(at: envelope, for: place))
            } catch {
                return refuse(wire, error, peer, at: place)
            }
        }
        let record = Record(
            name: wire.name, stamp: wire.stamp, writeCount: wire.writeCount, base: wire.base, content: content)
        do throws(SyncError) {
            let outcome = try mergeWithinQuota(record, from: peer, at: place, now: now)
            settleRefusal(Refusal.Key(peer: peers[peer].node, name: wire.name))
            if outcome == .applied { peers[peer].recordsApplied += 1 }
        } catch {
            refuse(wire, error, peer, at: place)
        }
    }

    /// Whether a record that the peer may not write is one that it has from us: sent back, as after an interruption, it is
    /// no attempt to write. Only of names that the peer may read: it must not learn from this what else is here.
    private func isEcho(_ wire: WireRecord, at place: SessionPlace) -> Bool {
        guard sessions[place].rights.read.contains(wire.name), let slot = index.slot(of: wire.name),
            let current = currentVersion(ofSlot: slot)
        else { return false }
        return wire.stamp == current.stamp || wire.stamp.origin == node && wire.stamp < current.stamp
    }

    /// A record too far ahead is not taken, not forgotten, and moves no clock.
    private mutating func deferRecord(
        _ wire: WireRecord, excess: UInt64, before: Cursor?, _ peer: PeerPlace, at place: SessionPlace, now: Instant
    ) {
        counters.refused += 1
        let due = wire.stamp.time.milliseconds - min(wire.stamp.time.milliseconds, limits.maximumDriftMilliseconds)
        let deferred = Inbound.Deferred(
            name: wire.name, stamp: wire.stamp, sequence: wire.sequence, before: before, dueMilliseconds: due)
        let limit = limits.deferredCount
        sessions[place].inbound?.deferRecord(deferred, limit: limit)
        sessions[place].inbound?.untold.append(
            Acknowledge.Refused(
                code: SyncError.Code.clockDrift.rawValue, sequence: wire.sequence, name: wire.name, stamp: wire.stamp,
                retryMilliseconds: excess))
        if !(sessions[place].inbound?.known.contains(wire.stamp) ?? false) {
            report(
                .clockDrift(
                    peer: peers[peer].node, name: wire.name, stamp: wire.stamp,
                    aheadMilliseconds: excess + limits.maximumDriftMilliseconds))
        }
        wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: deferredCheckDelay(excess)))
    }

    private mutating func refuse(_ wire: WireRecord, _ error: SyncError, _ peer: PeerPlace, at place: SessionPlace) {
        counters.refused += 1
        let refusal = Refusal(peer: peers[peer].node, name: wire.name, stamp: wire.stamp, code: error.code)
        if !refusals.contains(refusal), !openBatch.refusals.contains(refusal) {
            openBatch.refusals.insert(refusal)
            report(.recordRefused(refusal))
        }
        sessions[place].inbound?.untold.append(
            Acknowledge.Refused(
                code: error.code.rawValue, sequence: wire.sequence, name: wire.name, stamp: wire.stamp,
                retryMilliseconds: 0))
    }

    /// A record of that name was taken from the peer: what was refused before says nothing any more.
    private mutating func settleRefusal(_ key: Refusal.Key) {
        if !openBatch.refusals.isEmpty { openBatch.refusals.remove(key) }
        guard refusals.contains(key) || batchInFlight?.refusals.contains(key) ?? false else { return }
        openBatch.commit.settledRefusals.insert(key)
    }

    /// All of the peer's records come anew, under other rights: what is still refused will be said again.
    mutating func settleRefusals(of peer: PeerPlace) {
        let node = peers[peer].node
        let written = refusals.keys(of: node) + (batchInFlight?.refusals.keys(of: node) ?? [])
        openBatch.commit.settledRefusals.formUnion(written)
        for key in openBatch.refusals.keys(of: node) { openBatch.refusals.remove(key) }
    }

    // MARK: Acknowledging

    /// With everything durable the acknowledgement goes out at once, else with the commit that makes it so.
    private mutating func acknowledgeWhenDurable(
        _ request: RequestID, through: Sequence, hasNewRows: Bool, at place: SessionPlace
    ) {
        if hasNewRows || openBatch.isUrgent || batchInFlight != nil {
            openBatch.waiters.append(.records(handle(at: place), request, through: through))
        } else {
            acknowledgeRecords(request, through: through, at: place)
        }
    }

    mutating func acknowledgeRecords(_ request: RequestID, through: Sequence, at place: SessionPlace) {
        var refused = (sessions[place].inbound?.untold ?? [])[...]
        sessions[place].inbound?.untold = []
        // As many messages as it takes: one must not be longer than a frame may be.
        repeat {
            let some = refused.prefix(limits.refusalCount)
            send(Acknowledge(request: request, sequence: through, refused: Array(some)), at: place)
            refused = refused.dropFirst(some.count)
        } while !refused.isEmpty
    }

    private mutating func noteRefusedByPeer(_ refused: Acknowledge.Refused, _ peer: PeerPlace) {
        let error = ErrorMessage(request: .none, code: refused.code, reason: "").error
        let refusal = Refusal(peer: peers[peer].node, name: refused.name, stamp: refused.stamp, code: error.code)
        guard !peers[peer].refusedByPeer.contains(refusal) else { return }
        peers[peer].refusedByPeer.insert(refusal)
        report(.recordRefusedByPeer(refusal))
    }

    // MARK: Asking again

    /// Asks again for records whose time has come, and after the store was full.
    mutating func askAgainForDeferred(now: Instant) {
        for peer in peers.places {
            guard let link = peers[peer].link, sessions.isOpen(link), let inbound = sessions[link.place].inbound
            else { continue }
            if let retry = inbound.retryAt {
                guard now.monotonicNanoseconds >= retry else {
                    wake(at: retry)
                    continue
                }
                sessions[link.place].inbound = nil
                subscribeToPeer(at: link.place, now: now)
            } else if let due = inbound.nextDueMilliseconds {
                // Many that come due one after the other are asked for together.
                let earliest = inbound.askedAt.advanced(byNanoseconds: limits.deferredRetryNanoseconds)
                if due <= now.wallMilliseconds, now.monotonicNanoseconds >= earliest {
                    subscribeToPeer(at: link.place, now: now)
                } else if due <= now.wallMilliseconds {
                    wake(at: earliest)
                } else {
                    let delay = deferredCheckDelay(due - now.wallMilliseconds)
                    wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: delay))
                }
            }
        }
    }

    /// The wall clock may jump, so it is looked at again after a while at most.
    private func deferredCheckDelay(_ milliseconds: UInt64) -> UInt64 {
        min(milliseconds, 10_000) * 1_000_000
    }
}
