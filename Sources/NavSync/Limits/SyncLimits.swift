// SPDX-License-Identifier: Apache-2.0

/// Every limit of the core, in one place.
package struct SyncLimits: Hashable, Sendable {
    package static let `default` = SyncLimits()

    // Values.
    /// Bytes of one envelope.
    package var maximumEnvelopeByteCount = 1 << 20
    /// How far ahead of our clock a remote stamp may be.
    package var maximumDriftMilliseconds: UInt64 = 60_000
    /// The write count of a record that claims to be our own is below this: a forged one must not use up our counter.
    package var maximumOwnWriteCount: UInt64 = 1 << 62

    // Frames.
    /// Bytes of a frame's payload before hello.
    package var helloFrameByteCount = 1 << 10
    /// Bytes of a frame's payload after hello.
    package var frameByteCount = (1 << 20) + (64 << 10)
    /// A `records` message is closed when it has grown to this; one record may be greater.
    package var recordsMessageByteCount = 64 << 10

    // Sessions.
    /// Sessions of either role; one more is refused.
    package var maximumSessions = 4096
    /// Peers that are remembered, linked or not; a hello of one more is refused.
    package var maximumPeers = 4096
    /// Bytes of keys and values in a status report: what does not fit is counted.
    package var statusByteCount = 1 << 20
    /// Bytes of uncompressed payloads, and 64 for each name of a list, that one session may have looked at in a round; what is
    /// left waits for the next.
    package var claimedByteCountPerRound = 2 << 20
    /// Requests of one session that wait for an answer; reading pauses at this many.
    package var maximumRequestsInFlight = 4096
    /// Bytes that are read from one peer in a second; nil for no limit.
    package var peerByteRate: Int?
    /// Bytes that are read from one local user in a second, all sessions together; nil for no limit.
    package var userByteRate: Int?
    /// Subscriptions of one client session.
    package var maximumSubscriptions = 16
    /// Bytes that a session may owe its socket before fan-out and reading pause.
    package var outputHighWaterByteCount = 512 << 10
    /// Bytes of records sent to a peer and not yet acknowledged at which sending pauses.
    package var unacknowledgedByteCount = 4 << 20
    /// Names in one page of a listing.
    package var listPageCount = 1000
    /// Rows of the log that one request for versions looks at.
    package var historyRowCount = 5_000
    /// Bytes of envelopes that it reads to verify them; one more envelope may go beyond.
    package var historyByteCount = 4 << 20
    /// From the opening of a connection to a complete hello.
    package var handshakeNanoseconds: UInt64 = 5_000_000_000
    /// Silence after which a ping is sent to a peer.
    package var heartbeatNanoseconds: UInt64 = 10_000_000_000
    /// Silence after which a peer's link is given up.
    package var silenceNanoseconds: UInt64 = 30_000_000_000
    /// Silence in the middle of a client's message after which its session is ended.
    package var halfMessageNanoseconds: UInt64 = 30_000_000_000
    /// How long an identity that is in use elsewhere is kept away.
    package var duplicateIdentityNanoseconds: UInt64 = 300_000_000_000
    /// How long to wait before peers are read again after the store was full.
    package var storeFullRetryNanoseconds: UInt64 = 5_000_000_000
    /// How long to wait before a row that could not be read is read again.
    package var readRetryNanoseconds: UInt64 = 5_000_000_000
    /// How long at least between two requests for records whose time has come.
    package var deferredRetryNanoseconds: UInt64 = 5_000_000_000
    /// How long a cursor that moved without a record may stay uncommitted.
    package var cursorFlushNanoseconds: UInt64 = 5_000_000_000

    // Quotas.
    /// Removed names that a peer with a limit may keep here, whatever the limit.
    package var removedCount = 1000
    /// And so many more for each stack that it may have.
    package var removedCountPerStack = 8
    /// What a stack counts as where only bytes are limited.
    package var byteCountPerStack = 2048

    // Batches.
    /// Rows in one commit; reading pauses while the open batch holds this many.
    package var batchRowCount = 16_384
    /// Bytes of envelopes in one commit; reading pauses while the open batch holds this many.
    package var batchByteCount = 16 << 20

    // Memory.
    /// What all clients have sent of messages that are not taken yet may have so many bytes together; with more, unfinished
    /// messages are given up.
    package var inputByteCount = 64 << 20
    /// A user who has no more than this of it keeps it, however much others have.
    package var userInputByteCount = 4 << 20
    /// A session's input of no more than this is not counted.
    package var uncountedInputByteCount = 16 << 10
    /// Commits whose marks are remembered; an older cursor is void.
    package var markCount = 65_536
    /// Refusals that are remembered.
    package var refusalCount = 1000
    /// Records of one peer that wait for their time, each by itself; more of them wait together.
    package var deferredCount = 1000
    /// Bytes of envelopes too large for the index that stay in memory while they are fresh.
    package var recentEnvelopeByteCount = 8 << 20

    package init() {}
}
