// SPDX-License-Identifier: Apache-2.0

/// Envelopes that are too large for the index, kept while they are fresh: a change goes to its watchers from memory.
struct RecentEnvelopes: Sendable {
    private var envelopes: [UInt64: [UInt8]] = [:]
    private var order: [UInt64] = []
    private var next = 0
    private var byteCount = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    subscript(sequence: UInt64) -> [UInt8]? { envelopes.isEmpty ? nil : envelopes[sequence] }

    mutating func insert(_ envelope: [UInt8], at sequence: UInt64) {
        guard envelope.count <= limit, envelopes.updateValue(envelope, forKey: sequence) == nil else { return }
        order.append(sequence)
        byteCount += envelope.count
        while byteCount > limit {
            byteCount -= envelopes.removeValue(forKey: order[next])?.count ?? 0
            next += 1
        }
        if next > 64, next * 2 > order.count {
            order.removeFirst(next)
            next = 0
        }
    }
}
