// SPDX-License-Identifier: Apache-2.0

extension Replica {
    func ourHello(at place: Int, now: Instant) -> Hello {
        Hello(
            role: .peer, node: node, incarnation: incarnation, startCounter: startCounter, nonce: nonce,
            wallMilliseconds: now.wallMilliseconds, isSynchronised: now.isSynchronised, floor: clock.floor,
            software: configuration.software, grants: Grants(sessions[place].rights))
    }

    mutating func takeHello(_ hello: Hello, at place: Int, now: Instant) throws(SyncError) {
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

    private mutating func welcomePeer(_ hello: Hello, at place: Int, now: Instant) throws(SyncError) {
        guard let number = peerNumber(of: hello.node) else {
            throw .limitExceeded("\(limits.maximumPeers) peers are known, one more is not allowed")
        }
        sessions[place].peer = number
        try checkHold(hello, number, at: place, now: now)
        if let old = peers[number].link, sessions.isOpen(old) {
            switch linkVerdict(old: old.place, new: place) {
            case .keep:
                probe(at: old.place, now: now)
                endSession(at: place, .replaced(.duplicateLink), now: now)
                return
            case .refuseIdentity:
                let until = now.monotonicNanoseconds.advanced(byNanoseconds: limits.duplicateIdentityNanoseconds)
                peers[number].heldNonce = (hello.nonce, until)
                report(.duplicateIdentity(hello.node, sessions[place].id))
                throw .duplicateIdentity
            case .replace:
                if !sessions[place].isDialled { send(ourHello(at: place, now: now), at: place) }
                peers[number].link = handle(at: place)
                endSession(at: old.place, .replaced(.duplicateLink), now: now)
            }
        } else if !sessions[place].isDialled {
            send(ourHello(at: place, now: now), at: place)
        }
        becomeLink(hello, number, at: place, now: now)
    }

    private func checkHold(_ hello: Hello, _ number: Int, at place: Int, now: Instant) throws(SyncError) {
        guard let held = peers[number].heldNonce, held.nonce == hello.nonce,
            now.monotonicNanoseconds < held.until
        else { return }
        throw .duplicateIdentity
    }

    private func linkVerdict(old: Int, new: Int) -> LinkRule.Verdict {
        guard let oldHello = sessions[old].hello, let newHello = sessions[new].hello else { return .replace }
        return LinkRule.verdict(
            old: LinkIdentity(
                startCounter: oldHello.startCounter, nonce: oldHello.nonce, isDialled: sessions[old].isDialled),
            new: LinkIdentity(
                startCounter: newHello.startCounter, nonce: newHello.nonce, isDialled: sessions[new].isDialled),
            us: node, peer: newHello.node)
    }

    private mutating func becomeLink(_ hello: Hello, _ number: Int, at place: Int, now: Instant) {
        sessions[place].state = .peer
        sessions[place].readyAt = now.monotonicNanoseconds
        let (ours, theirs) = (Grants(sessions[place].rights), hello.grants ?? .none)
        sessions[place].inboundScope = Scope(sender: theirs, receiver: ours)
        sessions[place].outboundScope = Scope(sender: ours, receiver: theirs)
        if let cursor = peers[number].unsavedCursor ?? peers[number].cursor,
            cursor.scope != sessions[place].inboundScope
        {
            settleRefusals(of: number)
        }
        peers[number].link = handle(at: place)
        peers[number].software = ErrorMessage.printable(hello.software)
        peers[number].lastError = nil
        noteClock(hello.wallMilliseconds, isSynchronised: hello.isSynchronised, of: number, now: now)
        wake(at: now.monotonicNanoseconds.advanced(byNanoseconds: limits.heartbeatNanoseconds))
        // Others that dial the same peer need not.
        for target in targets.indices where targets[target].node == hello.node {
            if case .waiting = targets[target].state { targets[target].state = .linked }
        }
        report(.linkReady(peer: hello.node, sessions[place].id, software: hello.software))
        subscribeToPeer(at: place, now: now)
    }

    mutating func noteClock(_ wall: UInt64, isSynchronised: Bool, of peer: Int, now: Instant) {
        peers[peer].clockOffsetMilliseconds = Int64(clamping: wall) - Int64(clamping: now.wallMilliseconds)
        peers[peer].isSynchronised = isSynchronised
    }

    func knownPeer(_ node: NodeID) -> Int? { peerOfNode[node] }

    private mutating func peerNumber(of node: NodeID) -> Int? {
        if let known = peerOfNode[node] { return known }
        guard peers.count < limits.maximumPeers else { return nil }
        peerOfNode[node] = peers.count
        peers.append(Peer(node: node, refusalLimit: limits.refusalCount))
        return peers.count - 1
    }
}
