// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// What a connection is at the moment.
enum ConnectionStage {
    /// Nobody knows yet who is at the other end.
    case unproven(Unproven)
    /// The replica's.
    case session
    /// Two daemons that are about to trust each other.
    case pairing(PairingTalk, Unproven)

    var isSession: Bool { if case .session = self { true } else { false } }
}

/// A connection before its other end has proved who it is.
struct Unproven {
    /// Its place in the gate; nil when we dialled, or the kernel tells us who it is.
    let source: [UInt8]?
    let credentials: PeerCredentials?
    /// The link that we dialled to pair with.
    let call: PairingCall?
    let openedAt: Instant
    /// Ends the connection when the proof takes too long.
    let timer: LoopTimer
}

/// From a connected socket to a session whose other end is known.
extension Daemon {
    /// Lets a connection in, if strangers have not taken all places.
    func accept(_ accepted: AcceptedSocket, transport: Transport) {
        let source = accepted.remoteAddress.map { AcceptGate.source(of: $0.bytes) }
        if let source, let refusal = trust?.gate.entered(source, at: now().monotonicNanoseconds) {
            let address = accepted.remoteAddress.map { "\($0)" } ?? "-"
            log(.warning, .strangerRefused, (.address, address), (.reason, refusal.rawValue))
            return closeDescriptor(accepted.descriptor)
        }
        if let credentials = accepted.credentials, transport == .unix, !hasRoom(for: credentials) {
            let user = credentials.userID
            log(.warning, .userLimit, (.uid, user), (.count, connectionCounts[user] ?? 0))
            return closeDescriptor(accepted.descriptor)
        }
        let credentials = accepted.credentials.map {
            Credentials(processID: $0.processID, userID: $0.userID, groupID: $0.groupID)
        }
        open(
            accepted.descriptor, .accepted(transport, transport == .unix ? credentials : nil), source: source,
            credentials: transport == .unix ? accepted.credentials : nil,
            address: accepted.remoteAddress.map { "\($0)" })
    }

    /// One user cannot take all connections: at most half of them, administrators excepted. Who has no role may still be
    /// a daemon that will prove itself, and needs few.
    private func hasRoom(for credentials: PeerCredentials) -> Bool {
        let count = connectionCounts[credentials.userID] ?? 0
        return switch role(of: credentials) {
        case .administrator: true
        case .reader, .writer: count < max(8, connectionLimit / 2)
        case .none: count < 8
        }
    }

    /// Takes over a connected descriptor and finds out who is at its other end.
    func open(
        _ descriptor: Int32, _ origin: ConnectionOrigin, source: [UInt8]? = nil, credentials: PeerCredentials? = nil,
        address: String? = nil, call: PairingCall? = nil
    ) {
        let id = SessionID(rawValue: nextSession)
        nextSession += 1
        call?.connection = id
        do {
            let connection = try Connection(loop: loop, descriptor: descriptor, token: id.rawValue, owner: self)
            let unproven = Unproven(
                source: source, credentials: credentials, call: call, openedAt: now(),
                timer: proofTimer(of: id, call))
            connections[id] = OpenConnection(
                connection: connection, origin: origin, stage: .unproven(unproven), credentials: credentials,
                address: address ?? addressDialled(origin))
            if let credentials { connectionCounts[credentials.userID, default: 0] += 1 }
            try secure(connection, origin, call)
        } catch {
            if let open = connections[id] { return open.connection.close() }
            closeDescriptor(descriptor)
            if let source { trust?.gate.left(source) }
            failedToOpen(origin, call, "\(error)")
        }
        limitConnections()
    }

    private func addressDialled(_ origin: ConnectionOrigin) -> String? {
        guard case .dialled(let target) = origin else { return nil }
        return targetAddresses[target].map { "\($0)" }
    }

    private func secure(_ connection: Connection, _ origin: ConnectionOrigin, _ call: PairingCall?) throws(TLSError) {
        guard let trust else { return }
        let clock = { [unowned self] in now().monotonicNanoseconds }
        switch origin {
        case _ where call != nil:
            if let call { connection.secure(with: try trust.pairingEndpoint(for: call.link)) }
        case .dialled: connection.secure(with: try trust.diallingEndpoint())
        case .accepted(.tcp, _): connection.secure(with: try trust.acceptingEndpoint(now: clock))
        case .accepted(.unix, _):
            connection.secureIfOffered { () throws(TLSError) in try trust.acceptingEndpoint(now: clock) }
        }
    }

    private func proofTimer(of id: SessionID, _ call: PairingCall?) -> LoopTimer {
        let timer = loop.makeTimer { [unowned self] in
            guard let open = connections[id], !open.stage.isSession else { return }
            log(.info, .refused, (.session, id.rawValue), (.reason, "no proof of identity in time"))
            call?.refused("\(open.address ?? "the other end") gave no answer in time", isFinal: false)
            open.connection.close()
        }
        let deadline = now().monotonicNanoseconds + configuration.limits.handshakeNanoseconds
        timer.arm(at: min(deadline, call?.attemptDeadline ?? .max))
        return timer
    }

    // MARK: What the connection finds out

    func connectionIsPlain(_ connection: Connection) {
        let id = SessionID(rawValue: connection.token)
        guard case .unproven(let unproven)? = connections[id]?.stage, let credentials = unproven.credentials else {
            return connection.close()
        }
        let role = role(of: credentials)
        connections[id]?.role = role
        if role == .none {
            logRoleRefused(id, role, "connection")
        }
        log(
            .debug, .connected, (.session, id.rawValue), (.pid, credentials.processID), (.uid, credentials.userID),
            (.role, role))
        startSession(id, unproven, .client(role))
    }

    private func role(of credentials: PeerCredentials) -> LocalRole {
        trust?.access.role(ofUser: credentials.userID, groups: credentials.groupIDs) ?? .none
    }

    /// The roles were given anew: they hold for the programs that are connected already, too.
    func changeRoles() {
        for (id, open) in connections {
            guard let credentials = open.credentials, let old = open.role else { continue }
            let role = role(of: credentials)
            guard role != old else { continue }
            connections[id]?.role = role
            log(
                .info, .roleChanged, (.session, id.rawValue), (.uid, credentials.userID), (.role, role), (.old, old))
            replica?.roleChanged(id, to: role, at: now())
        }
        loop.runAgain()
    }

    func connectionSecured(_ connection: Connection, _ endpoint: TLSEndpoint) {
        let id = SessionID(rawValue: connection.token)
        guard case .unproven(let unproven)? = connections[id]?.stage, let tlsPeer = endpoint.peer, let trust else {
            return connection.close()
        }
        guard endpoint.purpose == .sync else { return startPairing(id, unproven, endpoint) }
        guard !trust.isOurs(tlsPeer) else { return startSession(id, unproven, .peer(node, .none)) }
        do throws(SyncError) {
            let peer = try trust.admit(tlsPeer)
            connections[id]?.peer = peer.id
            log(.debug, .connected, (.session, id.rawValue), (.peer, peer.id.text), (.name, peer.name))
            startSession(id, unproven, .peer(peer.id, peer.rights))
        } catch {
            let address = connections[id]?.address ?? "-"
            log(.warning, .identityRefused, (.code, error.code), (.reason, error.reason), (.address, address))
            connection.close()
        }
    }

    private func startSession(_ id: SessionID, _ unproven: Unproven, _ access: SessionAccess) {
        guard let open = connections[id] else { return }
        leave(unproven)
        connections[id]?.stage = .session
        // The time for hello runs since the connection was opened: a slow proof leaves less of it.
        replica?.connectionOpened(id, open.origin, access, at: unproven.openedAt)
    }

    /// The other end is known, or gone: its place is free for another stranger.
    func leave(_ unproven: Unproven) {
        unproven.timer.cancel()
        if let source = unproven.source { trust?.gate.left(source) }
    }

    // MARK: Ends

    /// A connection ended before it was a session.
    func unprovenClosed(_ open: OpenConnection, _ unproven: Unproven, _ failure: PosixError?) {
        leave(unproven)
        let tls = open.connection.tlsFailure
        let reason = tls?.reason ?? failure?.reason ?? "the other end closed before it was known"
        if let tls, tls.code != .closed {
            let message: LogMessage =
                tls.code == .untrustedIdentity || tls.code == .retiredKey ? .identityRefused : .securityFailed
            log(.warning, message, (.code, tls.code), (.reason, reason), (.address, open.address ?? "-"))
        }
        // A daemon speaks the pairing protocol only while it has a link open.
        let hasNoLink = unproven.call != nil && tls?.code == .noCommonProtocol
        failedToOpen(
            open.origin, unproven.call,
            hasNoLink ? "no link is open there: it was used, has expired or was replaced" : reason)
    }

    private func failedToOpen(_ origin: ConnectionOrigin, _ call: PairingCall?, _ reason: String) {
        if let call {
            call.attemptFailed(reason)
            dialNextAddress(of: call)
        } else if case .dialled(let target) = origin {
            replica?.dialFailed(target, reason: reason, at: now())
        }
        loop.runAgain()
    }

    /// Ends every link with a peer at once: what it was let in for may no longer hold. A connection that is no session
    /// yet is looked up when it becomes one.
    func cutLinks(with peer: NodeID) {
        for open in connections.values where open.peer == peer { open.connection.close() }
        loop.runAgain()
    }
}
