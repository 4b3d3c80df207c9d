// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync

/// One connection of a load run: sends a batch in one write, counts the answers.
///
/// Answers are told apart by their type alone; their content is the daemon's own tests' business.
final class LoadConnection {
    let descriptor: Int32
    private let session: ClientSession
    private let answer: MessageType
    private var input = [UInt8](repeating: 0, count: 256 * 1024)
    private var inputStart = 0
    private var inputEnd = 0
    private var output: [UInt8] = []
    private var outputStart = 0
    private var sentAt: UInt64 = 0
    private(set) var awaited = 0

    init(to address: DaemonAddress, for operation: LoadPlan.Operation, deadline: Deadline) throws(NavClientError) {
        session = try ClientSession(to: address, deadline: deadline)
        descriptor = session.descriptor
        answer = operation == .push ? .acknowledge : .records
    }

    /// Whether bytes wait for room in the socket.
    var isBlocked: Bool { outputStart < output.count }

    /// Sends requests for stacks chosen at random.
    func begin(_ frames: inout LoadFrames, depth: Int) throws(NavClientError) {
        output.removeAll(keepingCapacity: true)
        for slot in 0..<depth { frames.appendRequest(slot: slot, to: &output) }
        try begin(awaiting: depth)
    }

    /// Sends one request for each of the stacks.
    func begin(stacks: Range<Int>, _ frames: LoadFrames) throws(NavClientError) {
        output.removeAll(keepingCapacity: true)
        for (slot, stack) in stacks.enumerated() {
            frames.appendRequest(slot: slot, stack: stack, content: stack, to: &output)
        }
        try begin(awaiting: stacks.count)
    }

    private func begin(awaiting count: Int) throws(NavClientError) {
        outputStart = 0
        awaited = count
        sentAt = Deadline.now()
        try flush()
    }

    /// Sends what the socket takes.
    func flush() throws(NavClientError) {
        while isBlocked {
            let count = output.withUnsafeBytes { buffer in
                send(
                    descriptor, buffer.baseAddress?.advanced(by: outputStart), buffer.count - outputStart,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                outputStart += count
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw .connectionLost(systemMessage(errno))
            }
        }
    }

    /// Reads what is there; the batch's latency when its last answer came.
    func receive() throws(NavClientError) -> UInt64? {
        makeRoom()
        let count = input.withUnsafeMutableBytes { buffer in
            recv(descriptor, buffer.baseAddress?.advanced(by: inputEnd), buffer.count - inputEnd, 0)
        }
        if count == 0 { throw .connectionLost("the daemon closed it") }
        guard count > 0 else {
            if errno == EAGAIN || errno == EINTR { return nil }
            throw .connectionLost(systemMessage(errno))
        }
        inputEnd += count
        try countAnswers()
        return awaited == 0 ? Deadline.now() - sentAt : nil
    }

    private func countAnswers() throws(NavClientError) {
        while inputEnd - inputStart >= Frame.headerByteCount {
            let length =
                Int(input[inputStart]) << 24 | Int(input[inputStart + 1]) << 16
                | Int(input[inputStart + 2]) << 8 | Int(input[inputStart + 3])
            let limit = SyncLimits.default.frameByteCount
            guard length <= limit else { throw .unreadable(SyncError.frameTooLarge(length, limit: limit).reason) }
            let end = inputStart + Frame.headerByteCount + length
            guard end <= inputEnd else { break }
            if input[inputStart + 4] == answer.rawValue { awaited -= 1 } else { try checkOther(inputStart..<end) }
            inputStart = end
        }
    }

    private func checkOther(_ range: Range<Int>) throws(NavClientError) {
        guard input[range.lowerBound + 4] == MessageType.error.rawValue else { return }
        var reader = ByteReader(input, in: range.dropFirst(Frame.headerByteCount))
        let message: ErrorMessage
        do throws(SyncError) { message = try ErrorMessage(reading: &reader) } catch { throw NavClientError(error) }
        throw NavClientError(message)
    }

    private func makeRoom() {
        if inputStart == inputEnd {
            inputStart = 0
            inputEnd = 0
        } else if input.count - inputEnd < 64 * 1024 {
            input.removeSubrange(..<inputStart)
            inputEnd -= inputStart
            inputStart = 0
            input += [UInt8](repeating: 0, count: max(0, inputEnd + 256 * 1024 - input.count))
        }
    }
}
