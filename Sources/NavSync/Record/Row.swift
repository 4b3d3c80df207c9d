// SPDX-License-Identifier: Apache-2.0

/// The state in which a row was written. The live row of a name is not marked on disk: it is the one with the
/// greatest stamp among merged rows, so that superseding a row costs no write.
package enum RowState: UInt8, Hashable, Sendable {
    /// Won its merge when it was written.
    case merged = 1
    /// Lost its merge when it was written: kept as history only.
    case superseded = 2
    /// Reserved, written by nothing yet: stamped too far ahead, not merged until its time comes.
    case parked = 3
    /// Reserved, written by nothing yet: not merged until a person decides.
    case quarantined = 4
}

/// One line of the change log.
package struct Row: Hashable, Sendable {
    package let sequence: Sequence
    package let state: RowState
    /// The peer that sent the record; nil for a local write. It is not sent back there.
    package let source: NodeID?
    package let record: Record

    package init(sequence: Sequence, state: RowState, source: NodeID?, record: Record) {
        self.sequence = sequence
        self.state = state
        self.source = source
        self.record = record
    }
}
