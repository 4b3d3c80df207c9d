// SPDX-License-Identifier: Apache-2.0

/// What merging compares a record with: the greatest version that is committed or on its way.
struct CurrentVersion: Sendable {
    let stamp: Stamp
    let base: Stamp?
    let contentHash: ContentHash
    let isTombstone: Bool
}

extension Replica {
    /// Sees committed rows, the batch in flight and the open batch; nobody else does.
    func currentVersion(ofSlot slot: Int) -> CurrentVersion? {
        let pending = index.slots[slot].pending
        if pending > 0, let row = openBatch.row(at: pending) ?? batchInFlight?.row(at: pending) {
            return CurrentVersion(
                stamp: row.record.stamp, base: row.record.base, contentHash: row.record.contentHash,
                isTombstone: row.record.isTombstone)
        }
        guard let stamp = index.stamp(ofSlot: slot) else { return nil }
        return CurrentVersion(
            stamp: stamp, base: index.base(ofSlot: slot), contentHash: index.slots[slot].contentHash,
            isTombstone: index.slots[slot].isTombstone)
    }

    /// The greatest stamp by another origin that this replica holds of a name.
    private func greatestForeignStamp(_ current: CurrentVersion?, slot: Int) -> Stamp? {
        guard let current else { return nil }
        guard current.stamp.origin == node else { return current.stamp }
        guard let overtaken = index.overtakenStamp(ofSlot: slot), overtaken.origin != node else { return current.base }
        return current.base.map { max($0, overtaken) } ?? overtaken
    }

    /// A local write: stamped above everything known, so it always wins here.
    mutating func write(
        _ content: Record.Content, to name: StackName, slot: Int, over current: CurrentVersion?, now: Instant
    ) {
        // A peer may have sent any number under our own name: the last one is not passed.
        if writeCount < .max { writeCount += 1 }
        let time = clock.tick(at: now, above: current?.stamp.time)
        let record = Record(
            name: name, stamp: Stamp(time: time, origin: node), writeCount: writeCount,
            base: greatestForeignStamp(current, slot: slot), content: content)
        append(record, state: .merged, source: nil, slot: slot)
        counters.applied += 1
    }

    /// A peer's record that may be merged.
    mutating func merge(_ record: Record, from source: NodeID) throws(SyncError) -> MergeOutcome {
        guard let slot = index.intern(record.name) else { throw .noRoomForName }
        let current = currentVersion(ofSlot: slot)
        let outcome = Merge.outcome(
            of: (record.stamp, record.contentHash), into: current.map { ($0.stamp, $0.contentHash) })
        if index.overtakenStamp(ofSlot: slot) != record.stamp { noteConflict(record, current, outcome) }
        clock.observe(record.stamp.time)
        switch outcome {
        case .applied:
            counters.applied += 1
            append(record, state: .merged, source: source, slot: slot)
        case .stale:
            counters.stale += 1
            keepLoser(record, from: source, over: current, slot: slot)
        case .duplicate: counters.duplicate += 1
        }
        return outcome
    }

    /// A loser that the winner knew of is history there already; one that it did not know of is kept here.
    private mutating func keepLoser(_ record: Record, from source: NodeID, over current: CurrentVersion?, slot: Int) {
        guard let current, index.overtakenStamp(ofSlot: slot) != record.stamp,
            Merge.areConcurrent(record.stamp, base: record.base, current.stamp, base: current.base)
        else { return }
        append(record, state: .superseded, source: source, slot: slot)
    }

    private mutating func noteConflict(_ record: Record, _ current: CurrentVersion?, _ outcome: MergeOutcome) {
        guard let current, outcome != .duplicate else { return }
        if current.stamp == record.stamp {
            report(.stampReused(name: record.name, stamp: record.stamp))
        } else if Merge.areConcurrent(record.stamp, base: record.base, current.stamp, base: current.base) {
            counters.concurrent += 1
            let isWinner = outcome == .applied
            report(
                .mergeConcurrent(
                    name: record.name, winner: isWinner ? record.stamp : current.stamp,
                    loser: isWinner ? current.stamp : record.stamp))
        }
    }

    private mutating func append(_ record: Record, state: RowState, source: NodeID?, slot: Int) {
        let sequence = nextSequence
        nextSequence += 1
        openBatch.append(
            Row(sequence: Sequence(rawValue: sequence), state: state, source: source, record: record), slot: slot)
        if state == .merged { index.setPending(sequence, slot: slot) }
    }
}
