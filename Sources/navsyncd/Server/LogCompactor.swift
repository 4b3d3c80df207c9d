// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavStore
import NavSync

/// When the change log is compacted: after it has doubled, in steps between batches.
///
/// Waiting for growth keeps the cost of a compaction, which looks at every row, in proportion to what was written. A pause
/// after each step leaves nine tenths of the time to those who wait for the store, and half of it when the log grows faster
/// than that.
struct LogCompactor {
    private let limits: HistoryLimits
    private let minimumGrowth: Int
    private var logRowCount: Int
    private var growth: Int
    private var compaction: Compaction?
    /// When the next step may be done, in nanoseconds of the monotonic clock.
    private var earliestStep: UInt64 = 0

    /// For a log that was just opened. How much of it is history is not known, so all of it counts as growth.
    init(logRowCount: Int, limits: HistoryLimits = .default, minimumGrowth: Int = 50_000) {
        self.limits = limits
        self.minimumGrowth = minimumGrowth
        self.logRowCount = logRowCount
        growth = logRowCount
    }

    private var dueGrowth: Int { max(minimumGrowth, logRowCount - growth) }

    /// Whether there is something to do.
    var isDue: Bool { compaction != nil || growth >= dueGrowth }

    /// Whether the log grows faster than it is compacted.
    var isOverdue: Bool { growth >= 2 * dueGrowth }

    /// Nanoseconds until a step may be done; nil when there is nothing to do.
    func wait(at now: UInt64) -> UInt64? {
        guard isDue else { return nil }
        return earliestStep > now ? earliestStep - now : 0
    }

    mutating func appended(_ rowCount: Int) {
        logRowCount += rowCount
        growth += rowCount
    }

    /// Does one step if it is time: one or two milliseconds of work.
    mutating func step(
        _ store: SQLiteStore, wallMilliseconds: UInt64, monotonic: () -> UInt64 = SystemClock.monotonicNanoseconds
    ) throws(CommitFailure) {
        let start = monotonic()
        guard wait(at: start) == 0 else { return }
        var running: Compaction
        if let compaction {
            running = compaction
        } else {
            running = try store.makeCompaction(limits: limits, now: wallMilliseconds)
            growth = 0
        }
        // Taken out of here, or a change to it would copy all that it has counted.
        compaction = nil
        let isDone = try store.step(&running)
        if isDone { logRowCount = max(0, logRowCount - running.outcome.removedRowCount) }
        compaction = isDone ? nil : running
        let end = monotonic()
        earliestStep = end + (end - start) * (isOverdue ? 1 : 9)
    }

    /// Ends a compaction that cannot go on; the next one begins when the log has grown again.
    mutating func giveUp() {
        compaction = nil
        growth = 0
    }
}
