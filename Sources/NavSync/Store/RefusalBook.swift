// SPDX-License-Identifier: Apache-2.0

/// Refused records: the newest of each peer and name, the oldest dropped beyond a limit. Each change takes the same short
/// time, because a peer decides how many there are.
package struct RefusalBook: Sendable {
    private var entries: [Refusal.Key: (number: UInt64, refusal: Refusal)] = [:]
    /// Keys in the order of their numbers; an entry that has another number by now, or none, is out of date.
    private var order: [(number: UInt64, key: Refusal.Key)] = []
    private var first = 0
    private var nextNumber: UInt64 = 0
    private let limit: Int

    package init(_ refusals: [Refusal] = [], limit: Int) {
        self.limit = limit
        for refusal in refusals { insert(refusal) }
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// Oldest first.
    package var all: [Refusal] { entries.values.sorted { $0.number < $1.number }.map(\.refusal) }

    package func keys(of peer: NodeID) -> [Refusal.Key] { entries.keys.filter { $0.peer == peer } }

    package func contains(_ key: Refusal.Key) -> Bool { entries[key] != nil }

    package func contains(_ refusal: Refusal) -> Bool { entries[refusal.key]?.refusal == refusal }

    package mutating func insert(_ refusal: Refusal) {
        entries[refusal.key] = (nextNumber, refusal)
        order.append((nextNumber, refusal.key))
        nextNumber += 1
        while entries.count > limit { dropFirst() }
        forgetOutdated()
    }

    package mutating func remove(_ key: Refusal.Key) { entries[key] = nil }

    private mutating func dropFirst() {
        let oldest = order[first]
        first += 1
        if entries[oldest.key]?.number == oldest.number { entries[oldest.key] = nil }
    }

    private mutating func forgetOutdated() {
        guard order.count > 2 * max(limit, 16) else { return }
        order = order[first...].filter { entries[$0.key]?.number == $0.number }
        first = 0
    }
}
