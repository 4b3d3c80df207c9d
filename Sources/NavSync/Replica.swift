// SPDX-License-Identifier: Apache-2.0

/// One daemon's copy of all stacks: the pipeline from bytes in to bytes out, without any input or output.
///
/// The runtime tells it what happened (past tense), ends the round, and does the actions it gets back. One thread owns
/// it. Between two calls nothing happens.
package struct Replica {
    /// Verifies an envelope and hashes its payload; throws `invalidEnvelope` or `valueTooLarge`.
    package typealias Inspect = @Sendable ([UInt8]) throws(SyncError) -> ContentHash

    package let node: NodeID
    package let configuration: ReplicaConfiguration
    private let inspect: Inspect
    private var index: StackIndex
    private var actions: [Action] = []
    /// Nothing is in flight any more and every session was told goodbye.
    package private(set) var isDrained = false

    /// A replica as it was when its store was last closed. `seed` is random for each process.
    package init(
        node: NodeID, configuration: ReplicaConfiguration, recovered: consuming RecoveredState,
        inspect: @escaping Inspect, seed: UInt64
    ) {
        self.node = node
        self.configuration = configuration
        self.inspect = inspect
        index = recovered.index
    }

    /// When `timePassed` must be called, in monotonic nanoseconds; nil when nothing waits for time.
    package var nextDeadline: UInt64? { nil }

    package mutating func connectionOpened(_ id: SessionID, _ origin: ConnectionOrigin, at now: Instant) {}
    package mutating func bytesReceived(_ id: SessionID, _ bytes: some Collection<UInt8>, at now: Instant) {}
    package mutating func connectionClosed(_ id: SessionID, at now: Instant) {}
    package mutating func dialFailed(peerIndex: Int, reason: String, at now: Instant) {}
    package mutating func drained(_ id: SessionID, at now: Instant) {}
    package mutating func batchCommitted(at now: Instant) {}
    package mutating func batchFailed(_ failure: CommitFailure, at now: Instant) {}
    package mutating func envelopeRead(_ token: ReadToken, _ envelope: [UInt8]?, at now: Instant) {}
    package mutating func timePassed(at now: Instant) {}
    package mutating func drain(at now: Instant) {}

    /// Everything that the events since the last round ask for. Call once per loop round.
    package mutating func endRound(at now: Instant) -> [Action] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }
}
