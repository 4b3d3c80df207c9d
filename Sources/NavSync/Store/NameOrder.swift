// SPDX-License-Identifier: Apache-2.0

/// Slots in the order of their names. New ones wait in a heap of their own until somebody asks for the order.
struct NameOrder: Sendable {
    /// In order as of the last `sort`.
    private var slots: [UInt32] = []
    private var added: [UInt32] = []

    init() {}

    mutating func add(_ slot: Int) { added.append(UInt32(slot)) }

    /// The slots from a place on.
    func slots(from place: Int) -> some Swift.Sequence<Int> { slots[place...].lazy.map(Int.init) }

    mutating func sort(_ precedes: (Int, Int) -> Bool) {
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
    func firstIndex(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(Int(slots[middle])) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
