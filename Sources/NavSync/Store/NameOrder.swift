// SPDX-License-Identifier: Apache-2.0

/// Slots in the order of their names. New ones wait in a heap of their own until somebody asks for the order.
struct NameOrder: Sendable {
    /// In order as of the last `sort`.
    private var slots: [UInt32] = []
    private var added: [UInt32] = []

    init() {}

    mutating func add(_ slot: Int) { added.append(UInt32(slot)) }

    /// One page of the slots that are live and have a prefix, in the order of their names and behind one of them; and how
    /// many names were looked at.
    mutating func page(
        prefix: [UInt8], after: [UInt8], limit: Int, name: (Int) -> ArraySlice<UInt8>, isLive: (Int) -> Bool
    ) -> (slots: [Int], hasMore: Bool, lookedAt: Int) {
        sort { name($0).lexicographicallyPrecedes(name($1)) }
        let start = firstIndex { slot in
            let name = name(slot)
            guard !name.lexicographicallyPrecedes(prefix) else { return false }
            return after.isEmpty || after.lexicographicallyPrecedes(name)
        }
        var found: [Int] = []
        var lookedAt = 0
        for slot in slots[start...].lazy.map(Int.init) {
            lookedAt += 1
            guard name(slot).starts(with: prefix) else { break }
            guard isLive(slot) else { continue }
            guard found.count < limit else { return (found, true, lookedAt) }
            found.append(slot)
        }
        return (found, false, lookedAt)
    }

    private mutating func sort(_ precedes: (Int, Int) -> Bool) {
        guard !added.isEmpty else { return }
        added.sort { precedes(Int($0), Int($1)) }
        var merged: [UInt32] = []
        merged.reserveCapacity(slots.count + added.count)
        var next = 0
        for slot in slots {
            while next < added.count, precedes(Int(added[next]), Int(slot)) {
                merged.append(added[next])
                next += 1
            }
            merged.append(slot)
        }
        merged += added[next...]
        slots = merged
        added = []
    }

    /// The first place from which on `isBehind` holds; it must hold for all later ones.
    private func firstIndex(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(Int(slots[middle])) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
