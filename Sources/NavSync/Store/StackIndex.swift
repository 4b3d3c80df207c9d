// SPDX-License-Identifier: Apache-2.0

/// What the index knows about the live row of one name.
package struct IndexEntry: Sendable {
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
    /// The envelope when it is small enough to be held in memory, else it is read from the store.
    package let envelope: [UInt8]?
    /// The sequence at which this content became current: a write of the same content keeps it.
    package let contentSequence: Sequence
}

/// The live row of every name, in memory: committed rows only.
///
/// Lookup by name is O(1); walking by sequence skips superseded rows and is O(live rows) however often a name was
/// written; walking by name sorts lazily.
package struct StackIndex: Sendable {
    private var entries: [StackName: IndexEntry] = [:]

    package init() {}

    package subscript(name: StackName) -> IndexEntry? { entries[name] }
}
