// SPDX-License-Identifier: Apache-2.0

/// What a load run does to a daemon.
package struct LoadPlan: Sendable {
    package enum Operation: Sendable { case push, pull }

    package var operation: Operation
    /// Bytes of each envelope.
    package var byteCount: Int
    package var connections: Int
    /// Requests in flight on each connection: so many are sent in one write, then their answers are awaited.
    package var depth: Int
    /// Requests in all, rounded up to whole batches.
    package var count: Int
    /// Different stacks, chosen at random.
    package var stacks: Int
    /// How long no answer may come before the run is given up.
    package var timeoutMilliseconds: Int

    package init(
        operation: Operation, byteCount: Int, connections: Int, depth: Int, count: Int, stacks: Int,
        timeoutMilliseconds: Int
    ) {
        self.operation = operation
        self.byteCount = byteCount
        self.connections = connections
        self.depth = depth
        self.count = count
        self.stacks = stacks
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    var batches: Int { (count + depth - 1) / depth }
}

/// What a load run measured. The latency is that of a batch: from its one write to its last answer.
package struct LoadResult: Sendable {
    package let operations: Int
    package let nanoseconds: UInt64
    package let p50Nanoseconds: UInt64
    package let p99Nanoseconds: UInt64
    package let maximumNanoseconds: UInt64

    init(operations: Int, nanoseconds: UInt64, samples: [UInt64]) {
        let sorted = samples.sorted()
        self.operations = operations
        self.nanoseconds = max(1, nanoseconds)
        p50Nanoseconds = Self.percentile(50, of: sorted)
        p99Nanoseconds = Self.percentile(99, of: sorted)
        maximumNanoseconds = sorted.last ?? 0
    }

    package var operationsPerSecond: Double { Double(operations) * 1e9 / Double(nanoseconds) }

    /// The smallest sample that is at least as great as `percent` of all.
    static func percentile(_ percent: Int, of sorted: [UInt64]) -> UInt64 {
        guard !sorted.isEmpty else { return 0 }
        return sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
}
