// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync

/// Measures replication: from a push on one daemon until a watcher of another has it.
package enum SyncProbe {
    package struct Plan: Sendable {
        package var writer: DaemonAddress
        package var watcher: DaemonAddress
        package var byteCount: Int
        package var count: Int
        package var stacks: Int
        /// Rest between two pushes, so that each finds both daemons idle.
        package var gapMicroseconds: Int
        package var timeoutMilliseconds: Int

        package init(
            writer: DaemonAddress, watcher: DaemonAddress, byteCount: Int, count: Int, stacks: Int,
            gapMicroseconds: Int, timeoutMilliseconds: Int
        ) {
            self.writer = writer
            self.watcher = watcher
            self.byteCount = byteCount
            self.count = count
            self.stacks = stacks
            self.gapMicroseconds = gapMicroseconds
            self.timeoutMilliseconds = timeoutMilliseconds
        }
    }

    package static func perform(_ plan: Plan) throws(NavClientError) -> LoadResult {
        let envelopes = try LoadFrames.envelopes(byteCount: plan.byteCount, count: 64)
        var watch = Watch(
            address: plan.watcher, prefix: LoadFrames.namePrefix, startsWithPresent: false,
            timeoutMilliseconds: plan.timeoutMilliseconds)
        try watch.start()
        let deadline = Deadline.after(milliseconds: plan.timeoutMilliseconds)
        let session = try ClientSession(to: plan.writer, deadline: deadline)
        var samples: [UInt64] = []
        samples.reserveCapacity(plan.count)
        for index in 0..<plan.count {
            if plan.gapMicroseconds > 0 { usleep(UInt32(clamping: plan.gapMicroseconds)) }
            let name = LoadFrames.name(of: index % plan.stacks)
            samples.append(try sample(name, envelopes[index % envelopes.count], session, &watch, plan))
        }
        return LoadResult(operations: samples.count, nanoseconds: samples.reduce(0, +), samples: samples)
    }

    private static func sample(
        _ name: String, _ envelope: [UInt8], _ session: ClientSession, _ watch: inout Watch, _ plan: Plan
    ) throws(NavClientError) -> UInt64 {
        let deadline = Deadline.after(milliseconds: plan.timeoutMilliseconds)
        let request = session.newRequest()
        let push = Push(request: request, name: try ClientSession.stackName(name), envelope: envelope).frame
        let start = Deadline.now()
        try session.send(frame: push, deadline: deadline)
        try awaitChange(of: name, &watch, deadline)
        let end = Deadline.now()
        _ = try session.answer(to: request, deadline: deadline)
        return end - start
    }

    private static func awaitChange(
        of name: String, _ watch: inout Watch, _ deadline: Deadline
    ) throws(NavClientError) {
        while let event = try watch.next(before: deadline) {
            if case .change(let change) = event, change.name == name { return }
        }
        throw NavClientError(
            code: .deadlineExceeded, reason: "the watcher was not told of \(name) in time",
            hint: "'navsyncctl status' shows whether the two are linked; each must be granted bench/ by the other")
    }
}
