// SPDX-License-Identifier: Apache-2.0
import NavSync

extension ClientSession {
    /// Writes a stack; returns when it is on the daemon's disk.
    package func push(
        _ envelope: [UInt8], to name: String, expecting expected: ExpectedStack, deadline: Deadline
    ) throws(NavClientError) -> WriteReceipt {
        let limit = SyncLimits.default.maximumEnvelopeByteCount
        guard envelope.count <= limit else {
            throw NavClientError(
                code: .tooLarge, reason: "the envelope has \(envelope.count) bytes, \(limit) are allowed",
                hint: "a path is small: keep ids in it, not whole models")
        }
        let request = newRequest()
        let push = Push(
            request: request, name: try Self.stackName(name), envelope: envelope, expected: expected.expectation)
        return try receipt(name, ask(push, request, deadline: deadline))
    }

    /// Removes a stack; returns when that is on the daemon's disk. A stack that is not there is `notFound`.
    package func remove(
        _ name: String, expecting expected: ExpectedStack = .anything, deadline: Deadline
    ) throws(NavClientError) -> WriteReceipt {
        let request = newRequest()
        let delete = Delete(request: request, name: try Self.stackName(name), expected: expected.expectation)
        return try receipt(name, ask(delete, request, deadline: deadline))
    }

    /// Reads a stack.
    package func pull(_ name: String, deadline: Deadline) throws(NavClientError) -> PulledStack {
        let request = newRequest()
        let answer = try ask(Pull(request: request, name: Self.stackName(name)), request, deadline: deadline)
        guard case .records(let records) = answer, let record = records.items.first,
            case .envelope(let envelope) = record.content
        else { throw Self.unexpected() }
        return PulledStack(name: name, stamp: StackStamp(record.stamp), envelope: envelope)
    }

    /// All stacks whose names begin with `prefix`, in the order of their names as bytes.
    package func list(prefix: String, deadline: Deadline) throws(NavClientError) -> [StackSummary] {
        var stacks: [StackSummary] = []
        var after: [UInt8] = []
        while true {
            let request = newRequest()
            let list = List(request: request, prefix: Array(prefix.utf8), after: after)
            guard case .listing(let page) = try ask(list, request, deadline: deadline) else { throw Self.unexpected() }
            stacks += page.items.map {
                StackSummary(name: $0.name.description, stamp: StackStamp($0.stamp), byteCount: $0.envelopeByteCount)
            }
            guard page.hasMore, let last = page.items.last else { return stacks }
            after = last.name.bytes
        }
    }

    /// What the daemon says of itself and its links, in its order.
    package func status(deadline: Deadline) throws(NavClientError) -> [StatusFact] {
        let request = newRequest()
        guard case .statusReport(let report) = try ask(Status(request: request), request, deadline: deadline) else {
            throw Self.unexpected()
        }
        return report.items.map { StatusFact(key: $0.key, value: $0.value) }
    }

    /// Asks something that concerns the daemon and not a stack; keys may be repeated.
    package func manage(
        _ verb: String, _ arguments: [StatusFact], deadline: Deadline
    ) throws(NavClientError) -> [StatusFact] {
        let request = newRequest()
        let manage = Manage(
            request: request, verb: verb,
            arguments: arguments.map { StatusReport.Item(key: $0.key, value: $0.value) })
        guard case .statusReport(let report) = try ask(manage, request, deadline: deadline) else {
            throw Self.unexpected()
        }
        return report.items.map { StatusFact(key: $0.key, value: $0.value) }
    }

    private func receipt(_ name: String, _ answer: Message) throws(NavClientError) -> WriteReceipt {
        guard case .acknowledge(let acknowledge) = answer, let stamp = acknowledge.stamp else {
            throw Self.unexpected()
        }
        return WriteReceipt(name: name, stamp: StackStamp(stamp))
    }
}

extension ExpectedStack {
    var expectation: Expectation {
        switch self {
        case .anything: .anything
        case .absent: .absent
        case .stamp(let stamp): .stamp(stamp.stamp)
        }
    }
}
