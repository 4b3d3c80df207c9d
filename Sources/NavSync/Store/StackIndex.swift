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

    /// What is kept for each name. Node ids are numbers in `nodes`, 0 is none.
    struct Slot: Sendable {
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

        var heldByteCount: Int { Int(nameByteCount) + (holdsEnvelope ? Int(envelopeByteCount) : 0) }
    }

    private(set) var slots = ChunkedArray<Slot>()
    private var freeSlots: [Int] = []
    private var table: NameTable
    private var arena: ByteArena
    private var nodes = NodeTable()
    var order = SequenceOrder()
    private var byName = NameOrder()
    /// The greatest stamp among rows of a name that lost their merge after the live row was written.
    private var overtaken: [Int: Stamp] = [:]
    private let envelopeBudget: Int
    package private(set) var heldEnvelopeByteCount = 0
    /// Bytes of all names.
    package private(set) var nameByteCount = 0
    /// Bytes that names and held envelopes take, with everything that is lost between them.
    package var memoryByteCount: Int { arena.byteCount }
    /// Node ids that live rows mention.
    package var nodeCount: Int { nodes.count }

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

    /// What the hashes of names depend on.
    package var hashSeed: UInt64 { table.seed }

    package subscript(name: StackName) -> IndexEntry? {
        guard let slot = slot(of: name), slots[slot].sequence > 0 else { return nil }
        return entry(slot, withEnvelope: true)
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

    /// The greatest stamp of a name that lost against what was live, and that the live version does not build on.
    package func overtakenStamp(of name: StackName) -> Stamp? { slot(of: name).flatMap { overtakenStamp(ofSlot: $0) } }
}

// MARK: Slots, for the replica

extension StackIndex {
    func slot(of name: StackName) -> Int? {
        table.find(table.hash(name.bytes)) { isName(name.bytes, ofSlot: $0) }
    }

    /// The slot of a name, made when there is none. Nil when memory for names is exhausted.
    mutating func intern(_ name: StackName) -> Int? {
        let hash = table.hash(name.bytes)
        if let slot = table.find(hash, where: { isName(name.bytes, ofSlot: $0) }) { return slot }
        let slot = freeSlots.last ?? slots.count
        guard let location = arena.allocate(name.bytes.count, owner: slot) else { return nil }
        arena.write(name.bytes, at: location, offset: 0)
        nameByteCount += name.bytes.count
        let new = Slot(location: location, nameByteCount: UInt16(name.bytes.count))
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
        overtaken[slot] = nil
        nameByteCount -= name.count
        slots[slot].location = .none
        slots[slot].nameByteCount = 0
        freeSlots.append(slot)
        reclaimMemory()
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

    mutating func setPending(_ sequence: UInt64, slot: Int) { slots[slot].pending = sequence }

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
        if let stamp = overtaken[slot], record.base.map({ $0 >= stamp }) ?? false { overtaken[slot] = nil }
        count(from: old, toTombstone: record.isTombstone)
        if old.sequence == 0 { byName.add(slot) }
        order.append(row.sequence.rawValue, slot: slot)
        if old.sequence > 0 {
            let slots = slots
            order.supersede(old.sequence) { slots[$1].sequence == $0 }
        }
    }

    /// Whether the row at `sequence` is the live one of its name.
    func isLive(_ sequence: Sequence) -> Bool {
        var isLive = false
        order.walk(after: sequence.rawValue - 1) { found, slot in
            isLive = found == sequence.rawValue && slots[slot].sequence == found
            return false
        }
        return isLive
    }

    /// Takes note of sequences that were given out and of which no row is left.
    mutating func advanceHead(to sequence: Sequence) { head = max(head, sequence) }

    func stamp(ofSlot slot: Int) -> Stamp? {
        guard slots[slot].sequence > 0 else { return nil }
        return Stamp(time: HybridTime(rawValue: slots[slot].time), origin: nodes[slots[slot].origin])
    }

    func base(ofSlot slot: Int) -> Stamp? {
        guard slots[slot].baseOrigin > 0 else { return nil }
        return Stamp(time: HybridTime(rawValue: slots[slot].baseTime), origin: nodes[slots[slot].baseOrigin])
    }

    func source(ofSlot slot: Int) -> NodeID? {
        slots[slot].source == 0 ? nil : nodes[slots[slot].source]
    }

    func overtakenStamp(ofSlot slot: Int) -> Stamp? { overtaken.isEmpty ? nil : overtaken[slot] }

    func nameBytes(ofSlot slot: Int) -> ArraySlice<UInt8> {
        arena.bytes(at: slots[slot].location, offset: 0, count: Int(slots[slot].nameByteCount))
    }

    /// The envelope of a slot's live row if it is held in memory.
    func envelopeBytes(ofSlot slot: Int) -> ArraySlice<UInt8>? {
        guard slots[slot].holdsEnvelope else { return nil }
        return arena.bytes(
            at: slots[slot].location, offset: Int(slots[slot].nameByteCount),
            count: Int(slots[slot].envelopeByteCount))
    }

    func entry(_ slot: Int, withEnvelope: Bool = false) -> IndexEntry? {
        guard let stamp = stamp(ofSlot: slot), let name = try? StackName(validating: Array(nameBytes(ofSlot: slot)))
        else { return nil }
        let row = slots[slot]
        return IndexEntry(
            name: name, sequence: Sequence(rawValue: row.sequence), stamp: stamp, writeCount: row.writeCount,
            base: base(ofSlot: slot), source: source(ofSlot: slot), contentHash: row.contentHash,
            isTombstone: row.isTombstone, envelopeByteCount: Int(row.envelopeByteCount),
            envelope: withEnvelope ? envelopeBytes(ofSlot: slot).map { Array($0) } : nil,
            contentSequence: Sequence(rawValue: row.contentSequence))
    }

    private func isName(_ bytes: [UInt8], ofSlot slot: Int) -> Bool {
        slots[slot].nameByteCount == bytes.count && nameBytes(ofSlot: slot).elementsEqual(bytes)
    }

    private func isGreater(_ record: Record, slot: Int) -> Bool {
        guard let stamp = stamp(ofSlot: slot) else { return true }
        return Merge.isGreater(
            (record.stamp, record.contentHash), than: (stamp, slots[slot].contentHash))
    }

    private mutating func noteOvertaken(_ stamp: Stamp, slot: Int) {
        // What was live then may be gone from the log by now: the next row of the name tells.
        guard self.stamp(ofSlot: slot) != stamp else { return }
        if let known = overtaken[slot], known >= stamp { return }
        if let base = base(ofSlot: slot), base >= stamp { return }
        overtaken[slot] = stamp
    }

    private mutating func count(from old: Slot, toTombstone isTombstone: Bool) {
        if old.sequence > 0 {
            if old.isTombstone { tombstoneCount -= 1 } else { liveCount -= 1 }
        }
        if isTombstone { tombstoneCount += 1 } else { liveCount += 1 }
    }

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
}

// MARK: Walking

extension StackIndex {
    /// Visits the slots of live rows above `sequence`, in the order of sequences, until `visit` returns false.
    func walk(after sequence: Sequence, _ visit: (_ slot: Int) -> Bool) {
        order.walk(after: sequence.rawValue) { sequence, slot in
            slots[slot].sequence == sequence ? visit(slot) : true
        }
    }

    /// The sequences of live rows above one, in order. For tests and tools.
    package func liveSequences(after sequence: Sequence) -> [Sequence] {
        var found: [Sequence] = []
        walk(after: sequence) { slot in
            found.append(Sequence(rawValue: slots[slot].sequence))
            return true
        }
        return found
    }

    /// One page of the names of live stacks with a prefix, in byte order, behind a name; and how many names were looked at:
    /// those of removed stacks are passed.
    package mutating func page(
        prefix: [UInt8], after: [UInt8], limit: Int
    ) -> (slots: [Int], hasMore: Bool, lookedAt: Int) {
        var names = byName
        byName = NameOrder()
        names.sort { nameBytes(ofSlot: $0).lexicographicallyPrecedes(nameBytes(ofSlot: $1)) }
        byName = names
        var found: [Int] = []
        var hasMore = false
        let start = byName.firstIndex { slot in
            let name = nameBytes(ofSlot: slot)
            guard !name.lexicographicallyPrecedes(prefix) else { return false }
            return after.isEmpty || after.lexicographicallyPrecedes(name)
        }
        var lookedAt = 0
        for slot in byName.slots(from: start) {
            lookedAt += 1
            guard nameBytes(ofSlot: slot).starts(with: prefix) else { break }
            guard !slots[slot].isTombstone else { continue }
            guard found.count < limit else {
                hasMore = true
                break
            }
            found.append(slot)
        }
        return (found, hasMore, lookedAt)
    }
}
