// SPDX-License-Identifier: Apache-2.0

/// A record that was refused for good: shown, and passed by the cursor.
package struct Refusal: Hashable, Sendable {
    package let peer: NodeID
    package let name: StackName
    package let stamp: Stamp
    package let code: SyncError.Code

    /// What one refusal takes the place of another by.
    package struct Key: Hashable, Sendable {
        package let peer: NodeID
        package let name: StackName

        package init(peer: NodeID, name: StackName) {
            self.peer = peer
            self.name = name
        }
    }

    package var key: Key { Key(peer: peer, name: name) }

    package init(peer: NodeID, name: StackName, stamp: Stamp, code: SyncError.Code) {
        self.peer = peer
        self.name = name
        self.stamp = stamp
        self.code = code
    }
}

/// What becomes durable together: all of it or nothing.
package struct CommitBatch: Sendable {
    /// In sequence order, each sequence greater than any written before.
    package var rows: [Row] = []
    /// Written beside the last row; meaningless without rows.
    package var mark: Mark
    /// How far this replica has read each peer.
    package var cursors: [NodeID: Cursor] = [:]
    /// Refusals that hold no more; removed before `refusals` are added.
    package var settledRefusals: Set<Refusal.Key> = []
    /// Each takes the place of an older one of its peer and name.
    package var refusals: [Refusal] = []

    package init(mark: Mark) { self.mark = mark }

    /// Only removals, for which a store keeps room when there is no other.
    package var isOfRemovals: Bool { !rows.isEmpty && rows.allSatisfy(\.record.isTombstone) }

    package var isEmpty: Bool {
        rows.isEmpty && cursors.isEmpty && settledRefusals.isEmpty && refusals.isEmpty
    }
}

/// Why a batch did not become durable.
package enum CommitFailure: Error, Hashable, Sendable {
    /// No room: nothing was written, reads go on, a later batch may succeed.
    case full(String)
    /// The store can no longer promise anything: the process must say so and end.
    case failed(String)

    package var reason: String {
        switch self {
        case .full(let reason), .failed(let reason): reason
        }
    }
}

/// What a store held when it was opened.
package struct RecoveredState: Sendable {
    package var incarnation: Incarnation
    /// Greater than at every earlier start of this store.
    package var startCounter: UInt64
    /// Every sequence ever given out is below this.
    package var nextSequence: Sequence
    /// The index of merged rows.
    package var index: StackIndex
    /// Marks of commits, oldest first.
    package var marks: [(sequence: Sequence, mark: Mark)]
    package var cursors: [NodeID: Cursor]
    package var refusals: [Refusal]
    /// No local write may be stamped at or below this: survives restarts, deletes and compaction.
    package var floor: HybridTime
    /// How many local writes were ever made.
    package var writeCount: UInt64

    package init(
        incarnation: Incarnation, startCounter: UInt64, nextSequence: Sequence, index: StackIndex,
        marks: [(sequence: Sequence, mark: Mark)], cursors: [NodeID: Cursor], refusals: [Refusal],
        floor: HybridTime, writeCount: UInt64
    ) {
        self.incarnation = incarnation
        self.startCounter = startCounter
        self.nextSequence = nextSequence
        self.index = index
        self.marks = marks
        self.cursors = cursors
        self.refusals = refusals
        self.floor = floor
        self.writeCount = writeCount
    }
}

extension RecoveredState {
    /// Takes one row of the change log, in the order of sequences: what every store makes of its rows when it is opened.
    /// False when there is no room for the row's name.
    package mutating func replay(_ row: Row, node: NodeID) -> Bool {
        // Our own writes may have come back from a peer: who sent a row does not tell whose it is.
        if row.record.stamp.origin == node { writeCount = max(writeCount, row.record.writeCount) }
        // What lost was below what won; what waits for its time or for a person moves no clock.
        if row.state == .merged { floor = max(floor, row.record.stamp.time) }
        return index.replay(row)
    }
}

/// The port to durable storage: an append-only change log.
///
/// A store is opened (which yields `RecoveredState`) and from then on owned by one thread. It knows nothing of
/// merging: the replica decides, the store remembers.
package protocol StackStore {
    /// Makes the batch durable. When it returns, the batch is on disk; when it throws, none of it is.
    mutating func apply(_ batch: CommitBatch) throws(CommitFailure)

    /// The envelope of the row at `sequence`; nil when there is no such row, or it is a tombstone. Throws when that cannot
    /// be told.
    mutating func readEnvelope(at sequence: Sequence) throws(CommitFailure) -> [UInt8]?

    /// The row at `sequence`, live or not; nil when there is none.
    mutating func readRow(at sequence: Sequence) throws(CommitFailure) -> Row?

    /// The rows of a stack that are still kept, live or not, as far as one look goes.
    mutating func readVersions(_ search: VersionSearch) throws(CommitFailure) -> VersionPage
}
