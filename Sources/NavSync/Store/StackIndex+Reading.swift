// SPDX-License-Identifier: Apache-2.0

extension StackIndex {
    /// What the hashes of names depend on.
    package var hashSeed: UInt64 { table.seed }
    /// Bytes that names and held envelopes take, with everything that is lost between them.
    package var memoryByteCount: Int { arena.byteCount }
    /// Node ids that live rows mention.
    package var nodeCount: Int { nodes.count }

    package subscript(name: StackName) -> IndexEntry? {
        guard let slot = slot(of: name), slots[slot].sequence > 0 else { return nil }
        return entry(slot, withEnvelope: true)
    }

    /// The greatest stamp of a name that lost against what was live, and that the live version does not build on.
    package func overtakenStamp(of name: StackName) -> Stamp? { slot(of: name).flatMap { overtakenStamp(ofSlot: $0) } }

    // MARK: Of a slot

    func slot(of name: StackName) -> Int? {
        table.find(table.hash(name.bytes)) { isName(name.bytes, ofSlot: $0) }
    }

    func isName(_ bytes: [UInt8], ofSlot slot: Int) -> Bool {
        slots[slot].nameByteCount == bytes.count && nameBytes(ofSlot: slot).elementsEqual(bytes)
    }

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

    func overtakenStamp(ofSlot slot: Int) -> Stamp? { overtaken[slot] }

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

    // MARK: By sequence

    /// Whether the row at `sequence` is the live one of its name.
    func isLive(_ sequence: Sequence) -> Bool {
        var isLive = false
        order.walk(after: sequence.rawValue - 1) { found, slot in
            isLive = found == sequence.rawValue && slots[slot].sequence == found
            return false
        }
        return isLive
    }

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
}
