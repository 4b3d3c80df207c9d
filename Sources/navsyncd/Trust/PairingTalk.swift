// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// The conversation of two daemons that pair, once TLS is there: one message each way.
final class PairingTalk {
    enum Role {
        /// We made the link.
        case acceptor
        /// We were given the link.
        case dialler(PairingLink, PairingCall)
    }

    /// What to do after some bytes.
    enum Step {
        case wait
        /// Send this and close.
        case answer([UInt8], PairingDesk.Outcome?, SyncError?)
        case done(PairingDesk.Outcome)
        case failed(SyncError)
    }

    let role: Role
    let endpoint: TLSEndpoint
    private let trust: Trust
    private let ownName: String
    private var received: [UInt8] = []

    init(_ role: Role, endpoint: TLSEndpoint, trust: Trust, ownName: String) {
        self.role = role
        self.endpoint = endpoint
        self.trust = trust
        self.ownName = ownName
    }

    /// What the dialler says first; nil for an acceptor.
    func opening() throws(SyncError) -> [UInt8]? {
        guard case .dialler(let link, _) = role else { return nil }
        return PairingMessage.request(proof: try proofs(link.secret, .dialler).proof(of: .dialler), name: ownName)
            .encoded
    }

    func received(_ bytes: [UInt8], nanoseconds: UInt64, wallSeconds: UInt64) -> Step {
        received += bytes
        do throws(SyncError) {
            guard let message = try PairingMessage.decode(received) else { return .wait }
            switch (role, message) {
            case (.acceptor, .request(let proof, let name)):
                return judge(proof, name, nanoseconds: nanoseconds, wallSeconds: wallSeconds)
            case (.dialler(let link, let call), .accepted(let proof, let name)):
                return .done(try conclude(link, call, proof, name, wallSeconds: wallSeconds))
            case (.dialler, .refused(let reason)):
                return .failed(.notPermitted("the other daemon refused the link: \(reason)"))
            default:
                throw SyncError(code: .unexpectedMessage, reason: "a pairing message of the wrong side")
            }
        } catch {
            return .failed(error)
        }
    }

    private func judge(_ proof: [UInt8], _ name: String, nanoseconds: UInt64, wallSeconds: UInt64) -> Step {
        do throws(SyncError) {
            let (outcome, answer) = try trust.desk.judge(
                proof: proof, name: name, endpoint: endpoint, at: nanoseconds, wallSeconds: wallSeconds)
            return .answer(PairingMessage.accepted(proof: answer, name: ownName).encoded, outcome, nil)
        } catch {
            return .answer(PairingMessage.refused(reason: error.reason).encoded, nil, error)
        }
    }

    /// The other end has accepted us; it must prove in turn that it knows the secret.
    private func conclude(
        _ link: PairingLink, _ call: PairingCall, _ proof: [UInt8], _ name: String, wallSeconds: UInt64
    ) throws(SyncError) -> PairingDesk.Outcome {
        let proofs = try proofs(link.secret, .dialler)
        guard proofs.isProof(proof, of: .acceptor), let peer = endpoint.peer else {
            throw .notPermitted("the other daemon does not know the link's secret")
        }
        let trusted = try trust.desk.trust(
            peer, name: call.peerName, suggested: name, rights: call.rights,
            addresses: link.addresses.map { "\(SocketAddress.tcp(host: $0.host, port: $0.port))" },
            wallSeconds: wallSeconds)
        return PairingDesk.Outcome(peer: trusted, phrase: CheckPhrase.text(for: proofs.phraseBytes))
    }

    private func proofs(_ secret: [UInt8], _ side: PairingProof.Side) throws(SyncError) -> PairingProof {
        guard
            let proofs = PairingProof(
                secret: secret, endpoint: endpoint, ownIdentity: trust.identity.publicKey, side: side)
        else { throw SyncError(code: .unexpectedMessage, reason: "the connection is not secure yet") }
        return proofs
    }
}
