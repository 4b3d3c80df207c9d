// SPDX-License-Identifier: Apache-2.0

/// What is known of one peer, whether or not there is a link.
struct Peer: Sendable {
    let node: NodeID
    /// The session that is the link.
    var link: SessionHandle?
    /// Our durable place in the peer's order.
    var cursor: Cursor?
    /// Where that cursor has moved to without having been given to a commit.
    var unsavedCursor: Cursor?
    var software = ""
    /// The peer's wall clock minus ours when it last spoke.
    var clockOffsetMilliseconds: Int64 = 0
    var isSynchronised = false
    var head = Sequence.zero
    var lastError: SyncError?
    /// Records that the peer did not take: shown until it asks again.
    var refusedByPeer: RefusalBook
    /// A process that used the peer's identity wrongly is kept away until then.
    var heldNonce: (nonce: UInt64, until: UInt64)?
    /// Outlives a link: a new one is no new budget.
    var readBudget = ReadBudget()
    var recordsReceived: UInt64 = 0
    var recordsApplied: UInt64 = 0

    init(node: NodeID, cursor: Cursor? = nil, refusalLimit: Int) {
        self.node = node
        refusedByPeer = RefusalBook(limit: refusalLimit)
        self.cursor = cursor
    }
}

/// A peer's place among those that are known: for the life of the process.
struct PeerPlace: Hashable, Sendable {
    let rawValue: Int
}

/// The peers that this replica knows, linked or not. None is ever forgotten.
struct KnownPeers: Sendable {
    private var peers: [Peer] = []
    private var placeOfNode: [NodeID: PeerPlace] = [:]

    init() {}

    var count: Int { peers.count }
    var places: some Swift.Sequence<PeerPlace> { peers.indices.lazy.map(PeerPlace.init) }

    func place(of node: NodeID) -> PeerPlace? { placeOfNode[node] }

    subscript(place: PeerPlace) -> Peer {
        get { peers[place.rawValue] }
        _modify { yield &peers[place.rawValue] }
    }

    @discardableResult mutating func append(_ peer: Peer) -> PeerPlace {
        let place = PeerPlace(rawValue: peers.count)
        placeOfNode[peer.node] = place
        peers.append(peer)
        return place
    }
}
