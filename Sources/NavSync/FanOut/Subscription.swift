// SPDX-License-Identifier: Apache-2.0

/// A reader of our changes: a watcher or a peer. A place in the order of sequences, not a queue.
struct Subscription: Sendable {
    let request: RequestID
    let prefix: [UInt8]
    /// What the reader may see at all.
    let readable: PrefixSet
    let withoutEnvelopes: Bool
    /// The peer that reads; nil for a client.
    let peer: NodeID?
    /// Everything up to here was sent or is of no interest.
    var position: Sequence
    /// The reader was told that it has everything up to here.
    var toldThrough: Sequence
    /// The greatest head at which the reader had everything. Content that was current then needs no second event.
    var caughtUpAt: Sequence
    /// Every sequence that was given out when the subscription began is at or below this. What came from the peer
    /// before is sent to it all the same: it may have been restored from a copy that lacks it.
    let beganAt: Sequence
    /// What came from the peer at or below this it still has: it wrote its cursor after it, whatever that is worth now.
    let heldThrough: Sequence
    /// A removal at or below this is of no interest to a reader that began with what was live.
    let silentTombstones: Sequence
    /// A read from the store that must come back first.
    var awaitedRead: ReadToken?
    /// When what could not be read is read again; until then nothing behind the position is sent.
    var retryAt: UInt64?
    /// The envelope that was read, and the sequence of its row.
    var readEnvelope: (sequence: UInt64, envelope: [UInt8])?
    /// Bytes of the envelope that is being read or was read: output that is sure to come.
    var reservedByteCount = 0
    /// Messages that a peer has not acknowledged: their `through` and size.
    var unacknowledged: [(through: Sequence, byteCount: Int)] = []
    var unacknowledgedByteCount = 0

    mutating func acknowledge(through: Sequence) {
        var count = 0
        while count < unacknowledged.count, unacknowledged[count].through <= through {
            unacknowledgedByteCount -= unacknowledged[count].byteCount
            count += 1
        }
        unacknowledged.removeFirst(count)
    }
}

extension Subscription {
    /// What stopped the writing of one message.
    enum Stop: Hashable {
        /// The head was reached.
        case head
        /// The message is long enough, or the reader must take some first.
        case full
        /// The envelope of the row at this sequence must be read from the store.
        case missingEnvelope(Sequence, byteCount: Int)
    }

    func mayWrite(upTo head: Sequence, _ limits: SyncLimits) -> Bool {
        position < head && awaitedRead == nil && retryAt == nil
            && unacknowledgedByteCount < limits.unacknowledgedByteCount
    }

    /// Appends one `records` message with what is behind the position, and moves the position; nothing when the reader
    /// wants none of it, or there is no room for the first large envelope.
    mutating func writeMessage(
        from index: StackIndex, recent: RecentEnvelopes, marks: MarkRing, limit: Int, room: Int,
        to bytes: inout [UInt8]
    ) -> Stop {
        let start = bytes.beginFrame(.records)
        bytes.appendVarint(request.rawValue)
        let throughAt = bytes.count
        bytes.appendUInt64(0)
        bytes.appendUInt64(0)
        let itemsAt = bytes.count
        let stop = writeRecords(from: index, recent: recent, limit: limit, room: room, to: &bytes)
        if bytes.count > itemsAt || stop != .full {
            // It was written, or its row is no longer wanted.
            readEnvelope = nil
            reservedByteCount = 0
        }
        guard bytes.count > itemsAt else {
            bytes.removeLast(bytes.count - start)
            return stop
        }
        let mark = marks.mark(holding: position) ?? Mark(rawValue: 0)
        bytes.replaceUInt64(at: throughAt, with: position.rawValue)
        bytes.replaceUInt64(at: throughAt + 8, with: mark.rawValue)
        bytes.endFrame(at: start)
        toldThrough = position
        if peer != nil {
            unacknowledged.append((position, bytes.count - start))
            unacknowledgedByteCount += bytes.count - start
        }
        return stop
    }

    /// Appends the records behind the position to a message, and moves the position.
    private mutating func writeRecords(
        from index: StackIndex, recent: RecentEnvelopes, limit: Int, room: Int, to bytes: inout [UInt8]
    ) -> Stop {
        let start = bytes.count
        var stop = Stop.head
        index.walk(after: position) { slot in
            let sequence = Sequence(rawValue: index.slots[slot].sequence)
            guard wants(slot, of: index) else {
                position = sequence
                return true
            }
            let envelopeByteCount = looseEnvelopeByteCount(slot, of: index)
            guard bytes.count == start || bytes.count - start < limit,
                envelopeByteCount == 0 || bytes.count - start + envelopeByteCount <= room
            else {
                stop = .full
                return false
            }
            guard writeRecord(slot, of: index, recent: recent, to: &bytes) else {
                stop = .missingEnvelope(sequence, byteCount: envelopeByteCount)
                return false
            }
            position = sequence
            return true
        }
        if stop == .head {
            position = index.head
            caughtUpAt = index.head
        }
        return stop
    }

    private func wants(_ slot: Int, of index: StackIndex) -> Bool {
        let row = index.slots[slot]
        if !prefix.isEmpty, !index.nameBytes(ofSlot: slot).starts(with: prefix) { return false }
        if !readable.coversAll, !readable.contains(index.nameBytes(ofSlot: slot)) { return false }
        if let peer {
            // Never back to where it came from.
            let mayBeLost = row.sequence > heldThrough.rawValue && row.sequence <= beganAt.rawValue
            return row.source == 0 || mayBeLost || index.source(ofSlot: slot) != peer
        }
        if row.isTombstone, row.sequence <= silentTombstones.rawValue { return false }
        return row.contentSequence > caughtUpAt.rawValue
    }

    /// Bytes of the envelope that a record needs and the index does not hold.
    private func looseEnvelopeByteCount(_ slot: Int, of index: StackIndex) -> Int {
        let row = index.slots[slot]
        return row.isTombstone || row.holdsEnvelope || withoutEnvelopes ? 0 : Int(row.envelopeByteCount)
    }

    /// False when the envelope is not in memory.
    private func writeRecord(
        _ slot: Int, of index: StackIndex, recent: RecentEnvelopes, to bytes: inout [UInt8]
    ) -> Bool {
        let row = index.slots[slot]
        if row.isTombstone || row.holdsEnvelope || withoutEnvelopes {
            index.writeRecord(slot, withoutEnvelope: withoutEnvelopes, to: &bytes)
            return true
        }
        let envelope: [UInt8]
        if let readEnvelope, readEnvelope.sequence == row.sequence {
            envelope = readEnvelope.envelope
        } else if let fresh = recent[row.sequence] {
            envelope = fresh
        } else {
            return false
        }
        index.writeRecord(slot, envelope: envelope[...], to: &bytes)
        return true
    }
}
