// SPDX-License-Identifier: Apache-2.0

/// How much of what is live here came from one peer, as far as its link has counted.
///
/// Counted only for peers that have a limit. What others overwrite or remove meanwhile is noticed when the limit would
/// be passed: then everything is counted again, at most once a second.
struct Quota: Hashable, Sendable {
    var stackCount = 0
    var byteCount = 0
    /// When it was last counted; nil is never.
    var countedAt: UInt64?

    static let recountNanoseconds: UInt64 = 1_000_000_000
}

extension Replica {
    /// Why taking this record would pass the limits of the link; nil when it may be taken, and is then counted.
    /// A removal makes room and is always taken.
    mutating func excessOfQuota(_ wire: WireRecord, _ peer: Int, at place: Int, now: Instant) -> SyncError? {
        let rights = sessions[place].rights
        guard rights.maximumStackCount != nil || rights.maximumByteCount != nil,
            case .envelope(let envelope) = wire.content
        else { return nil }
        let source = peers[peer].node
        if sessions[place].quota.countedAt == nil { recountQuota(of: source, at: place, now: now) }
        var excess = excess(wire, envelope.count, of: source, at: place)
        let due = (sessions[place].quota.countedAt ?? 0).advanced(byNanoseconds: Quota.recountNanoseconds)
        if excess != nil, now.monotonicNanoseconds >= due {
            recountQuota(of: source, at: place, now: now)
            excess = self.excess(wire, envelope.count, of: source, at: place)
        }
        guard excess == nil else { return excess }
        let held = held(wire.name, from: source)
        sessions[place].quota.stackCount += held == nil ? 1 : 0
        sessions[place].quota.byteCount += envelope.count - (held ?? 0)
        return nil
    }

    private func excess(_ wire: WireRecord, _ byteCount: Int, of source: NodeID, at place: Int) -> SyncError? {
        let (rights, quota) = (sessions[place].rights, sessions[place].quota)
        let held = held(wire.name, from: source)
        if let limit = rights.maximumStackCount, held == nil, quota.stackCount >= limit {
            return .limitExceeded("the peer keeps \(quota.stackCount) stacks here, \(limit) are allowed")
        }
        let total = quota.byteCount + byteCount - (held ?? 0)
        if let limit = rights.maximumByteCount, total > limit, byteCount > held ?? 0 {
            return .limitExceeded("the peer would keep \(total) bytes here, \(limit) are allowed")
        }
        return nil
    }

    /// The bytes of the live envelope of a name if it came from this peer; nil when there is none.
    private func held(_ name: StackName, from source: NodeID) -> Int? {
        guard let slot = index.slot(of: name) else { return nil }
        return held(slot: slot, from: source)
    }

    private func held(slot: Int, from source: NodeID) -> Int? {
        let pending = index.slots[slot].pending
        if pending > 0, let row = openBatch.row(at: pending) ?? batchInFlight?.row(at: pending) {
            guard row.source == source, case .envelope(let envelope, _) = row.record.content else { return nil }
            return envelope.count
        }
        guard index.slots[slot].sequence > 0, !index.slots[slot].isTombstone, index.source(ofSlot: slot) == source
        else { return nil }
        return Int(index.slots[slot].envelopeByteCount)
    }

    private mutating func recountQuota(of source: NodeID, at place: Int, now: Instant) {
        var quota = Quota(countedAt: now.monotonicNanoseconds)
        func add(_ slot: Int) {
            guard let byteCount = held(slot: slot, from: source) else { return }
            quota.stackCount += 1
            quota.byteCount += byteCount
        }
        index.walk(after: .zero) { slot in
            add(slot)
            return true
        }
        // Names that are not committed yet are in no walk.
        var uncommitted: Set<Int> = []
        for slot in (batchInFlight?.slots ?? []) + openBatch.slots where index.slots[slot].sequence == 0 {
            if uncommitted.insert(slot).inserted { add(slot) }
        }
        sessions[place].quota = quota
    }
}
