// SPDX-License-Identifier: Apache-2.0

/// One version of a stack that the daemon still has: what it is, or was before it was overwritten, or lost to.
public struct StackVersion: Hashable, Sendable {
    /// The daemon's own number of it, in the order in which versions came; other daemons have other numbers.
    public let number: UInt64
    public let stamp: StackStamp
    /// Bytes of its envelope; nil where the stack was removed.
    public let byteCount: Int?
    /// It is what the stack was when it was asked.
    public let isLive: Bool
    /// It never was what the stack was: when it came, a later write that knew nothing of it was there.
    public let isLoser: Bool

    package init(number: UInt64, stamp: StackStamp, byteCount: Int?, isLive: Bool, isLoser: Bool) {
        self.number = number
        self.stamp = stamp
        self.byteCount = byteCount
        self.isLive = isLive
        self.isLoser = isLoser
    }
}

/// What an undo did.
public struct UndoReceipt: Hashable, Sendable {
    public let name: String
    /// The stamp that the write got. It is on the daemon's disk.
    public let stamp: StackStamp
    /// The version whose content is live again.
    public let version: UInt64
    /// That version is a removal, so the stack was removed.
    public let isRemoved: Bool
}
