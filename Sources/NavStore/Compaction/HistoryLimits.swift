// SPDX-License-Identifier: Apache-2.0

/// How much of what was overwritten is kept, for each name.
package struct HistoryLimits: Hashable, Sendable {
    /// Rows that are not live.
    package var rowsPerName = 16
    /// Bytes of their envelopes.
    package var bytesPerName = 1 << 20
    /// Their age by their stamp.
    package var milliseconds: UInt64 = 30 * 86_400_000
    /// The age from which a removed stack may be forgotten altogether: who was away for longer could bring it back.
    package var tombstoneMilliseconds: UInt64 = 400 * 86_400_000
    /// And only while more than so many removed stacks are remembered, the longest removed first.
    package var tombstoneCount = 100_000
    /// Rows that one step looks at.
    package var rowsPerStep = 500
    /// Names that are looked at in one pass over the log: what a compaction holds in memory.
    package var namesPerPass = 100_000

    package static let `default` = HistoryLimits()

    package init() {}
}
