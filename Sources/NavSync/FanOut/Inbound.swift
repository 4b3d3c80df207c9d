// SPDX-License-Identifier: Apache-2.0

/// Our reading of one peer, on one link.
struct Inbound: Sendable {
    /// A peer's record whose time has not come.
    struct Deferred: Sendable {
        let name: StackName
        let stamp: Stamp
        /// The peer's sequence of the record.
        let sequence: Sequence
        /// Where we stood before the message that held it; nil is the beginning.
        let before: Cursor?
        /// The wall clock at which it may be merged.
        let dueMilliseconds: UInt64
    }

    /// A message of which some records have not been looked at yet.
    struct Unfinished: Sendable {
        var reader: ByteReader
        let through: Sequence
        let mark: Mark
        /// Where we stood before the message.
        let before: Cursor?
        var last: Sequence
    }

    var unfinished: Unfinished?
    /// The subscription whose records we take; those of others are late and are dropped. Nil while we take none.
    var request: RequestID?
    /// Where we stand; nil is the beginning.
    var position: Cursor?
    /// Records that wait for their time, the last of each name. The durable cursor stays before them, so a restart does
    /// not lose them.
    private(set) var deferred: [StackName: Deferred] = [:]
    /// More are waiting than `deferred` holds, the first of them until then: all are asked for again.
    private var moreDueMilliseconds: UInt64?
    /// Records that waited when we asked the last time: known already, so not said again.
    var known: Set<Stamp> = []
    /// When we last asked.
    var askedAt: UInt64 = 0
    /// Where to ask again from, once more are waiting than are held.
    private var hold: Cursor?
    /// Refusals that the next acknowledgement tells.
    var untold: [Acknowledge.Refused] = []
    /// When to subscribe again after the store refused a batch.
    var retryAt: UInt64?

    /// The cursor that may become durable.
    var durablePosition: Cursor? {
        if moreDueMilliseconds != nil { return hold }
        guard let first = earliest else { return position }
        return first.before
    }

    private var earliest: Deferred? { deferred.values.min { $0.sequence < $1.sequence } }

    /// The first moment at which a deferred record may be merged.
    var nextDueMilliseconds: UInt64? {
        let held = deferred.values.lazy.map(\.dueMilliseconds).min()
        guard let more = moreDueMilliseconds else { return held }
        return min(more, held ?? more)
    }

    mutating func deferRecord(_ record: Deferred, limit: Int) {
        if deferred.count < limit || deferred[record.name] != nil {
            deferred[record.name] = record
        } else {
            if moreDueMilliseconds == nil { hold = earliest?.before }
            moreDueMilliseconds = min(moreDueMilliseconds ?? .max, record.dueMilliseconds)
        }
    }

    /// A later record of the name came from the same peer: the one that waited is gone there.
    mutating func dropDeferred(_ name: StackName) { deferred[name] = nil }
}
