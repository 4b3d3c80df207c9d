// SPDX-License-Identifier: Apache-2.0

/// One write of one stack, as it is merged, stored and sent. A relay passes it on unchanged.
package struct Record: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// An encoded path, and the hash of its payload as this replica computed it (never taken from the wire).
        case envelope([UInt8], ContentHash)
        /// The stack was removed.
        case tombstone
    }

    package let name: StackName
    package let stamp: Stamp
    /// How many writes `stamp.origin` had made, this one included.
    package let writeCount: UInt64
    /// The greatest stamp of this name by another origin that the writer held; nil when it held none.
    package let base: Stamp?
    package let content: Content

    package init(name: StackName, stamp: Stamp, writeCount: UInt64, base: Stamp?, content: Content) {
        self.name = name
        self.stamp = stamp
        self.writeCount = writeCount
        self.base = base
        self.content = content
    }

    package var isTombstone: Bool { content == .tombstone }

    package var contentHash: ContentHash {
        switch content {
        case .envelope(_, let hash): hash
        case .tombstone: .zero
        }
    }
}
