// SPDX-License-Identifier: Apache-2.0

/// What the runtime must do, in this order. Given out by `Replica.endRound`.
package enum Action: Sendable {
    /// Write these bytes; call `drained` when the socket has taken everything that it was given.
    case send(SessionID, [UInt8])
    /// Close after what was sent before is written, at most a second later. The session is already forgotten:
    /// `connectionClosed` may be called or not.
    case close(SessionID, SyncError?)
    /// Read nothing from this connection until `resume`.
    case pause(SessionID)
    case resume(SessionID)
    /// Dial this peer: answer with `connectionOpened` or `dialFailed`.
    case dial(TargetPlace)
    /// Make the batch durable: answer with `batchCommitted` or `batchFailed`. Never more than one is outstanding.
    case commit(CommitBatch)
    /// Read an envelope from the store: answer with `envelopeRead`.
    case readEnvelope(ReadToken, Sequence)
    /// Ask the store about its history: answer with `historyRead`. Never more than one is outstanding.
    case readHistory(ReadToken, HistoryQuestion)
    /// A local program asks for something that concerns the runtime, and has this role: answer with `managed`.
    case manage(SessionID, Manage, LocalRole)
    /// A fact for the log.
    case report(Event)
}

/// A fact that an operator may want to see. The core never logs.
package enum Event: Hashable, Sendable {
    /// A client said a valid hello.
    case clientReady(SessionID)
    /// A peer's link works: hello was exchanged and it is the link that stays.
    case linkReady(peer: NodeID, SessionID, software: String)
    /// A peer's link ended; nil when it was closed in good order.
    case linkLost(peer: NodeID, SessionID, SyncError?)
    /// A session was closed by us for what the other end did.
    case sessionRefused(SessionID, SyncError)
    /// A dial failed, or its link ended: the next one is due after so many nanoseconds.
    case dialScheduled(TargetPlace, reason: String, delayNanoseconds: UInt64)
    /// A local program asked for a write that its role does not allow.
    case writeRefused(SessionID, MessageType)
    /// Another replica uses this identity.
    case duplicateIdentity(NodeID, SessionID)
    /// A peer's cursor, or ours at a peer, was void: the scan starts from the beginning.
    case cursorVoid(peer: NodeID, reason: String)
    /// We refused a peer's record for good.
    case recordRefused(Refusal)
    /// We refused a peer's record until its time comes.
    case clockDrift(peer: NodeID, name: StackName, stamp: Stamp, aheadMilliseconds: UInt64)
    /// Our stamps are so far ahead of our own clock that peers refuse what is written here: the clock was wrong when
    /// something was written, or is wrong now. Said once, until it has caught up.
    case floorAhead(milliseconds: UInt64)
    /// A peer refused a record that we sent.
    case recordRefusedByPeer(Refusal)
    /// Two writes knew nothing of each other; the loser stays in the history.
    case mergeConcurrent(name: StackName, winner: Stamp, loser: Stamp)
    /// Two contents under one stamp: an origin gave a stamp twice, so its identity is in use twice.
    case stampReused(name: StackName, stamp: Stamp)
    /// The store has no room; it is tried again by itself.
    case storeFull(String)
    /// The store has room again.
    case storeRecovered
    /// The store can promise nothing any more: the process must end.
    case storeFailed(String)
    /// The store has no row where the live version of a stack should be: it is damaged.
    case envelopeMissing(Sequence)
    /// The store could not read a live row; who waits for it gets it later.
    case readFailed(Sequence, String)
}
