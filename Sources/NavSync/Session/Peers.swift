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

/// A peer that we dial.
struct DialTarget: Sendable {
    enum State: Hashable, Sendable {
        /// The next dial is due then.
        case waiting(until: UInt64)
        case dialling
        case connected(SessionID)
        /// The peer has a link that it dialled itself.
        case linked
        /// It is dialled no more.
        case removed
    }

    let label: String
    var state: State
    /// Who answered there last.
    var node: NodeID?
    var backOff = BackOff()
    var lastError: String?

    init(label: String) {
        self.label = label
        state = .waiting(until: 0)
    }
}
