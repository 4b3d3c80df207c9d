// SPDX-License-Identifier: Apache-2.0

/// What the index keeps for each name. Node ids are numbers in its `NodeTable`, 0 is none.
struct IndexSlot: Sendable {
    /// 0 until a row of the name is committed.
    var sequence: UInt64 = 0
    var time: UInt64 = 0
    var writeCount: UInt64 = 0
    var baseTime: UInt64 = 0
    var contentSequence: UInt64 = 0
    /// The sequence of the greatest row of the name that is not committed yet; 0 for none.
    var pending: UInt64 = 0
    var contentHash = ContentHash.zero
    var origin: UInt32 = 0
    var baseOrigin: UInt32 = 0
    var source: UInt32 = 0
    /// The name, then the envelope if it is held.
    var location: ByteArena.Location
    var envelopeByteCount: UInt32 = 0
    var nameByteCount: UInt16
    var isTombstone = false
    var holdsEnvelope = false

    var heldEnvelopeByteCount: Int { holdsEnvelope ? Int(envelopeByteCount) : 0 }
    var heldByteCount: Int { Int(nameByteCount) + heldEnvelopeByteCount }
}
