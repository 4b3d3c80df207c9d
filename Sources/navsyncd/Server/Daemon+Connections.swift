// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Sockets to sessions, and back.
extension Daemon: ConnectionOwner {
    // MARK: Opening

    func accept(_ accepted: AcceptedSocket, transport: Transport) {
        let credentials = accepted.credentials.map {
            Credentials(processID: $0.processID, userID: $0.userID, groupID: $0.groupID)
        }
        open(accepted.descriptor, .accepted(transport, transport == .unix ? credentials : nil))
    }

    /// Makes a session of a connected descriptor.
    func open(_ descriptor: Int32, _ origin: ConnectionOrigin) {
        let id = SessionID(rawValue: nextSession)
        nextSession += 1
        do throws(PosixError) {
            let connection = try Connection(loop: loop, descriptor: descriptor, token: id.rawValue, owner: self)
            connections[id] = OpenConnection(connection: connection, origin: origin)
        } catch {
            closeDescriptor(descriptor)
            if case .dialled(let peer) = origin {
                replica?.dialFailed(peerIndex: peer, reason: "\(error)", at: now())
            }
            return
        }
        if case .accepted(let transport, let credentials) = origin {
            log(
                .debug, .connected, (.session, id.rawValue), (.transport, transport),
                (.pid, credentials?.processID ?? 0), (.uid, credentials.map { "\($0.userID)" } ?? "-"))
        }
        replica?.connectionOpened(id, origin, at: now())
        limitConnections()
    }

    /// Takes no more connections while there are as many as descriptors allow: those that wait are served when others
    /// end.
    func limitConnections() {
        let isFull = connections.count >= connectionLimit
        for active in listeners { active.listener.hold(isFull) }
        if isFull { log(.warning, .sessionLimit, (.count, connections.count)) }
    }

    // MARK: Dialling

    func dial(peerIndex: Int) {
        guard let address = peerAddresses[peerIndex] else { return }
        let deadline = now().monotonicNanoseconds + configuration.dialTimeoutNanoseconds
        dialers[peerIndex] = Dialer(
            loop: loop, resolver: resolver, address: address, deadline: deadline, rule: LoopbackRule.refusal(of:)
        ) { [unowned self] result in
            self.dialEnded(peerIndex, result)
        }
    }

    private func dialEnded(_ peerIndex: Int, _ result: Result<Int32, PosixError>) {
        dialers[peerIndex] = nil
        switch result {
        case .success(let descriptor): open(descriptor, .dialled(peerIndex: peerIndex))
        case .failure(let failure):
            let reason = failure.hint.map { "\(failure.reason); \($0)" } ?? failure.reason
            replica?.dialFailed(peerIndex: peerIndex, reason: reason, at: now())
        }
    }

    // MARK: What connections say

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        replica?.bytesReceived(SessionID(rawValue: connection.token), Array(bytes), at: now())
    }

    func connectionInputEnded(_ connection: Connection) {
        let id = SessionID(rawValue: connection.token)
        let isInFlight = isCommitOutstanding ? 1 : 0
        endings[id] = Ending(
            afterCommit: commitsStarted + UInt64(1 + isInFlight),
            deadline: now().monotonicNanoseconds + 1_000_000_000)
    }

    func connectionDrained(_ connection: Connection) {
        replica?.drained(SessionID(rawValue: connection.token), at: now())
    }

    func connectionClosed(_ connection: Connection, _ failure: PosixError?) {
        let id = SessionID(rawValue: connection.token)
        guard let open = connections.removeValue(forKey: id) else { return }
        endings[id] = nil
        if !open.isClosing { replica?.connectionClosed(id, at: now()) }
        log(.debug, .disconnected, (.session, id.rawValue), (.reason, failure?.reason ?? "closed"))
        limitConnectionsAgain()
    }

    private func limitConnectionsAgain() {
        if connections.count + 1 == connectionLimit { for active in listeners { active.listener.hold(false) } }
    }

    /// Ends half-closed connections that have been answered: nothing of theirs waits for a commit or a read.
    func settleEndings() {
        guard !endings.isEmpty else { return }
        let moment = now().monotonicNanoseconds
        for (id, ending) in endings {
            let isCommitted = !isCommitOutstanding || commitsStarted >= ending.afterCommit
            guard isCommitted && readsOutstanding == 0 || moment >= ending.deadline else { continue }
            endings[id] = nil
            guard let open = connections[id], !open.isClosing else { continue }
            connections[id]?.isClosing = true
            replica?.connectionClosed(id, at: now())
            open.connection.closeAfterFlush(deadline: moment + 1_000_000_000)
        }
    }
}
