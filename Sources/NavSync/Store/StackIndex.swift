// SPDX-License-Identifier: Apache-2.0

/// The live row of every name, in memory: committed rows only.
///
/// Lookup by name is O(1); walking by sequence skips superseded rows and is O(live rows) however often a name was
/// written; walking by name sorts lazily. A name of 12 bytes with an envelope of 300 costs about 460 bytes.
///
/// A store fills it with `replay` while it opens and hands it to the replica: pass it on by consuming it, because a
/// second copy would make the first write copy what it touches.
package struct StackIndex: Sendable {
    /// Envelopes up to this size are held in memory.
    package static let maximumHeldEnvelopeByteCount = 4096
    package static let defaultEnvelopeBudget = 512 << 20

    private(set) var slots = ChunkedArray<IndexSlot>()
    private var freeSlots: [Int] = []
    private(set) var table: NameTable
    private(set) var arena: ByteArena
    private(set) var nodes = NodeTable()
    private(set) var order = SequenceOrder()
    private var byName = NameOrder()
    private(set) var overtaken = OvertakenStamps()
    private let envelopeBudget: Int
    package private(set) var heldEnvelopeByteCount = 0
    /// Bytes of all names.
    package private(set) var nameByteCount = 0

    /// Names with a live stack.
    package private(set) var liveCount = 0
    /// Names whose last word is a removal.
    package private(set) var tombstoneCount = 0
    /// The greatest sequence of a row that was taken.
    package private(set) var head = Sequence.zero

    /// An empty index that takes up to `envelopeBudget` bytes of memory for envelopes, and `maximumByteCount` for names and
    /// envelopes together. `hashSeed` should be random.
    package init(
        envelopeBudget: Int = StackIndex.defaultEnvelopeBudget, maximumByteCount: Int = .max, hashSeed: UInt64 = 0
    ) {
        self.envelopeBudget = envelopeBudget
        arena = ByteArena(
            maximumChunkCount: min(maximumByteCount / ByteArena.chunkByteCount, ByteArena.maximumChunkCount))
        table = NameTable(seed: hashSeed)
    }

    /// Takes one row of the change log, in the order of sequences, as a commit of it would: keeps the greatest stamp of
    /// each name among merged rows, and small envelopes within the memory budget. False when there is no room for its name.
    @discardableResult package mutating func replay(_ row: Row) -> Bool {
        guard row.state == .merged || row.state == .superseded else {
            advanceHead(to: row.sequence)
            return true
        }
        guard let slot = intern(row.record.name) else { return false }
        commit(row, slot: slot)
        return true
    }
}

// MARK: Slots, for the replica

extension StackIndex {
    /// The slot of a name, made when there is none. Nil when memory for names is exhausted.
    mutating func intern(_ name: StackName) -> Int? {
        let hash = table.hash(name.bytes)
        if let slot = table.find(hash, where: { isName(name.bytes, ofSlot: $0) }) { return slot }
        let slot = freeSlots.last ?? slots.count
        guard let location = arena.allocate(name.bytes.count, owner: slot) else { return nil }
        arena.write(name.bytes, at: location, offset: 0)
        nameByteCount += name.bytes.count
        let new = IndexSlot(location: location, nameByteCount: UInt16(name.bytes.count))
        if slot < slots.count {
            freeSlots.removeLast()
            slots[slot] = new
        } else {
            slots.append(new)
        }
        table.insert(hash, slot: slot)
        return slot
    }

    /// Forgets a slot that never had a committed row.
    mutating func forgetIfEmpty(_ slot: Int) {
        guard slots[slot].sequence == 0, slots[slot].pending == 0, slots[slot].nameByteCount > 0 else { return }
        let name = Array(nameBytes(ofSlot: slot))
        table.remove(table.hash(name), slot: slot)
        arena.release(slots[slot].location)
        overtaken.forget(slot)
        nameByteCount -= name.count
        slots[slot].location = .none
        slots[slot].nameByteCount = 0
        freeSlots.append(slot)
        reclaimMemory()
    }

    mutating func setPending(_ sequence: UInt64, slot: Int) { slots[slot].pending = sequence }

    // MARK: Committing

    /// Takes a row that is durable now. Rows come in the order of their sequences.
    mutating func commit(_ row: Row, slot: Int) {
        head = max(head, row.sequence)
        let record = row.record
        guard row.state == .merged, isGreater(record, slot: slot) else {
            if row.state == .superseded || row.state == .merged { noteOvertaken(record.stamp, slot: slot) }
            return
        }
        let old = slots[slot]
        keepContent(of: record, slot: slot)
        // Here and not by a function of its own: a row that is handed on is copied, which a push would feel.
        slots[slot].sequence = row.sequence.rawValue
        slots[slot].time = record.stamp.time.rawValue
        slots[slot].origin = nodes.retain(record.stamp.origin)
        slots[slot].writeCount = record.writeCount
        slots[slot].baseTime = record.base?.time.rawValue ?? 0
        slots[slot].baseOrigin = record.base.map { nodes.retain($0.origin) } ?? 0
        slots[slot].source = row.source.map { nodes.retain($0) } ?? 0
        nodes.release(old.origin)
        nodes.release(old.baseOrigin)
        nodes.release(old.source)
        slots[slot].isTombstone = record.isTombstone
        if old.sequence == 0 || old.contentHash != record.contentHash {
            slots[slot].contentHash = record.contentHash
            slots[slot].contentSequence = row.sequence.rawValue
        }
        overtaken.settle(slot, base: record.base)
        count(from: old, toTombstone: record.isTombstone)
        if old.sequence == 0 { byName.add(slot) }
        order.append(row.sequence.rawValue, slot: slot)
        if old.sequence > 0 {
            let slots = slots
            order.supersede(old.sequence) { slots[$1].sequence == $0 }
        }
    }

    /// Takes note of sequences that were given out and of which no row is left.
    mutating func advanceHead(to sequence: Sequence) { head = max(head, sequence) }

    private func isGreater(_ record: Record, slot: Int) -> Bool {
        guard let stamp = stamp(ofSlot: slot) else { return true }
        return Merge.isGreater(
            (record.stamp, record.contentHash), than: (stamp, slots[slot].contentHash))
    }

    private mutating func noteOvertaken(_ stamp: Stamp, slot: Int) {
        // What was live then may be gone from the log by now: the next row of the name tells.
        guard self.stamp(ofSlot: slot) != stamp else { return }
        overtaken.note(stamp, slot: slot, base: base(ofSlot: slot))
    }

    private mutating func count(from old: IndexSlot, toTombstone isTombstone: Bool) {
        if old.sequence > 0 {
            if old.isTombstone { tombstoneCount -= 1 } else { liveCount -= 1 }
        }
        if isTombstone { tombstoneCount += 1 } else { liveCount += 1 }
    }

    // MARK: Names and envelopes in memory

    /// Puts the record's envelope beside the name when it is small and there is room.
    private mutating func keepContent(of record: Record, slot: Int) {
        let old = slots[slot]
        var envelope: [UInt8] = []
        if case .envelope(let bytes, _) = record.content { envelope = bytes }
        let held = old.holdsEnvelope ? Int(old.envelopeByteCount) : 0
        var keeps = !record.isTombstone && envelope.count <= Self.maximumHeldEnvelopeByteCount
        var size = Int(old.nameByteCount) + (keeps ? envelope.count : 0)
        let mustMove = !ByteArena.isSameSize(old.heldByteCount, size)
        if keeps, mustMove, arena.byteCount(withAnother: size) - nameByteCount > envelopeBudget {
            keeps = false
            size = Int(old.nameByteCount)
        }
        if !ByteArena.isSameSize(old.heldByteCount, size), !move(slot, toPlaceOf: size) { keeps = false }
        slots[slot].holdsEnvelope = keeps
        slots[slot].envelopeByteCount = UInt32(clamping: envelope.count)
        if keeps { arena.write(envelope, at: slots[slot].location, offset: Int(old.nameByteCount)) }
        heldEnvelopeByteCount += (keeps ? envelope.count : 0) - held
        reclaimMemory()
    }

    /// Puts the name into a place of another size; false when there is none, and it stays where it is.
    private mutating func move(_ slot: Int, toPlaceOf byteCount: Int) -> Bool {
        if arena.resize(slots[slot].location, to: byteCount) { return true }
        guard let moved = arena.allocate(byteCount, owner: slot) else { return false }
        arena.write(Array(nameBytes(ofSlot: slot)), at: moved, offset: 0)
        arena.release(slots[slot].location)
        slots[slot].location = moved
        return true
    }

    /// Empties one chunk of the arena when too much of it is holes. Called after each release, this keeps up: a chunk gives
    /// far more than a release can lose.
    private mutating func reclaimMemory() {
        guard arena.isWasteful else { return }
        for place in arena.placesInEmptiestChunk() where slots[place.owner].location == place.location {
            guard let moved = arena.move(place) else { return }
            slots[place.owner].location = moved
        }
    }
}

// MARK: Listing

extension StackIndex {
    /// One page of the names of live stacks with a prefix, in byte order, behind a name; and how many names were looked at:
    /// those of removed stacks are passed.
    package mutating func page(
        prefix: [UInt8], after: [UInt8], limit: Int
    ) -> (slots: [Int], hasMore: Bool, lookedAt: Int) {
        var names = NameOrder()
        swap(&names, &byName)
        defer { swap(&names, &byName) }
        return names.page(
            prefix: prefix, after: after, limit: limit, name: { nameBytes(ofSlot: $0) },
            isLive: { !slots[$0].isTombstone })
    }
}
