// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Pairs this daemon with others: makes links and judges those who come with one.
///
/// At most one link is open. What it grants was decided when it was made.
final class PairingDesk {
    /// A pairing that succeeded.
    struct Outcome {
        let peer: TrustedPeer
        /// The six words that both ends show.
        let phrase: String
    }

    private let store: TrustStore
    private let identity: IdentityKey
    private var offer: PairingOffer?
    /// What became of the newest link; shown to who made it.
    private(set) var outcome: Outcome?

    init(store: TrustStore, identity: IdentityKey) {
        self.store = store
        self.identity = identity
    }

    /// Opens a link and returns its secret; a link that was open before is void.
    func open(rights: Rights, peerName: PeerName?, at nanoseconds: UInt64) -> [UInt8] {
        let secret = SecureRandom.bytes(count: PairingLink.secretByteCount)
        offer = PairingOffer(secret: secret, rights: rights, peerName: peerName, at: nanoseconds)
        outcome = nil
        return secret
    }

    func close() { offer = nil }

    /// Whether a stranger may try: decides if TLS connections for pairing are accepted at all.
    func isOpen(at nanoseconds: UInt64) -> Bool { offer.map { !$0.isOver(at: nanoseconds) } ?? false }

    /// Why the newest link can no longer be used; nil while it can, or when there is none.
    func refusal(at nanoseconds: UInt64) -> PairingOffer.Refusal? { offer?.refusal(at: nanoseconds) }

    /// Judges a request that came over `endpoint`. On success the peer is trusted, durably.
    func judge(
        proof: [UInt8], name: String, endpoint: TLSEndpoint, at nanoseconds: UInt64, wallSeconds: UInt64
    ) throws(SyncError) -> (outcome: Outcome, answer: [UInt8]) {
        guard var offer, let tlsPeer = endpoint.peer,
            let proofs = PairingProof(
                secret: offer.secret, endpoint: endpoint, ownIdentity: identity.publicKey, side: .acceptor)
        else { throw SyncError(code: .notPermitted, reason: "no pairing link is open") }
        let refusal = offer.attempt(isProven: proofs.isProof(proof, of: .dialler), at: nanoseconds)
        self.offer = offer
        if let refusal { throw SyncError(code: .notPermitted, reason: refusal.reason) }
        let outcome = Outcome(
            peer: try trust(
                tlsPeer, name: offer.peerName, suggested: name, rights: offer.rights, addresses: [],
                wallSeconds: wallSeconds),
            phrase: CheckPhrase.text(for: proofs.phraseBytes))
        self.outcome = outcome
        return (outcome, proofs.proof(of: .acceptor))
    }

    /// Writes a peer that has proved itself. One that is known already keeps its name and gets the new rights.
    func trust(
        _ peer: TLSPeer, name: PeerName?, suggested: String, rights: Rights, addresses: [String], wallSeconds: UInt64
    ) throws(SyncError) -> TrustedPeer {
        guard let id = NodeID(bytes: peer.nodeID), peer.identityPublicKey != identity.publicKey else {
            throw SyncError(code: .selfConnection, reason: "this is the daemon's own link")
        }
        return try store.update { (table: inout PeerTable) throws(SyncError) -> TrustedPeer in
            let known = table[id]
            let fallback = try PeerName("peer-" + id.shortText)
            let wanted = name ?? known?.name ?? PeerName(suggested: suggested) ?? fallback
            let trusted = TrustedPeer(
                name: wanted == known?.name ? wanted : table.freeName(like: wanted), id: id,
                publicKey: peer.identityPublicKey, rights: rights,
                addresses: addresses.isEmpty ? known?.addresses ?? [] : addresses,
                tlsGeneration: max(peer.generation, known?.tlsGeneration ?? 0),
                addedSeconds: known?.addedSeconds ?? wallSeconds)
            try table.put(trusted)
            return trusted
        }
    }
}
