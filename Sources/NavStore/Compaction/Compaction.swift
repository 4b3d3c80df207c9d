// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// One compaction of the log, done in steps between batches: first it counts what each name has, then it removes what
/// is beyond the limits, oldest first. Names are taken in shares, so that it holds only some of them at a time.
///
/// A row that is overtaken never becomes live again, so what the count has seen stays true while batches are appended
/// between two steps. Removing oldest first leaves no older row of a name without the newer one that outdoes it.
package struct Compaction {
    package struct Outcome: Hashable, Sendable {
        package var removedRowCount = 0
        package var removedByteCount = 0
        /// Removed stacks whose tombstones were old enough to go.
        package var forgotten: [StackName] = []
    }

    private enum Phase {
        case count
        case remove
    }

    /// What the log has of one name, as far as it is not removed yet.
    fileprivate struct Holding {
        var live: LogRowSummary?
        var rowCount = 0
        var byteCount = 0
    }

    private let limits: HistoryLimits
    private let now: UInt64
    private let end: Sequence
    private let shareCount: Int
    private var share = 0
    private var phase = Phase.count
    private var last = Sequence.zero
    private var holdings: [StackName: Holding] = [:]
    /// Live tombstones that are old enough and too many.
    private var forgettable: Set<Sequence> = []
    private(set) package var outcome = Outcome()

    /// A compaction of the rows up to `end`, which is itself kept: the greatest sequence is never forgotten.
    init(limits: HistoryLimits, now: UInt64, end: Sequence, rowCount: Int) {
        self.limits = limits
        self.now = now
        self.end = end
        shareCount = max(1, (rowCount + limits.namesPerPass - 1) / max(1, limits.namesPerPass))
    }

    /// Looks at the next rows. What is to be removed, and whether there is more to look at.
    mutating func step(_ log: LogTable) throws(SQLiteFailure) -> (removals: [LogRowSummary], isDone: Bool) {
        let (rows, last) = try log.summaries(after: self.last, upTo: end, limit: limits.rowsPerStep)
        var removals: [LogRowSummary] = []
        for row in rows where Self.share(of: row.name, shareCount) == share {
            switch phase {
            case .count: count(row)
            case .remove: if removes(row) { removals.append(row) }
            }
        }
        if let last {
            self.last = last
            return (removals, false)
        }
        return (removals, nextPhase())
    }

    /// Notes that the removals of a step are durable.
    mutating func removed(_ rows: [LogRowSummary]) {
        outcome.removedRowCount += rows.count
        for row in rows {
            outcome.removedByteCount += row.byteCount
            if holdings[row.name]?.live?.sequence == row.sequence { outcome.forgotten.append(row.name) }
        }
    }

    private mutating func nextPhase() -> Bool {
        last = .zero
        switch phase {
        case .count:
            phase = .remove
            forgettable = chooseForgettable()
        case .remove:
            phase = .count
            share += 1
            holdings = [:]
        }
        return share == shareCount
    }

    /// The longest removed of the names in this share, whose part of all that may be kept is as large as the others'.
    private func chooseForgettable() -> Set<Sequence> {
        let tombstones = holdings.values.compactMap(\.live).filter(\.isTombstone)
        let excess = tombstones.count - limits.tombstoneCount / shareCount
        guard excess > 0 else { return [] }
        let old = tombstones.filter { isOlder($0, limits.tombstoneMilliseconds) }.sorted { $0.stamp < $1.stamp }
        return Set(old.prefix(excess).map(\.sequence))
    }

    private mutating func count(_ row: LogRowSummary) {
        guard row.state == .merged || row.state == .superseded else { return }
        var holding = holdings[row.name] ?? Holding()
        defer { holdings[row.name] = holding }
        guard row.state == .merged else { return holding.add(row) }
        guard let live = holding.live else {
            holding.live = row
            return
        }
        if live.isOutdone(by: row) {
            holding.add(live)
            holding.live = row
        } else {
            holding.add(row)
        }
    }

    private mutating func removes(_ row: LogRowSummary) -> Bool {
        guard row.sequence < end, row.state == .merged || row.state == .superseded,
            let holding = holdings[row.name]
        else { return false }
        guard holding.live?.sequence != row.sequence else {
            return holding.rowCount == 0 && forgettable.contains(row.sequence)
        }
        // What was appended since the count is not in it: it is not looked at either, being beyond `end`.
        guard
            holding.rowCount > limits.rowsPerName || holding.byteCount > limits.bytesPerName
                || isOlder(row, limits.milliseconds)
        else { return false }
        holdings[row.name]?.rowCount -= 1
        holdings[row.name]?.byteCount -= row.byteCount
        return true
    }

    private func isOlder(_ row: LogRowSummary, _ milliseconds: UInt64) -> Bool {
        let (age, isAhead) = now.subtractingReportingOverflow(row.stamp.time.milliseconds)
        return !isAhead && age > milliseconds
    }

    private static func share(of name: StackName, _ count: Int) -> Int {
        guard count > 1 else { return 0 }
        let hash = name.bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
        return Int(hash % UInt64(count))
    }
}

extension Compaction.Holding {
    fileprivate mutating func add(_ row: LogRowSummary) {
        rowCount += 1
        byteCount += row.byteCount
    }
}
