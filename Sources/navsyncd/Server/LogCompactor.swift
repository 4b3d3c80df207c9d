// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync

/// When the change log is compacted: after it has grown by half, in steps, while nobody waits for the store.
///
/// Waiting for growth keeps the cost of a compaction, which looks at every row, in proportion to what was written.
struct LogCompactor {
    private let limits: HistoryLimits
    private let minimumGrowth: Int
    private var logRowCount: Int
    private var growth: Int
    private var compaction: Compaction?

    /// For a log that was just opened. How much of it is history is not known, so all of it counts as growth.
    init(logRowCount: Int, limits: HistoryLimits = .default, minimumGrowth: Int = 50_000) {
        self.limits = limits
        self.minimumGrowth = minimumGrowth
        self.logRowCount = logRowCount
        growth = logRowCount
    }

    private var dueGrowth: Int { max(minimumGrowth, logRowCount / 2) }

    /// Whether a step should be done as soon as nothing waits.
    var isDue: Bool { compaction != nil || growth >= dueGrowth }

    /// Whether steps have to be done even though something always waits.
    var isOverdue: Bool { growth >= 2 * dueGrowth }

    mutating func appended(_ rowCount: Int) {
        logRowCount += rowCount
        growth += rowCount
    }

    /// Does one step, a few milliseconds of work.
    mutating func step(_ store: SQLiteStore, wallMilliseconds: UInt64) throws(CommitFailure) {
        guard isDue else { return }
        var running: Compaction
        if let compaction {
            running = compaction
        } else {
            running = try store.makeCompaction(limits: limits, now: wallMilliseconds)
            growth = 0
        }
        let isDone = try store.step(&running)
        if isDone { logRowCount = max(0, logRowCount - running.outcome.removedRowCount) }
        compaction = isDone ? nil : running
    }

    /// Ends a compaction that cannot go on; the next one begins when the log has grown again.
    mutating func giveUp() {
        compaction = nil
        growth = 0
    }
}
