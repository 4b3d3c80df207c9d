// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

/// Pairing on the wire: both ends of it.
extension Daemon {
    /// How long one address of a link may take to connect.
    private static let pairingDialNanoseconds: UInt64 = 3_000_000_000

    func startPairing(_ id: SessionID, _ unproven: Unproven, _ endpoint: TLSEndpoint) {
        guard let trust, let open = connections[id] else { return }
        let role: PairingTalk.Role = unproven.call.map { .dialler($0.link, $0) } ?? .acceptor
        let talk = PairingTalk(role, endpoint: endpoint, trust: trust, ownName: Self.hostName)
        connections[id]?.stage = .pairing(talk, unproven)
        do throws(SyncError) {
            if let opening = try talk.opening() { open.connection.send(opening) }
        } catch {
            open.connection.close()
        }
    }

    func pairingReceived(_ bytes: [UInt8], _ talk: PairingTalk, _ unproven: Unproven, on connection: Connection) {
        let moment = now()
        let step = talk.received(
            bytes, nanoseconds: moment.monotonicNanoseconds, wallSeconds: moment.wallMilliseconds / 1000)
        switch step {
        case .wait: return
        case .answer(let answer, let outcome, let error):
            connection.send(answer)
            if let outcome { paired(outcome) }
            if let error {
                log(.warning, .pairingRefused, (.node, talk.peerText), (.reason, error.reason))
            }
            connection.closeAfterFlush(deadline: moment.monotonicNanoseconds + 1_000_000_000)
        case .done(let outcome):
            paired(outcome)
            dialAddresses(of: outcome.peer)
            // Before the connection ends: that is no failure of the call then.
            answer(unproven.call, .success(TrustVerb.items(of: outcome)))
            connection.closeAfterFlush(deadline: moment.monotonicNanoseconds + 1_000_000_000)
        case .failed(let error):
            unproven.call?.refused(error.reason, isFinal: error.code == .notPermitted)
            log(.warning, .pairingRefused, (.node, talk.peerText), (.reason, error.reason))
            connection.close()
        }
    }

    private func paired(_ outcome: PairingDesk.Outcome) {
        log(
            .info, .paired, (.node, outcome.peer.id.text), (.name, outcome.peer.name),
            (.rights, TrustVerb.summary(of: outcome.peer.rights)))
        // A peer that was trusted before may have got other rights.
        cutLinks(with: outcome.peer.id)
    }

    // MARK: Using a link

    /// Tries the next address of the link; with none left the call has failed.
    func dialNextAddress(of call: PairingCall) {
        call.dialer = nil
        guard !call.isOver else { return }
        let moment = now().monotonicNanoseconds
        guard phase == .serving, let next = call.nextAddress(at: moment) else {
            return answer(call, .failure(.linkUnusable(call.lastFailure ?? "the daemon is stopping")))
        }
        let address = SocketAddress.tcp(host: next.host, port: next.port)
        call.dialer = Dialer(
            loop: loop, resolver: resolver, address: address,
            deadline: min(moment + Self.pairingDialNanoseconds, call.attemptDeadline), rule: { _ in nil }
        ) { [unowned self] result in
            switch result {
            case .success(let descriptor): open(descriptor, .accepted(.tcp, nil), address: "\(address)", call: call)
            case .failure(let failure):
                call.attemptFailed(failure.reason)
                dialNextAddress(of: call)
            }
        }
    }

    private func answer(_ call: PairingCall?, _ result: Result<[StatusReport.Item], SyncError>) {
        guard let call else { return }
        call.isOver = true
        pairingCalls.removeAll { $0 === call }
        replica?.managed(call.session, call.request, result, at: now())
        loop.runAgain()
    }

    /// Who asked is gone: nothing is agreed any more that nobody would hear of.
    func abandonPairing(of session: SessionID) {
        let abandoned = pairingCalls.filter { $0.session == session }
        pairingCalls.removeAll { $0.session == session }
        for call in abandoned {
            call.isOver = true
            call.dialer?.cancel()
            if let id = call.connection { connections[id]?.connection.close() }
        }
    }

    /// Dials a paired peer where it was last found, unless these addresses are dialled already.
    func dialAddresses(of peer: TrustedPeer) {
        let present = Set(targetAddresses.values)
        for text in peer.addresses {
            guard let address = try? SocketAddress(parsing: text), !present.contains(address),
                let target = replica?.targetAdded(PeerTarget(label: text), at: now())
            else { continue }
            targetAddresses[target] = address
            pairedTargets[target] = peer.id
        }
        loop.runAgain()
    }

    /// Dials a peer that was revoked no more.
    func stopDialling(_ peer: NodeID) {
        for (target, node) in pairedTargets where node == peer {
            pairedTargets[target] = nil
            targetAddresses[target] = nil
            fruitlessDials[target] = nil
            dialers.removeValue(forKey: target)?.cancel()
            replica?.targetRemoved(target)
        }
    }

    // MARK: Making a link

    /// Where others may reach this daemon, as a link says it.
    var reachableAddresses: [PairingLink.Address] {
        var found: [PairingLink.Address] = []
        for active in listeners {
            guard case .tcp(_, let port) = active.listener.address, let host = IPAddress(active.listener.address)
            else { continue }
            let hosts = host.isUnspecified ? IPAddress.ofThisMachine().filter { $0.isIPv6 == host.isIPv6 } : [host]
            found += hosts.map { PairingLink.Address(host: "\($0)", port: port) }
        }
        return Array(found.prefix(TrustedPeer.maximumAddressCount))
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension PairingTalk {
    /// The other end's id, for the log.
    var peerText: String { endpoint.peer.flatMap { NodeID(bytes: $0.nodeID)?.text } ?? "-" }
}
