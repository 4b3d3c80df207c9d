// SPDX-License-Identifier: Apache-2.0

extension Replica {
    /// Merges a peer's record, unless it passes the limits of the link.
    mutating func mergeWithinQuota(
        _ record: Record, from peer: PeerPlace, at place: SessionPlace, now: Instant
    ) throws(SyncError) -> MergeOutcome {
        let (rights, source) = (sessions[place].rights, peers[peer].node)
        guard rights.maximumStackCount != nil || rights.maximumByteCount != nil else {
            return try merge(record, from: source)
        }
        if sessions[place].quota.countedAt == nil { recountQuota(of: source, at: place, now: now) }
        let due = (sessions[place].quota.countedAt ?? 0).advanced(byNanoseconds: Quota.recountNanoseconds)
        if excess(record, of: source, at: place) != nil, now.monotonicNanoseconds >= due {
            recountQuota(of: source, at: place, now: now)
        }
        if let error = excess(record, of: source, at: place) { throw error }
        let before = holding(of: record.name, from: source)
        let outcome = try merge(record, from: source)
        if outcome == .applied {
            sessions[place].quota.add(before, times: -1)
            sessions[place].quota.add(holding(of: record.name, from: source))
        }
        return outcome
    }

    /// Why taking this record would pass the limits of the link. A removal of what is here is always taken; a name that
    /// is not here yet may stay for as long as tombstones do, whether or not its stack is live.
    private func excess(_ record: Record, of source: NodeID, at place: SessionPlace) -> SyncError? {
        let (rights, quota) = (sessions[place].rights, sessions[place].quota)
        if let limit = maximumRemovedCount(rights), quota.removedCount >= limit, !isKnown(record.name) {
            return .limitExceeded("the peer keeps \(quota.removedCount) removed names here, \(limit) are allowed")
        }
        guard case .envelope(let envelope, _) = record.content else { return nil }
        var held: Int?
        if case .stack(let byteCount)? = holding(of: record.name, from: source) { held = byteCount }
        if let limit = rights.maximumStackCount, held == nil, quota.stackCount >= limit {
            return .limitExceeded("the peer keeps \(quota.stackCount) stacks here, \(limit) are allowed")
        }
        let total = quota.byteCount + envelope.count - (held ?? 0)
        if let limit = rights.maximumByteCount, total > limit, envelope.count > held ?? 0 {
            return .limitExceeded("the peer would keep \(total) bytes here, \(limit) are allowed")
        }
        return nil
    }

    /// Removed names of a peer that may have so many stacks; nil without a limit.
    private func maximumRemovedCount(_ rights: Rights) -> Int? {
        let stackCount = rights.maximumStackCount ?? rights.maximumByteCount.map { $0 / limits.byteCountPerStack }
        return stackCount.map { limits.removedCount + limits.removedCountPerStack * min($0, 1 << 32) }
    }

    private func isKnown(_ name: StackName) -> Bool {
        index.slot(of: name).map { currentVersion(ofSlot: $0) != nil } ?? false
    }

    private func holding(of name: StackName, from source: NodeID) -> Quota.Holding? {
        index.slot(of: name).flatMap { holding(slot: $0, from: source) }
    }

    /// What the greatest version of a name is, if it came from this peer.
    private func holding(slot: Int, from source: NodeID) -> Quota.Holding? {
        let pending = index.slots[slot].pending
        if pending > 0, let row = openBatch.row(at: pending) ?? batchInFlight?.row(at: pending) {
            guard row.source == source else { return nil }
            guard case .envelope(let envelope, _) = row.record.content else { return .removed }
            return .stack(byteCount: envelope.count)
        }
        guard index.slots[slot].sequence > 0, index.source(ofSlot: slot) == source else { return nil }
        return index.slots[slot].isTombstone
            ? .removed : .stack(byteCount: Int(index.slots[slot].envelopeByteCount))
    }

    private mutating func recountQuota(of source: NodeID, at place: SessionPlace, now: Instant) {
        var quota = Quota(countedAt: now.monotonicNanoseconds)
        index.walk(after: .zero) { slot in
            quota.add(holding(slot: slot, from: source))
            return true
        }
        // Names that are not committed yet are in no walk.
        var uncommitted: Set<Int> = []
        for slot in (batchInFlight?.slots ?? []) + openBatch.slots where index.slots[slot].sequence == 0 {
            if uncommitted.insert(slot).inserted { quota.add(holding(slot: slot, from: source)) }
        }
        sessions[place].quota = quota
    }
}
