// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// A change log in memory, for tests and the simulation.
package struct MemoryStore: StackStore, Sendable {
    package private(set) var rows: [Row] = []
    private var marks: [(sequence: NavSync.Sequence, mark: Mark)] = []
    private var cursors: [NodeID: Cursor] = [:]
    private var refusals: [Refusal] = []
    private let incarnation: Incarnation
    private var startCounter: UInt64 = 0
    /// The next `apply` throws this.
    package var failure: CommitFailure?
    /// There is room for removals and for nothing else.
    package var isFull = false

    private let emptyIndex: StackIndex

    package init(incarnation: Incarnation, emptyIndex: StackIndex = StackIndex()) {
        self.incarnation = incarnation
        self.emptyIndex = emptyIndex
    }

    package mutating func apply(_ batch: CommitBatch) throws(CommitFailure) {
        if let failure { throw failure }
        if isFull, !batch.isOfRemovals { throw .full("no room") }
        rows += batch.rows
        if let last = batch.rows.last { marks.append((last.sequence, batch.mark)) }
        cursors.merge(batch.cursors) { $1 }
        let replaced = batch.settledRefusals.union(batch.refusals.map(\.key))
        if !replaced.isEmpty { refusals.removeAll { replaced.contains($0.key) } }
        refusals += batch.refusals
    }

    package func readEnvelope(at sequence: Sequence) -> [UInt8]? {
        guard case .envelope(let envelope, _)? = readRow(at: sequence)?.record.content else { return nil }
        return envelope
    }

    /// What a runtime answers for a read.
    package func answer(at sequence: Sequence) -> EnvelopeRead {
        readEnvelope(at: sequence).map { .envelope($0) } ?? .absent
    }

    package func readRow(at sequence: Sequence) -> Row? {
        let index = rows.partitioningIndex { $0.sequence >= sequence }
        return index < rows.count && rows[index].sequence == sequence ? rows[index] : nil
    }

    package func readVersions(_ search: VersionSearch) -> VersionPage {
        var page = VersionPage(search)
        for row in rows[..<rows.partitioningIndex { $0.sequence >= search.before }].reversed() {
            guard !page.isFull() else { break }
            page.look(at: row.sequence, row.record.name == search.name ? KeptVersion(row) : nil)
        }
        return page
    }

    /// What a start of a replica finds; counts the start. `node` is whose writes are counted.
    package mutating func open(node: NodeID) -> RecoveredState {
        startCounter += 1
        var recovered = RecoveredState(
            incarnation: incarnation, startCounter: startCounter,
            nextSequence: Sequence(rawValue: (rows.last?.sequence.rawValue ?? 0) + 1), index: emptyIndex, marks: marks,
            cursors: cursors, refusals: refusals, floor: .zero, writeCount: 0)
        for row in rows where !recovered.replay(row, node: node) {
            preconditionFailure("no room for \(row.record.name)")
        }
        return recovered
    }
}

extension [Row] {
    /// The first place from which on `isBehind` holds.
    fileprivate func partitioningIndex(where isBehind: (Row) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
