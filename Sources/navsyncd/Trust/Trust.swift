// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// All that the daemon decides about who may come in: its identity, its TLS key, the peers it trusts, pairing, limits
/// for strangers and the roles of local users.
final class Trust {
    let identity: IdentityKey
    let store: TrustStore
    let desk: PairingDesk
    private(set) var context: TLSContext
    var gate = AcceptGate()
    var access: LocalAccess
    private let stateDirectory: String

    /// Whether the TLS key was made just now; worth a log line.
    let madeKey: Bool

    init(
        stateDirectory: String, identity: IdentityKey, access: LocalAccess, wallMilliseconds: UInt64
    ) throws(TrustError) {
        self.stateDirectory = stateDirectory
        self.identity = identity
        self.access = access
        store = try TrustStore(stateDirectory: stateDirectory)
        desk = PairingDesk(store: store, identity: identity)
        do throws(PosixError) {
            let (key, isNew) = try TLSKeyFile.load(
                stateDirectory: stateDirectory, identity: identity, wallMilliseconds: wallMilliseconds)
            madeKey = isNew
            context = try Self.context(for: key)
        } catch {
            throw TrustError(reason: "\(error)", hint: "check the state directory and its file system")
        }
    }

    var tlsGeneration: UInt64 { context.key.generation }

    /// Makes a newer TLS key. Open connections keep theirs until they end.
    func rotate(wallMilliseconds: UInt64) throws(SyncError) {
        do throws(PosixError) {
            let key = try TLSKeyFile.rotate(
                stateDirectory: stateDirectory, identity: identity, last: tlsGeneration, wallMilliseconds)
            context = try Self.context(for: key)
        } catch {
            throw SyncError(code: .storeFailed, reason: "the new TLS key could not be written: \(error)")
        }
    }

    private static func context(for key: TLSKey) throws(PosixError) -> TLSContext {
        do throws(TLSError) { return try TLSContext(key: key) } catch {
            throw PosixError(errno: 0, operation: "set up TLS", hint: error.reason)
        }
    }

    // MARK: Who may come in

    /// Why a peer that has proved its identity is not let in; nil lets it in.
    func refusal(of peer: TLSPeer) -> TLSError? {
        // Ourselves, or a copy of us: the hellos tell which, and neither gets further than that.
        guard !isOurs(peer) else { return nil }
        guard let known = store.table.peer(publicKey: peer.identityPublicKey) else {
            let id = NodeID(bytes: peer.nodeID)?.text ?? "?"
            return TLSError(code: .untrustedIdentity, reason: "node \(id) is not trusted here")
        }
        return retirement(of: peer, known)
    }

    /// Why a node that pairs may not: a link makes no retired key good again. Anybody else may try.
    private func refusalToPair(_ peer: TLSPeer) -> TLSError? {
        store.table.peer(publicKey: peer.identityPublicKey).flatMap { retirement(of: peer, $0) }
    }

    private func retirement(of peer: TLSPeer, _ known: TrustedPeer) -> TLSError? {
        guard peer.generation < known.tlsGeneration else { return nil }
        return TLSError(
            code: .retiredKey,
            reason: "\(known.name) shows TLS key \(peer.generation), it has used \(known.tlsGeneration) before:"
                + " 'navsyncctl id rotate' there makes a newer one")
    }

    /// Whether the other end has proved our own identity.
    func isOurs(_ peer: TLSPeer) -> Bool { peer.identityPublicKey == identity.publicKey }

    /// The entry of a peer that was let in. A newer TLS key of it retires the older ones from now on.
    func admit(_ peer: TLSPeer) throws(SyncError) -> TrustedPeer {
        guard var known = store.table.peer(publicKey: peer.identityPublicKey) else {
            throw SyncError(code: .notPermitted, reason: "the peer was revoked")
        }
        guard peer.generation > known.tlsGeneration else { return known }
        known.tlsGeneration = peer.generation
        let renewed = known
        try store.update { (table: inout PeerTable) throws(SyncError) in try table.put(renewed) }
        return renewed
    }

    /// The end of a TLS connection that somebody dialled.
    func acceptingEndpoint(now: @escaping () -> UInt64) throws(TLSError) -> TLSEndpoint {
        try TLSEndpoint(
            context: context, role: .accepting,
            offer: { [self] purpose in purpose == .sync || desk.isOpen(at: now()) },
            admission: { [self] peer, purpose in purpose == .sync ? refusal(of: peer) : refusalToPair(peer) })
    }

    /// The end of a TLS connection that we dialled to sync.
    func diallingEndpoint() throws(TLSError) -> TLSEndpoint {
        try TLSEndpoint(context: context, role: .dialling(.sync)) { [self] peer, _ in refusal(of: peer) }
    }

    /// The end of a TLS connection that we dialled with a link: only its maker is let in.
    func pairingEndpoint(for link: PairingLink) throws(TLSError) -> TLSEndpoint {
        try TLSEndpoint(context: context, role: .dialling(.pairing)) { [self] peer, _ in
            NodeID(bytes: peer.nodeID) == link.id
                ? refusalToPair(peer)
                : TLSError(code: .untrustedIdentity, reason: "another node than the link's answers there")
        }
    }
}
