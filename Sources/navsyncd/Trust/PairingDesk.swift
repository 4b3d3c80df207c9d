// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Pairs this daemon with others: makes links and judges those who come with one.
///
/// At most one link is open, the newest. What it grants was decided when it was made.
final class PairingDesk {
    /// A pairing that succeeded.
    struct Outcome {
        let peer: TrustedPeer
        /// The six words that both ends show.
        let phrase: String
    }

    /// What has become of a link.
    enum LinkState {
        case open
        case used(Outcome)
        case over(PairingOffer.Refusal)
        /// Never made here, or so long ago that it is forgotten.
        case unknown
    }

    private struct Link {
        var offer: PairingOffer
        var outcome: Outcome?
    }

    private let store: TrustStore
    private let identity: IdentityKey
    /// The newest at the end. Older ones are kept to tell those who made them how they ended.
    private var links: [Link] = []
    private static let rememberedLinkCount = 32

    init(store: TrustStore, identity: IdentityKey) {
        self.store = store
        self.identity = identity
    }

    /// Opens a link; one that was open before is void.
    func open(rights: Rights, peerName: PeerName?, at nanoseconds: UInt64) -> PairingOffer {
        endNewest(.replaced, at: nanoseconds)
        let offer = PairingOffer(
            secret: SecureRandom.bytes(count: PairingLink.secretByteCount), id: SecureRandom.uint64(), rights: rights,
            peerName: peerName, at: nanoseconds)
        links = links.suffix(Self.rememberedLinkCount - 1) + [Link(offer: offer)]
        return offer
    }

    /// Withdraws the link that is open; with an id, if it is that one.
    func close(_ id: UInt64?, at nanoseconds: UInt64) {
        guard id == nil || id == links.last?.offer.id else { return }
        endNewest(.cancelled, at: nanoseconds)
    }

    private func endNewest(_ reason: PairingOffer.Refusal, at nanoseconds: UInt64) {
        guard !links.isEmpty else { return }
        links[links.count - 1].offer.end(reason, at: nanoseconds)
    }

    /// Whether a stranger may try: decides if TLS connections for pairing are accepted at all.
    func isOpen(at nanoseconds: UInt64) -> Bool { links.last.map { !$0.offer.isOver(at: nanoseconds) } ?? false }

    /// How the link with an id is, or the newest.
    func state(of id: UInt64?, at nanoseconds: UInt64) -> LinkState {
        guard let link = id.map({ id in links.last { $0.offer.id == id } }) ?? links.last else { return .unknown }
        if let outcome = link.outcome { return .used(outcome) }
        guard link.offer.isOver(at: nanoseconds), let refusal = link.offer.refusal(at: nanoseconds) else {
            return .open
        }
        return .over(refusal)
    }

    /// Judges a request that came over `endpoint`. On success the peer is trusted, durably.
    func judge(
        proof: [UInt8], name: String, endpoint: TLSEndpoint, at nanoseconds: UInt64, wallSeconds: UInt64
    ) throws(SyncError) -> (outcome: Outcome, answer: [UInt8]) {
        guard let offer = links.last?.offer, let tlsPeer = endpoint.peer,
            let proofs = PairingProof(
                secret: offer.secret, endpoint: endpoint, ownIdentity: identity.publicKey, side: .acceptor)
        else { throw SyncError(code: .notPermitted, reason: "no pairing link is open") }
        let newest = links.count - 1
        let refusal = links[newest].offer.attempt(isProven: proofs.isProof(proof, of: .dialler), at: nanoseconds)
        if let refusal { throw SyncError(code: .notPermitted, reason: refusal.reason) }
        let outcome = Outcome(
            peer: try trust(
                tlsPeer, name: offer.peerName, suggested: name, rights: offer.rights, addresses: [],
                wallSeconds: wallSeconds),
            phrase: CheckPhrase.text(for: proofs.phraseBytes))
        links[newest].outcome = outcome
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
