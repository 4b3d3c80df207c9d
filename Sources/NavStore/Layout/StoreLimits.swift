// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Every limit and size of the store.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of a database page.
    package var pageByteCount = 8192
    /// Pages that the database may have, nil for no limit: beyond it the disk counts as full.
    package var maximumPageCount: Int?
    /// What SQLite may keep of the database in memory.
    package var cacheKibibytes = 4096
    /// Pages in the write-ahead log from which a checkpoint is due, between two batches.
    package var checkpointPageCount = 500
    /// Pages in the write-ahead log from which a batch waits for the checkpoint.
    package var maximumWALPageCount = 4000
    /// Bytes of the write-ahead log that are written with zeros at open: writing over them is cheaper than growing.
    package var preallocatedWALByteCount = 4 << 20
    /// Bytes that are kept for removals when the disk is full.
    package var reserveByteCount = 1 << 20
    /// Marks that a start reads, newest first: as many as the replica remembers.
    package var maximumMarkCount = SyncLimits.default.markCount
    /// Refused records that stay on disk, the oldest go first: as many as the replica remembers.
    package var maximumRefusalCount = SyncLimits.default.refusalCount

    package static let `default` = StoreLimits()

    package init() {}
}
