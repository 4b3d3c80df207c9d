// SPDX-License-Identifier: Apache-2.0

/// What the index knows about the live row of one name.
package struct IndexEntry: Hashable, Sendable {
    package let name: StackName
    package let sequence: Sequence
    package let stamp: Stamp
    package let writeCount: UInt64
    package let base: Stamp?
    package let source: NodeID?
    package let contentHash: ContentHash
    package let isTombstone: Bool
    /// Bytes of the envelope; 0 for a tombstone.
    package let envelopeByteCount: Int
    /// The envelope when it was asked for and is small enough to be held in memory, else it is read from the store.
    package let envelope: [UInt8]?
    /// The sequence at which this content became current: a write of the same content keeps it.
    package let contentSequence: Sequence
}
