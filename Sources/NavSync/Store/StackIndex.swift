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

    /// Live names, tombstones not counted.
    package var liveCount: Int { entries.count { !$0.value.isTombstone } }

    /// Takes one row of the change log, in any order. Used by a store while it opens: keeps the greatest stamp of each
    /// name among merged rows, and small envelopes within the memory budget.
    package mutating func replay(_ row: Row) {
        guard row.state == .merged else { return }
        let record = row.record
        let version = (record.stamp, record.contentHash)
        var contentSequence = row.sequence
        if let current = entries[record.name] {
            let isNewer = version > (current.stamp, current.contentHash)
            if current.contentHash == record.contentHash {
                contentSequence = min(current.contentSequence, row.sequence)
            }
            guard isNewer else { return }
        }
        var envelope: [UInt8]?
        if case .envelope(let bytes, _) = record.content { envelope = bytes }
        entries[record.name] = IndexEntry(
            name: record.name, sequence: row.sequence, stamp: record.stamp, writeCount: record.writeCount,
            base: record.base, source: row.source, contentHash: record.contentHash,
            isTombstone: record.isTombstone, envelopeByteCount: envelope?.count ?? 0,
            envelope: envelope.flatMap { $0.count <= 4096 ? $0 : nil }, contentSequence: contentSequence)
    }
}
