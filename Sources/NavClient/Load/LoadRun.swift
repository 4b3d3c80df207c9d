// SPDX-License-Identifier: Apache-2.0

/// Puts a daemon under load over its own socket and measures it: one thread, one epoll.
package enum LoadRun {
    /// Runs the plan. For pulls, every stack is pushed first, which is not measured.
    package static func perform(_ plan: LoadPlan, at address: DaemonAddress) throws(NavClientError) -> LoadResult {
        let envelopes = try LoadFrames.envelopes(byteCount: plan.byteCount, count: 64)
        if plan.operation == .pull { try fill(plan, envelopes, address) }
        var frames = try LoadFrames(plan.operation, stacks: plan.stacks, envelopes: envelopes)
        return try measure(plan, &frames, address)
    }

    /// The bytes that an envelope of a run really has.
    package static func envelopeByteCount(near byteCount: Int) throws(NavClientError) -> Int {
        try LoadFrames.envelopes(byteCount: byteCount, count: 1)[0].count
    }

    private static func measure(
        _ plan: LoadPlan, _ frames: inout LoadFrames, _ address: DaemonAddress
    ) throws(NavClientError) -> LoadResult {
        var connections: [LoadConnection] = []
        for _ in 0..<min(plan.connections, plan.batches) {
            let deadline = Deadline.after(milliseconds: plan.timeoutMilliseconds)
            connections.append(try LoadConnection(to: address, for: plan.operation, deadline: deadline))
        }
        let poller = try LoadPoller(connections)
        var samples: [UInt64] = []
        samples.reserveCapacity(plan.batches)
        var begun = 0
        let start = Deadline.now()
        for connection in connections {
            try connection.begin(&frames, depth: plan.depth)
            begun += 1
        }
        while samples.count < begun {
            try poller.wait(timeoutMilliseconds: plan.timeoutMilliseconds) { index throws(NavClientError) in
                let connection = connections[index]
                guard let latency = try connection.receive() else { return }
                samples.append(latency)
                guard begun < plan.batches else { return }
                try connection.begin(&frames, depth: plan.depth)
                begun += 1
            }
        }
        return LoadResult(
            operations: samples.count * plan.depth, nanoseconds: Deadline.now() - start, samples: samples)
    }

    /// Pushes every stack once.
    private static func fill(
        _ plan: LoadPlan, _ envelopes: [[UInt8]], _ address: DaemonAddress
    ) throws(NavClientError) {
        let frames = try LoadFrames(.push, stacks: plan.stacks, envelopes: envelopes)
        let depth = 64
        let connection = try LoadConnection(
            to: address, for: .push, deadline: .after(milliseconds: plan.timeoutMilliseconds))
        let poller = try LoadPoller([connection])
        for first in stride(from: 0, to: plan.stacks, by: depth) {
            let batch = first..<min(first + depth, plan.stacks)
            try connection.begin(stacks: batch, frames)
            while connection.awaited > 0 {
                try poller.wait(timeoutMilliseconds: plan.timeoutMilliseconds) { _ throws(NavClientError) in
                    _ = try connection.receive()
                }
            }
        }
    }
}
