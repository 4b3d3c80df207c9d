// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import NavTestSupport
import NavWire
import Testing

@Suite struct NavClientTests {
    private func client(_ daemon: FakeDaemon, _ timeout: Duration = .seconds(5)) throws -> NavClient {
        try NavClient(DaemonAddress(daemon.path), timeout: timeout)
    }

    private final class Count: Sendable {
        let connections = Locked(0)
    }

    @Test func callsShareOneConnection() async throws {
        let count = Count()
        let daemon = FakeDaemon { line in
            count.connections.withLock { $0 += 1 }
            line.greet()
            while case .push(let push)? = line.receive() {
                line.send(Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame)
            }
        }
        let client = try client(daemon)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 { group.addTask { try await client.push(envelope: [1], to: "s\(index)") } }
            try await group.waitForAll()
        }
        #expect(count.connections.withLock { $0 } == 1)
    }

    @Test func aBrokenConnectionIsMadeAgainByTheNextCall() async throws {
        let daemon = FakeDaemon { line in
            line.greet()
            guard case .push(let push)? = line.receive() else { return }
            line.send(Acknowledge(request: push.request, sequence: .zero, stamp: FakeDaemon.stamp).frame)
        }
        let client = try client(daemon)
        for _ in 0..<5 {
            do throws(NavClientError) {
                try await client.push(envelope: [1], to: "a")
            } catch {
                // The daemon may hang up after our look at the socket and before our request.
                #expect(error.code == .connectionLost)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCallEndsAtItsDeadline() async throws {
        let daemon = FakeDaemon { line in
            line.greet()
            line.waitForEnd()
        }
        let client = try client(daemon, .milliseconds(30))
        await #expect(throws: NavClientError(code: .deadlineExceeded, reason: "")) { try await client.pull("a") }
    }

    @Test(.timeLimit(.minutes(1))) func aCancelledTaskEndsItsCallAtOnce() async throws {
        let daemon = FakeDaemon { line in
            line.greet()
            line.waitForEnd()
        }
        let client = try client(daemon, .seconds(3_600))
        let task = Task { try await client.pull("a") }
        task.cancel()
        await #expect(throws: NavClientError(code: .cancelled, reason: "")) { try await task.value }
    }

    @Test func aRemovalCanExpectAStamp() async throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .delete(let delete) = message else { return nil }
            guard delete.expected == .stamp(FakeDaemon.stamp) else {
                return ErrorMessage(request: delete.request, SyncError(code: .staleBase, reason: "stale")).frame
            }
            return Acknowledge(request: delete.request, sequence: .zero, stamp: FakeDaemon.stamp).frame
        }
        let client = try client(daemon)
        #expect(try await client.remove("a", expecting: .stamp(StackStamp(FakeDaemon.stampText))).name == "a")
        await #expect(throws: NavClientError(code: .staleBase, reason: "")) { try await client.remove("a") }
    }

    @Test(.timeLimit(.minutes(1))) func aChangeHasThePathThatWasWritten() async throws {
        let path = [PathElement(tag: "Swift.Int", value: .json(.string("x")))]
        let envelope = try PathEnvelope.encode(path)
        let daemon = FakeDaemon.answering { message, _ in
            guard case .subscribe(let subscribe) = message,
                let written = try? FakeDaemon.record("a", sequence: 1, .envelope(envelope)),
                let removed = try? FakeDaemon.record("b", sequence: 2, .tombstone),
                let broken = try? FakeDaemon.record("c", sequence: 3, .envelope([1]))
            else { return nil }
            let records = Records(
                request: subscribe.request, through: Sequence(rawValue: 3), mark: Mark(rawValue: 1),
                items: [written, removed, broken])
            return Acknowledge(request: subscribe.request, sequence: .zero).frame + records.frame
        }
        var changes = try await client(daemon).watch().makeAsyncIterator()
        #expect(try await changes.next()?.elements() == path)
        let removed = try #require(try await changes.next())
        #expect(try removed.elements() == nil)
        let broken = try #require(try await changes.next())
        #expect(throws: NavClientError(code: .invalidPath, reason: "")) { try broken.elements() }
    }

    @Test(.timeLimit(.minutes(1))) func aWatchTellsChangesAndEndsWhenItsTaskIsCancelled() async throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .subscribe(let subscribe) = message,
                let record = try? FakeDaemon.record("a", sequence: 1, .envelope([1]))
            else { return nil }
            let mark = Mark(rawValue: 1)
            let records = Records(
                request: subscribe.request, through: Sequence(rawValue: 1), mark: mark, items: [record])
            return Acknowledge(request: subscribe.request, sequence: .zero).frame + records.frame
        }
        let changes = try await client(daemon).watch()
        let task = Task {
            var names: [String] = []
            for try await change in changes {
                names.append(change.name)
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return names
        }
        #expect(try await task.value == ["a"])
    }
}
