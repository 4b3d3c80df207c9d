// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync
import Testing

@testable import navsyncd

/// A local program that begins a message and does not finish it.
@Suite(.serialized) struct UnfinishedMessageTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func half() throws -> [UInt8] {
        let push = Push(
            request: RequestID(rawValue: 1), name: try StackName("a"), envelope: [UInt8](repeating: 1, count: 1 << 20),
            expected: .anything)
        return push.frame.dropLast()
    }

    private func greeted(_ daemon: RunningDaemon) throws -> HostileLine {
        let line = try HostileLine("unix:" + daemon.socket)
        line.send(Hello.client(software: "half").frame)
        _ = try line.message { if case .hello = $0 { true } else { nil } }
        return line
    }

    private func refusal(_ line: HostileLine) throws -> SyncError.Code? {
        for case .goodbye(let message) in try line.messagesUntilClosed() {
            return SyncError.Code(rawValue: message.code)
        }
        return nil
    }

    @Test func isToldAndItsNeighbourIsServed() throws {
        let daemon = try RunningDaemon(in: scratch.path) { $0.limits.halfMessageNanoseconds = 300_000_000 }
        try daemon.awaitReady()
        let idle = try greeted(daemon)
        let line = try greeted(daemon)
        line.send(try half())
        #expect(try refusal(line) == .messageUnfinished)
        #expect(daemon.has("code=messageUnfinished") && daemon.has("uid=\(getuid()) pid=\(getpid())"))
        #expect(!idle.isClosed && idle.send(Status(request: RequestID(rawValue: 1)).frame))
        let isAnswered = try idle.message { if case .statusReport = $0 { true } else { nil } }
        #expect(isAnswered == true)
        #expect(try daemon.stop() == .success)
    }

    @Test func aCrowdOfThemGivesUpItsFirst() throws {
        let daemon = try RunningDaemon(in: scratch.path) { $0.limits.inputByteCount = 8 << 20 }
        try daemon.awaitReady()
        let lines = try (0..<12).map { _ in
            let line = try greeted(daemon)
            line.send(try half())
            return line
        }
        #expect(try refusal(lines[0]) == .messageUnfinished)
        try daemon.push("b", "served")
        #expect(try daemon.pull("b") == envelope("served"))
        #expect(try daemon.stop() == .success)
    }
}
