// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Sockets to sessions, and back.
extension Daemon: ConnectionOwner {
    /// Takes no more connections while there are as many as descriptors allow: those that wait are served when others
    /// end, a few at a time, so that a crowd at the door does not stop and start us with each that goes.
    func limitConnections() {
        let bound = isHoldingListeners ? connectionLimit - max(1, connectionLimit / 8) : connectionLimit
        let isFull = connections.count >= bound
        guard isFull != isHoldingListeners else { return }
        isHoldingListeners = isFull
        for active in listeners { active.listener.hold(isFull) }
        if isFull { log(.warning, .sessionLimit, (.count, connections.count)) }
    }

    // MARK: Dialling

    func dial(_ target: TargetPlace) {
        guard let address = targetAddresses[target] else { return }
        let deadline = now().monotonicNanoseconds + configuration.dialTimeoutNanoseconds
        dialers[target]?.cancel()
        let turn = fruitlessDials[target, default: 0]
        fruitlessDials[target] = turn &+ 1
        dialers[target] = Dialer(
            loop: loop, resolver: resolver, address: address, turn: turn, deadline: deadline, rule: { _ in nil }
        ) { [unowned self] result in
            self.dialEnded(target, result)
        }
    }

    private func dialEnded(_ target: TargetPlace, _ result: Result<Int32, PosixError>) {
        dialers[target] = nil
        switch result {
        case .success(let descriptor): open(descriptor, .dialled(target))
        case .failure(let failure):
            let reason = failure.hint.map { "\(failure.reason); \($0)" } ?? failure.reason
            replica?.dialFailed(target, reason: reason, at: now())
        }
    }

    /// A dial led to a link: the next one begins where the name's first address is.
    func dialLed(to id: SessionID) {
        if case .dialled(let target)? = connections[id]?.origin { fruitlessDials[target] = nil }
    }

    // MARK: What connections say

    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer) {
        let id = SessionID(rawValue: connection.token)
        switch connections[id]?.stage {
        case .session: replica?.bytesReceived(id, Array(bytes), at: now())
        case .pairing(let talk, let unproven): pairingReceived(Array(bytes), talk, unproven, on: connection)
        case .unproven, nil: connection.close()
        }
    }

    func connectionInputEnded(_ connection: Connection) {
        let id = SessionID(rawValue: connection.token)
        guard connections[id]?.stage.isSession ?? false else { return connection.close() }
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
        forgetUser(of: open)
        switch open.stage {
        case .session:
            if !open.isClosing { replica?.connectionClosed(id, at: now()) }
            abandonPairing(of: id)
            if let refusal = connection.tlsFailure {
                log(
                    .warning, .securityFailed, (.code, refusal.code), (.reason, refusal.reason),
                    (.address, open.address ?? "-"))
            }
        case .unproven(let unproven), .pairing(_, let unproven): unprovenClosed(open, unproven, failure)
        }
        log(.debug, .disconnected, (.session, id.rawValue), (.reason, failure?.reason ?? "closed"))
        limitConnections()
    }

    private func forgetUser(of open: OpenConnection) {
        guard let user = open.credentials?.userID, let count = connectionCounts[user] else { return }
        connectionCounts[user] = count > 1 ? count - 1 : nil
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
            loop.runAgain()
            open.connection.closeAfterFlush(deadline: moment + 1_000_000_000)
        }
    }
}
