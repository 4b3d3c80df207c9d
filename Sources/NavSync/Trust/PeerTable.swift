// SPDX-License-Identifier: Apache-2.0

/// All trusted peers, one entry per node id, names unique.
package struct PeerTable: Hashable, Sendable {
    /// In the order in which they were added.
    package private(set) var peers: [TrustedPeer]

    package static let maximumCount = 1024

    package init() { peers = [] }

    package subscript(_ id: NodeID) -> TrustedPeer? { peers.first { $0.id == id } }

    package func peer(publicKey: [UInt8]) -> TrustedPeer? { peers.first { $0.publicKey == publicKey } }

    /// Finds a peer by its name or the text of its id.
    package func peer(named text: String) -> TrustedPeer? {
        if let id = try? NodeID(text: text) { return self[id] }
        return peers.first { $0.name.text == text }
    }

    /// Adds `peer`, or replaces the entry with its id.
    package mutating func put(_ peer: TrustedPeer) throws(SyncError) {
        guard !peers.contains(where: { $0.name == peer.name && $0.id != peer.id }) else {
            throw SyncError(code: .invalidPeerName, reason: "another peer is called \(peer.name)")
        }
        if let index = peers.firstIndex(where: { $0.id == peer.id }) {
            peers[index] = peer
            return
        }
        guard peers.count < Self.maximumCount else {
            throw SyncError(code: .limitExceeded, reason: "\(Self.maximumCount) peers are trusted already")
        }
        peers.append(peer)
    }

    /// Removes and returns the entry; nil when there is none.
    package mutating func remove(_ id: NodeID) -> TrustedPeer? {
        peers.firstIndex { $0.id == id }.map { peers.remove(at: $0) }
    }

    /// `wanted`, or `wanted` with the first number that makes it free.
    package func freeName(like wanted: PeerName) -> PeerName {
        let taken = Set(peers.map(\.name))
        guard taken.contains(wanted) else { return wanted }
        let stem = String(wanted.text.prefix(PeerName.maximumByteCount - 5))
        for number in 2...(Self.maximumCount + 1) {
            if let name = try? PeerName("\(stem)-\(number)"), !taken.contains(name) { return name }
        }
        return wanted
    }
}
