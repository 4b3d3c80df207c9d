// SPDX-License-Identifier: Apache-2.0

/// Why a session ends.
enum SessionEnd: Hashable, Sendable {
    /// The connection is gone.
    case lost
    /// The other side said goodbye.
    case goodbye(SyncError?)
    /// We close it for what the other side did.
    case refused(SyncError)
    /// We close it for our own reasons.
    case closed(SyncError)
    /// Another link to the same peer took its place.
    case replaced(SyncError)

    var error: SyncError? {
        switch self {
        case .lost: nil
        case .goodbye(let error): error
        case .refused(let error), .closed(let error), .replaced(let error): error
        }
    }
}

extension Replica {
    mutating func openSession(
        _ id: SessionID, _ origin: ConnectionOrigin, _ access: SessionAccess, at now: Instant
    ) {
        guard sessions.place(of: id) == nil else { return }
        let session = Session(id: id, origin: origin, access: access, openedAt: now.monotonicNanoseconds)
        let place = sessions.insert(session)
        wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: limits.handshakeNanoseconds))
        if case .dialled(let target) = origin {
            guard targets.contains(target), targets[target].state != .removed else {
                endSession(at: place, .closed(.limitExceeded("peer \(target.rawValue) is not configured")), now: now)
                return
            }
            targets[target].state = .connected(id)
        }
        if isDraining {
            endSession(at: place, .closed(.draining), now: now)
        } else if sessions.count > limits.maximumSessions {
            let error = SyncError.limitExceeded("\(limits.maximumSessions) sessions are open, one more is not allowed")
            endSession(at: place, .refused(error), now: now)
        } else if session.isDialled {
            send(ourHello(at: place, now: now), at: place)
        }
    }

    /// Every end of every session goes through here.
    mutating func endSession(at place: SessionPlace, _ end: SessionEnd, now: Instant) {
        switch end {
        case .lost: break
        case .goodbye: closes.append(.close(sessions[place].id, nil))
        case .refused(let error), .closed(let error), .replaced(let error):
            send(Goodbye(code: error.code.rawValue, reason: error.reason), at: place)
            flush(at: place)
            closes.append(.close(sessions[place].id, error))
        }
        if case .refused(let error) = end { report(.sessionRefused(sessions[place].id, error)) }
        countInput(0, at: place)
        let session = sessions.remove(place)
        if session.awaitsHistory { historyReads.waiting.removeAll { $0.handle.place == place } }
        forgetLink(of: session, end, now: now)
        settleTarget(of: session, end, now: now)
    }

    private mutating func forgetLink(of session: Session, _ end: SessionEnd, now: Instant) {
        guard let peer = session.peer else { return }
        if let error = end.error, error.code != .duplicateLink { peers[peer].lastError = error }
        guard peers[peer].link?.id == session.id else { return }
        peers[peer].link = nil
        if case .replaced = end { return }
        report(.linkLost(peer: peers[peer].node, session.id, end.error))
        // The peer had dialled us; now those that dial it are needed again.
        for target in targets.places where targets[target].node == peers[peer].node {
            guard targets[target].state == .linked else { continue }
            let ready = session.readyAt.map { now.monotonicNanoseconds - $0 }
            scheduleDial(target, readyFor: ready, reason: "the peer's own link ended", now: now)
        }
    }

    // MARK: Frames

    mutating func cutFrames(at place: SessionPlace, now: Instant) {
        let id = sessions[place].id
        var hasCut = false
        do throws(SyncError) {
            while sessions.place(of: id) == place {
                guard wait(at: place) == nil else {
                    stall(at: place, now: now)
                    if hasHadItsShare(at: place) { wake(at: now.monotonicNanoseconds) }
                    return noteInput(at: place, hasCut: hasCut, now: now)
                }
                guard !hasUnfinished(at: place) else {
                    try goOnWithRecords(at: place, now: now)
                    continue
                }
                let limit = sessions[place].state.frameByteCount(limits)
                guard let frame = try sessions[place].cutter.next(limit: limit) else { break }
                hasCut = true
                try take(frame, at: place, now: now)
            }
        } catch {
            guard sessions.place(of: id) == place else { return }
            endSession(at: place, .refused(error), now: now)
            return
        }
        guard sessions.place(of: id) == place else { return }
        sessions[place].cutter.settle()
        sessions[place].claimedByteCount = 0
        noteInput(at: place, hasCut: hasCut, now: now)
    }

    private mutating func take(_ frame: Frame, at place: SessionPlace, now: Instant) throws(SyncError) {
        let state = sessions[place].state
        guard let type = MessageType(rawValue: frame.type) else {
            let error = SyncError.unknownMessage(frame.type)
            guard state != .awaitingHello else { throw error }
            answer(leadingRequest(of: frame), error, at: place)
            return
        }
        switch state.admission(of: type) {
        case .accept: break
        case .ignore: return
        case .refuse:
            answer(leadingRequest(of: frame), .unexpectedMessage(type, in: state), at: place)
            return
        case .close: throw .unexpectedMessage(type, in: state)
        }
        switch type {
        case .push, .pull, .list, .delete, .status, .manage: try takeRequest(type, frame.payload, at: place, now: now)
        default: try takeOther(type, frame.payload, at: place, now: now)
        }
    }

    /// By rule the first field of whatever wants an answer is its request.
    private func leadingRequest(of frame: Frame) -> RequestID {
        var payload = frame.payload
        return RequestID(rawValue: (try? payload.readVarint()) ?? 0)
    }

    private mutating func takeOther(
        _ type: MessageType, _ payload: ByteReader, at place: SessionPlace, now: Instant
    ) throws(SyncError) {
        var reader = payload
        switch type {
        case .hello: try takeHello(Hello(reading: &reader), at: place, now: now)
        case .subscribe: try takeSubscribe(Subscribe(reading: &reader), at: place, now: now)
        case .unsubscribe: endSubscription(try Unsubscribe(reading: &reader).request, at: place)
        case .records: try takeRecords(&reader, at: place, now: now)
        case .acknowledge: try takeAcknowledge(Acknowledge(reading: &reader), at: place, now: now)
        case .ping:
            let ping = try Ping(reading: &reader)
            noteHeartbeat(ping.heartbeat, at: place, now: now)
            send(Pong(heartbeat(token: ping.heartbeat.token, now: now)), at: place)
        case .pong: noteHeartbeat(try Pong(reading: &reader).heartbeat, at: place, now: now)
        case .error: try takeError(ErrorMessage(reading: &reader), at: place, now: now)
        case .goodbye:
            let goodbye = try Goodbye(reading: &reader)
            // The other side has met somebody else under our name.
            if goodbye.error?.code == .duplicateIdentity, sessions[place].isDialled || sessions[place].peer != nil {
                report(.duplicateIdentity(node, sessions[place].id))
            }
            endSession(at: place, .goodbye(goodbye.error), now: now)
        case .push, .pull, .list, .delete, .status, .manage, .listing, .statusReport: break
        }
    }

    /// The other side refused something of ours.
    private mutating func takeError(_ message: ErrorMessage, at place: SessionPlace, now: Instant) throws(SyncError) {
        guard let peer = sessions[place].peer else {
            if sessions[place].state == .awaitingHello { endSession(at: place, .goodbye(message.error), now: now) }
            return
        }
        peers[peer].lastError = message.error
        if let request = sessions[place].inbound?.request, request == message.request {
            // Our subscription: without it the link is of no use.
            endSession(at: place, .closed(message.error), now: now)
        }
    }

    // MARK: Output

    mutating func send(_ message: some WireMessage, at place: SessionPlace) {
        message.write(to: &sessions[place].output)
        sessions[.speaking].insert(place)
    }

    mutating func answer(_ request: RequestID, _ error: SyncError, current: Stamp? = nil, at place: SessionPlace) {
        send(ErrorMessage(request: request, error, current: current), at: place)
    }

    /// One `send` for each session that has something to say.
    mutating func sendOutput() {
        for place in sessions[.speaking].removeAll() { flush(at: place) }
    }

    private mutating func flush(at place: SessionPlace) {
        guard !sessions[place].output.isEmpty else { return }
        var output: [UInt8] = []
        swap(&output, &sessions[place].output)
        sessions[place].owedByteCount += output.count
        actions.append(.send(sessions[place].id, output))
    }
}
