// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// The replica's facts as log lines: the core never logs by itself.
extension Daemon {
    func logEvent(_ event: Event) {
        switch event {
        case .clientReady(let id): log(.debug, .clientReady, (.session, id.rawValue))
        case .linkReady(let peer, let id, let software):
            log(.info, .linkReady, (.peer, peer.text), (.session, id.rawValue), (.software, software))
        case .linkLost(let peer, let id, let error):
            log(.info, .linkLost, (.peer, peer.text), (.session, id.rawValue), (.reason, error?.reason ?? "closed"))
        case .sessionRefused(let id, let error): logRefused(id, error)
        case .dialScheduled(let target, let reason, let delay):
            log(.info, .dialFailed, (.address, address(of: target)), (.reason, reason), (.delay, delay / 1_000_000))
        case .duplicateIdentity(let node, let id):
            log(
                .error, .duplicateIdentity, (.node, node.text), (.name, name(of: node)),
                (.address, connections[id]?.address ?? "-"), (.session, id.rawValue),
                (
                    .hint,
                    "two daemons use one identity: stop the one that is a copy, and move its identity.key and .pub away"
                ))
        case .cursorVoid(let peer, let reason):
            log(.warning, .cursorVoid, (.peer, peer.text), (.reason, reason), (.hint, "everything is compared again"))
        case .mergeConcurrent(let name, let winner, let loser):
            log(.info, .mergeConcurrent, (.name, name), (.winner, winner), (.loser, loser))
        default: logTrouble(event)
        }
    }

    private func logRefused(_ id: SessionID, _ error: SyncError) {
        guard error.code == .messageUnfinished else {
            return log(.info, .refused, (.session, id.rawValue), (.code, error.code), (.reason, error.reason))
        }
        log(
            .warning, .refused, (.session, id.rawValue), (.uid, user(of: id)), (.pid, process(of: id)),
            (.code, error.code), (.reason, error.reason),
            (.hint, "that program must send each message as a whole, and no crowd of great ones at once"))
    }

    private func logTrouble(_ event: Event) {
        switch event {
        case .writeRefused(let id, let type): logRoleRefused(id, connections[id]?.role ?? .none, "\(type)")
        case .recordRefused(let refusal): log(.warning, .recordRefused, refusal)
        case .recordRefusedByPeer(let refusal) where refusal.code == .clockDrift:
            log(
                .warning, .recordRefusedByPeer, (.peer, refusal.peer.text), (.name, refusal.name),
                (.stamp, refusal.stamp), (.code, refusal.code),
                (.hint, "one of the two clocks is wrong; the peer takes the record when its time comes"))
        case .recordRefusedByPeer(let refusal): log(.warning, .recordRefusedByPeer, refusal)
        case .floorAhead(let milliseconds):
            log(
                .error, .clockAhead, (.ahead, milliseconds),
                (
                    .hint,
                    "a write was stamped by a clock that was ahead, or this clock is behind: mend it; peers refuse what is"
                        + " written here until it catches up, see AFTER A WRONG CLOCK in navsyncd(8)"
                ))
        case .clockDrift(let peer, let name, let stamp, let ahead):
            log(
                .warning, .clockDrift, (.peer, peer.text), (.name, name), (.stamp, stamp), (.ahead, ahead),
                (.hint, "one of the two clocks is wrong; the record waits until its time comes"))
        case .stampReused(let name, let stamp): log(.error, .stampReused, (.name, name), (.stamp, stamp))
        case .storeFull(let reason):
            log(.error, .storeFull, (.reason, reason), (.hint, "free some space; writing goes on by itself"))
        case .storeRecovered: log(.info, .storeRecovered)
        // Said where the daemon ends because of it.
        case .storeFailed: break
        case .envelopeMissing(let sequence):
            log(.error, .envelopeMissing, (.sequence, sequence.rawValue))
            store?.missing(sequence)
        case .readFailed(let sequence, let reason):
            log(
                .error, .readFailed, (.sequence, sequence.rawValue), (.reason, reason),
                (.hint, "look at the disk; it is read again in a while"))
        default: break
        }
    }

    /// A local user asked for more than its role allows: `what` is a message, a verb, or the connection itself.
    func logRoleRefused(_ id: SessionID, _ role: LocalRole, _ what: String) {
        log(
            .warning, .roleRefused, (.session, id.rawValue), (.uid, user(of: id)), (.pid, process(of: id)),
            (.role, role), (.name, what))
    }

    /// The user id behind a local connection, for the log.
    func user(of id: SessionID) -> String { connections[id]?.credentials.map { "\($0.userID)" } ?? "-" }

    private func process(of id: SessionID) -> String { connections[id]?.credentials.map { "\($0.processID)" } ?? "-" }

    private func name(of node: NodeID) -> String {
        node == self.node ? "this-daemon" : trust?.store.table[node]?.name.text ?? "-"
    }

    private func address(of target: TargetPlace) -> String { targetAddresses[target].map { "\($0)" } ?? "-" }
}

extension Log {
    fileprivate func callAsFunction(_ level: LogLevel, _ message: LogMessage, _ refusal: Refusal) {
        self(
            level, message, (.peer, refusal.peer.text), (.name, refusal.name), (.stamp, refusal.stamp),
            (.code, refusal.code))
    }
}
