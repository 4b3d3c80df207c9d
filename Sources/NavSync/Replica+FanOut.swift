// SPDX-License-Identifier: Apache-2.0

/// Changes to those who want them: live and catch-up are one path.
extension Replica {
    mutating func wantFanOut(at place: SessionPlace) {
        guard sessions[.subscribed].contains(place) else { return }
        sessions[.wantingChanges].insert(place)
    }

    mutating func takeSubscribe(_ subscribe: Subscribe, at place: SessionPlace, now: Instant) throws(SyncError) {
        let peer = sessions[place].peer.map { peers[$0].node }
        guard !isDraining else { return answer(subscribe.request, .draining, at: place) }
        guard subscribe.prefix.count <= StackName.maximumByteCount else {
            // It is kept for as long as the subscription.
            return answer(subscribe.request, .prefixTooLong(subscribe.prefix.count), at: place)
        }
        if peer != nil {
            sessions[place].subscriptions.removeAll()
        } else {
            sessions[place].subscriptions.removeAll { $0.request == subscribe.request }
        }
        guard sessions[place].subscriptions.count < limits.maximumSubscriptions else {
            let error = SyncError.limitExceeded("\(limits.maximumSubscriptions) subscriptions of a session are allowed")
            return answer(subscribe.request, error, at: place)
        }
        let (start, fault) = startOfSubscription(subscribe, scope: scope(of: subscribe, at: place))
        if let fault, let peer { report(.cursorVoid(peer: peer, reason: fault)) }
        if let peer = sessions[place].peer { peers[peer].refusedByPeer = RefusalBook(limit: limits.refusalCount) }
        let isScan = start == .zero
        sessions[place].subscriptions.append(
            Subscription(
                request: subscribe.request, prefix: subscribe.prefix,
                readable: peer == nil ? .all : sessions[place].rights.read,
                withoutEnvelopes: subscribe.withoutEnvelopes,
                peer: peer, position: start, toldThrough: start,
                caughtUpAt: subscribe.start == .now ? index.head : .zero,
                beganAt: Sequence(rawValue: nextSequence - 1), heldThrough: heldThrough(subscribe.start),
                silentTombstones: isScan && peer == nil ? index.head : .zero))
        sessions[.subscribed].insert(place)
        send(
            Acknowledge(
                request: subscribe.request, sequence: start, isCursorVoid: fault != nil,
                mark: isScan ? nil : marks.mark(holding: start)), at: place)
        wantFanOut(at: place)
    }

    /// A peer's cursor is valid for the rights of the link, a client's for its prefix.
    private func scope(of subscribe: Subscribe, at place: SessionPlace) -> Scope {
        sessions[place].peer == nil ? Scope(prefix: subscribe.prefix) : sessions[place].outboundScope
    }

    /// Where a subscription starts, and why its cursor is void.
    private func startOfSubscription(_ subscribe: Subscribe, scope: Scope) -> (Sequence, fault: String?) {
        switch subscribe.start {
        case .now: return (index.head, nil)
        case .beginning: return (.zero, nil)
        case .cursor(let cursor):
            guard cursor.incarnation == incarnation else { return (.zero, "it belongs to another incarnation") }
            guard cursor.scope == scope else { return (.zero, "its scope is another") }
            guard cursor.sequence <= index.head, marks.knows(cursor.sequence, cursor.mark) else {
                return (.zero, "its mark is unknown")
            }
            return (cursor.sequence, nil)
        }
    }

    /// How far the reader had come in our order, though its cursor may be void for another reason: its scope.
    private func heldThrough(_ start: SubscriptionStart) -> Sequence {
        guard case .cursor(let cursor) = start, cursor.incarnation == incarnation, cursor.sequence <= index.head,
            marks.knows(cursor.sequence, cursor.mark)
        else { return .zero }
        return cursor.sequence
    }

    mutating func endSubscription(_ request: RequestID, at place: SessionPlace) {
        sessions[place].subscriptions.removeAll { $0.request == request }
        if sessions[place].subscriptions.isEmpty { sessions[.subscribed].remove(place) }
        // Others may have waited for the room that it had.
        wantFanOut(at: place)
    }

    mutating func sendFanOut(now: Instant) {
        for place in sessions[.wantingChanges].removeAll() { writeSubscriptions(at: place) }
    }

    /// What was read from the store goes first and frees its room; then it is each one's turn.
    private mutating func writeSubscriptions(at place: SessionPlace) {
        let count = sessions[place].subscriptions.count
        for number in 0..<count where sessions[place].subscriptions[number].readEnvelope != nil {
            _ = writeMessage(of: number, at: place)
        }
        let first = sessions[place].nextToRead
        for offset in 0..<count {
            while writeMessage(of: (first + offset) % count, at: place) {}
        }
    }

    /// How many bytes of envelopes that the index does not hold a session may be made to owe for one subscription; 0 or
    /// less when it must first take what it has. One that is greater than the limit goes when little else is owed: so a
    /// reader that takes nothing holds no more than one of them.
    private func room(for number: Int, at place: SessionPlace) -> Int {
        var owed = sessions[place].pendingOutputByteCount
        for other in sessions[place].subscriptions.indices where other != number {
            owed += sessions[place].subscriptions[other].reservedByteCount
        }
        return owed <= limits.outputHighWaterByteCount / 8 ? .max : limits.outputHighWaterByteCount - owed
    }

    /// Writes one `records` message. False when there is nothing to say, or the reader must take some first.
    private mutating func writeMessage(of number: Int, at place: SessionPlace) -> Bool {
        guard sessions[place].subscriptions[number].mayWrite(upTo: index.head, limits) else { return false }
        let room = room(for: number, at: place)
        guard room > 0 else { return false }
        var bytes: [UInt8] = []
        swap(&bytes, &sessions[place].output)
        let start = bytes.count
        let stop = sessions[place].subscriptions[number].writeMessage(
            from: index, recent: recent, marks: marks, limit: limits.recordsMessageByteCount, room: room, to: &bytes)
        let hasWritten = bytes.count > start
        swap(&bytes, &sessions[place].output)
        if hasWritten {
            sessions[.speaking].insert(place)
        } else if case .missingEnvelope(let sequence, let byteCount) = stop {
            sessions[place].subscriptions[number].reservedByteCount = byteCount
            sessions[place].subscriptions[number].awaitedRead = readEnvelope(
                .subscription(handle(at: place), sequence), at: sequence)
            sessions[place].nextToRead = number + 1
        }
        return hasWritten
    }

    /// Tells a peer that it has everything, when what it was not sent has moved us on.
    mutating func tellPosition(at place: SessionPlace) {
        for number in sessions[place].subscriptions.indices {
            let subscription = sessions[place].subscriptions[number]
            guard subscription.peer != nil, subscription.position > subscription.toldThrough,
                let mark = marks.mark(holding: subscription.position)
            else { continue }
            sessions[place].subscriptions[number].toldThrough = subscription.position
            send(
                Records(request: subscription.request, through: subscription.position, mark: mark, items: []),
                at: place)
        }
    }

    /// A peer took our records, or refused some.
    func isOfSubscription(_ request: RequestID, at place: SessionPlace) -> Int? {
        sessions[place].subscriptions.firstIndex { $0.request == request && $0.peer != nil }
    }
}
