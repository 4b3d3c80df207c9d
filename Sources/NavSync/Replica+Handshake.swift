// SPDX-License-Identifier: Apache-2.0

extension Replica {
    func ourHello(at place: SessionPlace, now: Instant) -> Hello {
        Hello(
            role: .peer, node: node, incarnation: incarnation, startCounter: startCounter, nonce: nonce,
            wallMilliseconds: now.wallMilliseconds, isSynchronised: now.isSynchronised, floor: clock.floor,
            software: configuration.software, grants: Grants(sessions[place].rights))
    }

    mutating func takeHello(_ hello: Hello, at place: SessionPlace, now: Instant) throws(SyncError) {
        sessions[place].hello = hello
        switch hello.role {
        case .client:
            guard !sessions[place].isDialled else {
                throw SyncError(code: .unexpectedMessage, reason: "a client answered where a peer was dialled")
            }
            guard sessions[place].access.local >= .reader else {
                throw .notPermitted("this user has no role here: an administrator can give it one")
            }
            send(ourHello(at: place, now: now), at: place)
            sessions[place].state = .client
            sessions[place].readyAt = now.monotonicNanoseconds
            report(.clientReady(sessions[place].id))
        case .peer:
            guard sessions[place].access.allowsPeer(hello.node) else {
                throw .notPermitted("this connection has not proved to be \(hello.node)")
            }
            if case .dialled(let target) = sessions[place].origin { targets[target].node = hello.node }
            if let fault = LinkRule.faultOfIdentity(hello, us: node, nonce: nonce) {
                if fault.code == .duplicateIdentity { report(.duplicateIdentity(node, sessions[place].id)) }
                throw fault
            }
            try welcomePeer(hello, at: place, now: now)
        }
    }

    private mutating func welcomePeer(_ hello: Hello, at place: SessionPlace, now: Instant) throws(SyncError) {
        guard let peer = peerPlace(of: hello.node) else {
            throw .limitExceeded("\(limits.maximumPeers) peers are known, one more is not allowed")
        }
        sessions[place].peer = peer
        try checkHold(hello, peer, at: place, now: now)
        if let old = peers[peer].link, sessions.isOpen(old) {
            switch linkVerdict(old: old.place, new: place) {
            case .keep:
                probe(at: old.place, now: now)
                endSession(at: place, .replaced(.duplicateLink), now: now)
                return
            case .refuseIdentity:
                let until = now.monotonicNanoseconds.advanced(byNanoseconds: limits.duplicateIdentityNanoseconds)
                peers[peer].heldNonce = (hello.nonce, until)
                report(.duplicateIdentity(hello.node, sessions[place].id))
                throw .duplicateIdentity
            case .replace:
                if !sessions[place].isDialled { send(ourHello(at: place, now: now), at: place) }
                peers[peer].link = handle(at: place)
                endSession(at: old.place, .replaced(.duplicateLink), now: now)
            }
        } else if !sessions[place].isDialled {
            send(ourHello(at: place, now: now), at: place)
        }
        becomeLink(hello, peer, at: place, now: now)
    }

    private func checkHold(_ hello: Hello, _ peer: PeerPlace, at place: SessionPlace, now: Instant) throws(SyncError) {
        guard let held = peers[peer].heldNonce, held.nonce == hello.nonce,
            now.monotonicNanoseconds < held.until
        else { return }
        throw .duplicateIdentity
    }

    private func linkVerdict(old: SessionPlace, new: SessionPlace) -> LinkRule.Verdict {
        guard let oldHello = sessions[old].hello, let newHello = sessions[new].hello else { return .replace }
        return LinkRule.verdict(
            old: LinkIdentity(
                startCounter: oldHello.startCounter, nonce: oldHello.nonce, isDialled: sessions[old].isDialled),
            new: LinkIdentity(
                startCounter: newHello.startCounter, nonce: newHello.nonce, isDialled: sessions[new].isDialled),
            us: node, peer: newHello.node)
    }

    private mutating func becomeLink(_ hello: Hello, _ peer: PeerPlace, at place: SessionPlace, now: Instant) {
        sessions[place].state = .peer
        sessions[place].readyAt = now.monotonicNanoseconds
        let (ours, theirs) = (Grants(sessions[place].rights), hello.grants ?? .none)
        sessions[place].inboundScope = Scope(sender: theirs, receiver: ours)
        sessions[place].outboundScope = Scope(sender: ours, receiver: theirs)
        if let cursor = peers[peer].unsavedCursor ?? peers[peer].cursor,
            cursor.scope != sessions[place].inboundScope
        {
            settleRefusals(of: peer)
        }
        peers[peer].link = handle(at: place)
        peers[peer].software = ErrorMessage.printable(hello.software)
        peers[peer].lastError = nil
        noteClock(hello.wallMilliseconds, isSynchronised: hello.isSynchronised, of: peer, now: now)
        wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: limits.heartbeatNanoseconds))
        // Others that dial the same peer need not.
        for target in targets.places where targets[target].node == hello.node {
            if case .waiting = targets[target].state { targets[target].state = .linked }
        }
        report(.linkReady(peer: hello.node, sessions[place].id, software: hello.software))
        subscribeToPeer(at: place, now: now)
    }

    mutating func noteClock(_ wall: UInt64, isSynchronised: Bool, of peer: PeerPlace, now: Instant) {
        peers[peer].clockOffsetMilliseconds = Int64(clamping: wall) - Int64(clamping: now.wallMilliseconds)
        peers[peer].isSynchronised = isSynchronised
    }

    /// The place of a peer, made when there is room for one more.
    private mutating func peerPlace(of node: NodeID) -> PeerPlace? {
        if let known = peers.place(of: node) { return known }
        guard peers.count < limits.maximumPeers else { return nil }
        return peers.append(Peer(node: node, refusalLimit: limits.refusalCount))
    }
}
