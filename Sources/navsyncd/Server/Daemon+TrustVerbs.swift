// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Does what administrators ask about trust, and writes each of it into the log.
extension Daemon {
    func manage(_ id: SessionID, _ message: Manage, _ role: LocalRole) {
        do throws(SyncError) {
            guard let verb = TrustVerb(rawValue: message.verb) else {
                throw SyncError(code: .unknownMessage, reason: "there is no verb '\(message.verb)'")
            }
            guard role >= verb.neededRole else {
                logRoleRefused(id, role, verb.rawValue)
                throw .notPermitted("'\(verb.rawValue)' takes the role of a \(verb.neededRole), this user is a \(role)")
            }
            guard let trust else { throw SyncError.draining }
            guard let items = try perform(verb, message, id, trust) else { return }
            replica?.managed(id, message.request, .success(items), at: now())
        } catch {
            replica?.managed(id, message.request, .failure(error), at: now())
        }
        loop.runAgain()
    }

    /// nil when the answer comes later.
    private func perform(
        _ verb: TrustVerb, _ message: Manage, _ id: SessionID, _ trust: Trust
    ) throws(SyncError) -> [StatusReport.Item]? {
        let arguments = message.arguments
        switch verb {
        case .idShow: return identityItems(trust)
        case .idRotate:
            try trust.rotate(wallMilliseconds: now().wallMilliseconds)
            log(.info, .keyRotated, (.generation, trust.tlsGeneration), (.uid, user(of: id)))
            return identityItems(trust)
        case .pairOffer: return try offerLink(arguments, id, trust)
        case .pairStatus: return linkItems(try TrustVerb.offer(arguments), trust)
        case .pairCancel:
            let offer = try TrustVerb.offer(arguments)
            trust.desk.close(offer, at: now().monotonicNanoseconds)
            log(.info, .pairingCancelled, (.uid, user(of: id)))
            return linkItems(offer, trust)
        case .pairAccept:
            try acceptLink(arguments, id, message.request)
            return nil
        case .peerList:
            return trust.store.table.peers.enumerated().flatMap { number, peer in
                TrustVerb.items(of: peer, isLinked: isLinked(peer.id), under: "\(number).")
            }
        case .peerShow:
            let peer = try namedPeer(arguments, trust)
            return TrustVerb.items(of: peer, isLinked: isLinked(peer.id))
        case .peerRename: return try rename(arguments, id, trust)
        case .peerRevoke: return try revoke(arguments, id, trust)
        case .peerAllow: return try allow(arguments, id, trust)
        }
    }

    private func identityItems(_ trust: Trust) -> [StatusReport.Item] {
        [
            .init(key: "id", value: node.text),
            .init(key: "tls-generation", value: "\(trust.tlsGeneration)"),
        ]
    }

    private func isLinked(_ peer: NodeID) -> Bool { connections.values.contains { $0.peer == peer && !$0.isClosing } }

    private func namedPeer(_ arguments: [StatusReport.Item], _ trust: Trust) throws(SyncError) -> TrustedPeer {
        let name = TrustVerb.value("peer", arguments) ?? ""
        guard let peer = trust.store.table.peer(named: name) else {
            throw SyncError(code: .notFound, reason: "no peer is called '\(name)'")
        }
        return peer
    }

    // MARK: Pairing

    private func offerLink(
        _ arguments: [StatusReport.Item], _ id: SessionID, _ trust: Trust
    ) throws(SyncError) -> [StatusReport.Item] {
        var addresses: [PairingLink.Address] = []
        for item in arguments where item.key == "address" {
            guard case .tcp(let host, let port)? = try? SocketAddress(parsing: "tcp:" + item.value), port > 0 else {
                throw SyncError(code: .invalidPairingLink, reason: "'\(item.value)' is not HOST:PORT")
            }
            addresses.append(PairingLink.Address(host: host, port: port))
        }
        if addresses.isEmpty { addresses = reachableAddresses }
        guard !addresses.isEmpty else {
            throw SyncError(
                code: .invalidPairingLink,
                reason: "the daemon listens on no TCP address: make the link on the other daemon, or set one under"
                    + " [listen]")
        }
        let rights = try TrustVerb.rights(arguments, changing: .none)
        var name: PeerName?
        if let text = TrustVerb.value("name", arguments) { name = try PeerName(text) }
        let moment = now()
        let offer = trust.desk.open(rights: rights, peerName: name, at: moment.monotonicNanoseconds)
        let link = PairingLink(
            addresses: addresses, id: node, secret: offer.secret,
            expiresSeconds: moment.wallMilliseconds / 1000 + PairingLink.lifetimeSeconds)
        log(.info, .pairingOffered, (.rights, TrustVerb.summary(of: rights)), (.uid, user(of: id)))
        return [
            .init(key: "link", value: link.text), .init(key: "expires", value: "\(link.expiresSeconds)"),
            .init(key: "offer", value: TrustVerb.text(ofOffer: offer.id)),
        ]
    }

    private func linkItems(_ offer: UInt64?, _ trust: Trust) -> [StatusReport.Item] {
        func items(_ state: String, _ reason: String) -> [StatusReport.Item] {
            [.init(key: "pairing", value: state), .init(key: "reason", value: reason)]
        }
        return switch trust.desk.state(of: offer, at: now().monotonicNanoseconds) {
        case .open: [.init(key: "pairing", value: "open")]
        case .used(let outcome): [.init(key: "pairing", value: "done")] + TrustVerb.items(of: outcome)
        case .over(let refusal): items("over", refusal.reason)
        case .unknown: items("none", "the daemon has no such link: it may have been restarted")
        }
    }

    private func acceptLink(
        _ arguments: [StatusReport.Item], _ id: SessionID, _ request: RequestID
    ) throws(SyncError) {
        let link = try PairingLink(TrustVerb.value("link", arguments) ?? "")
        guard link.id != node else {
            throw SyncError(code: .selfConnection, reason: "this is the daemon's own link: use it on the other one")
        }
        var name: PeerName?
        if let text = TrustVerb.value("name", arguments) { name = try PeerName(text) }
        let call = PairingCall(
            session: id, request: request, link: link, rights: try TrustVerb.rights(arguments, changing: .none),
            peerName: name,
            deadline: now().monotonicNanoseconds + (try TrustVerb.pairingNanoseconds(arguments)))
        pairingCalls.append(call)
        dialNextAddress(of: call)
    }

    // MARK: Peers

    private func rename(
        _ arguments: [StatusReport.Item], _ id: SessionID, _ trust: Trust
    ) throws(SyncError) -> [StatusReport.Item] {
        var peer = try namedPeer(arguments, trust)
        let old = peer.name
        peer.name = try PeerName(TrustVerb.value("name", arguments) ?? "")
        let renamed = peer
        try trust.store.update { (table: inout PeerTable) throws(SyncError) in try table.put(renamed) }
        log(.info, .peerRenamed, (.node, peer.id.text), (.name, peer.name), (.old, old), (.uid, user(of: id)))
        return TrustVerb.items(of: peer, isLinked: isLinked(peer.id))
    }

    private func revoke(
        _ arguments: [StatusReport.Item], _ id: SessionID, _ trust: Trust
    ) throws(SyncError) -> [StatusReport.Item] {
        let peer = try namedPeer(arguments, trust)
        _ = try trust.store.update { (table: inout PeerTable) throws(SyncError) in table.remove(peer.id) }
        stopDialling(peer.id)
        cutLinks(with: peer.id)
        log(.info, .peerRevoked, (.node, peer.id.text), (.name, peer.name), (.uid, user(of: id)))
        return TrustVerb.items(of: peer, isLinked: false)
    }

    private func allow(
        _ arguments: [StatusReport.Item], _ id: SessionID, _ trust: Trust
    ) throws(SyncError) -> [StatusReport.Item] {
        var peer = try namedPeer(arguments, trust)
        let before = peer.rights
        peer.rights = try TrustVerb.rights(arguments, changing: before)
        let changed = peer
        try trust.store.update { (table: inout PeerTable) throws(SyncError) in try table.put(changed) }
        if peer.rights != before {
            log(
                .info, .rightsChanged, (.node, peer.id.text), (.name, peer.name),
                (.rights, TrustVerb.summary(of: peer.rights)), (.old, TrustVerb.summary(of: before)),
                (.uid, user(of: id)))
            // The next link has the new rights; this one keeps the old ones not a moment longer.
            cutLinks(with: peer.id)
        }
        return TrustVerb.items(of: peer, isLinked: isLinked(peer.id))
    }
}
