// SPDX-License-Identifier: Apache-2.0

/// One conversation, from the opening of its connection to its close. Nothing of it outlives the connection.
struct Session: Sendable {
    let id: SessionID
    let origin: ConnectionOrigin
    var access: SessionAccess
    var state = SessionState.awaitingHello
    var cutter = FrameCutter()

    /// Frames of this round.
    var output: [UInt8] = []
    /// Bytes that the runtime was given and has not reported as drained.
    var owedByteCount = 0
    /// The runtime was told to read nothing.
    var isPaused = false
    /// When a ping last showed a throttled peer that we are here.
    var shownLifeAt: UInt64?

    /// Requests that wait for a commit or a read.
    var requestsInFlight = 0
    /// It has asked about versions: nothing more of it is looked at until that is answered.
    var awaitsHistory = false
    /// Bytes of envelopes that are being read from the store for pulls: output that is sure to come.
    var awaitedByteCount = 0
    /// Bytes of payloads that were looked at for it in this round.
    var claimedByteCount = 0
    /// Since when a message that is not complete waits in the cutter.
    var halfSince: UInt64?
    /// Its part of the replica's `inputByteCount`.
    var inputByteCount = 0
    let openedAt: UInt64
    var readyAt: UInt64?
    var heardAt: UInt64
    /// When the last ping went out that nothing was heard since.
    var pingedAt: UInt64?
    /// Something must be heard before this, else the link is dead.
    var probeDeadline: UInt64?

    /// What the other side said.
    var hello: Hello?
    /// Which of the known peers it is with.
    var peer: PeerPlace?
    /// What the peer may do over this link.
    var rights: Rights { access.rights }
    /// What a place in the peer's order is valid for, and in ours.
    var inboundScope = Scope.unknown
    var outboundScope = Scope.unknown
    var quota = Quota()
    /// Our reading of the peer.
    var inbound: Inbound?
    /// What the other side reads of us.
    var subscriptions: [Subscription] = []
    /// The subscription behind the one that read from the store last: it is asked first what it needs.
    var nextToRead = 0

    init(id: SessionID, origin: ConnectionOrigin, access: SessionAccess, openedAt: UInt64) {
        self.id = id
        self.origin = origin
        self.access = access
        self.openedAt = openedAt
        heardAt = openedAt
    }

    /// The local user at the other end.
    var userID: UInt32? {
        guard case .accepted(_, let credentials?) = origin else { return nil }
        return credentials.userID
    }

    var isDialled: Bool { if case .dialled = origin { true } else { false } }

    var pendingOutputByteCount: Int { output.count + owedByteCount }
}
