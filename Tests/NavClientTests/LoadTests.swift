// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import NavWire
import Testing

@testable import NavClient

@Suite struct LoadTests {
    private func messages(_ bytes: [UInt8]) throws -> [Message] {
        var cutter = FrameCutter()
        cutter.append(bytes)
        var messages: [Message] = []
        while let frame = try cutter.next(limit: 1 << 20) { messages.append(try Message(reading: frame)) }
        return messages
    }

    @Test func eachFrameOfABatchIsARequestWithANumberAndANameOfItsOwn() throws {
        let envelopes = try LoadFrames.envelopes(byteCount: 300, count: 2)
        let frames = try LoadFrames(.push, stacks: 1_000, envelopes: envelopes)
        var bytes: [UInt8] = []
        for slot in [0, 1, 200, 3_999] { frames.appendRequest(slot: slot, stack: slot * 2, content: slot, to: &bytes) }
        let pushes = try messages(bytes).compactMap { message -> Push? in
            if case .push(let push) = message { push } else { nil }
        }
        #expect(pushes.map(\.request.rawValue) == [128, 129, 328, 4_127])
        #expect(pushes.map(\.name.description) == [0, 2, 400, 7_998].map { LoadFrames.name(of: $0) })
        #expect(pushes.map(\.envelope) == [envelopes[0], envelopes[1], envelopes[0], envelopes[1]])
    }

    @Test func randomRequestsStayAmongTheStacks() throws {
        var frames = try LoadFrames(.pull, stacks: 10, envelopes: [])
        var bytes: [UInt8] = []
        for _ in 0..<500 { frames.appendRequest(slot: 0, to: &bytes) }
        let names = try messages(bytes).compactMap { message -> String? in
            if case .pull(let pull) = message { pull.name.description } else { nil }
        }
        #expect(names.count == 500)
        #expect(Set(names) == Set((0..<10).map { LoadFrames.name(of: $0) }))
    }

    @Test(arguments: [60, 300, 4_096, 100_000])
    func envelopesAreValidDifferentAndNearlyAsLargeAsAsked(_ byteCount: Int) throws {
        let envelopes = try LoadFrames.envelopes(byteCount: byteCount, count: 8)
        #expect(Set(envelopes).count == 8)
        for envelope in envelopes {
            #expect(abs(envelope.count - byteCount) <= max(4, byteCount / 50), "\(envelope.count)")
            #expect(try PathEnvelope.decode(envelope).count == 1)
        }
    }

    @Test func aRunCountsEveryAnswerAndMeasuresBatches() throws {
        let pushes = Locked(0)
        let daemon = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            pushes.withLock { $0 += 1 }
            return Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
        }
        let plan = LoadPlan(
            operation: .push, byteCount: 200, connections: 3, depth: 4, count: 100, stacks: 10,
            timeoutMilliseconds: 10_000)
        let result = try LoadRun.perform(plan, at: DaemonAddress(daemon.path))
        #expect(result.operations == 100)
        #expect(pushes.withLock { $0 } == 100)
        #expect(result.p50Nanoseconds > 0 && result.p50Nanoseconds <= result.p99Nanoseconds)
    }

    @Test func aWatcherThatIsNotToldEndsTheProbeWhenItsTimeIsOver() throws {
        let writer = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            return Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
        }
        // It answers pings, so that nothing is wrong with it but that no record comes.
        let watcher = FakeDaemon.answering { message, _ in
            switch message {
            case .subscribe(let subscribe): Acknowledge(request: subscribe.request, sequence: .zero).frame
            case .ping(let ping): Pong(ping.heartbeat).frame
            default: nil
            }
        }
        let plan = SyncProbe.Plan(
            writer: try DaemonAddress(writer.path), watcher: try DaemonAddress(watcher.path), byteCount: 200, count: 1,
            stacks: 1, gapMicroseconds: 0, timeoutMilliseconds: 400)
        #expect(throws: NavClientError(code: .deadlineExceeded, reason: "")) { try SyncProbe.perform(plan) }
    }

    @Test func aRefusalEndsTheRun() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            return ErrorMessage(request: push.request, SyncError(code: .storeFull, reason: "full")).frame
        }
        let plan = LoadPlan(
            operation: .push, byteCount: 200, connections: 1, depth: 1, count: 10, stacks: 10,
            timeoutMilliseconds: 10_000)
        #expect(throws: NavClientError(code: .refused, reason: "")) {
            try LoadRun.perform(plan, at: DaemonAddress(daemon.path))
        }
    }

    @Test func percentilesAreSamplesThatOccurred() {
        #expect(LoadResult.percentile(50, of: [1, 2, 3, 4]) == 2)
        #expect(LoadResult.percentile(99, of: Array(1...100)) == 99)
        #expect(LoadResult.percentile(99, of: [7]) == 7)
        #expect(LoadResult.percentile(50, of: []) == 0)
    }
}
