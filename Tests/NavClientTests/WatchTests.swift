// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import NavTestSupport
import Testing

@Suite struct WatchTests {
    private func watch(_ daemon: FakeDaemon, present: Bool = false, milliseconds: Int = 5_000) throws -> Watch {
        var watch = Watch(
            address: try DaemonAddress(daemon.path), prefix: "a", startsWithPresent: present,
            timeoutMilliseconds: milliseconds)
        try watch.start()
        return watch
    }

    private func name(of event: WatchEvent) -> String {
        if case .change(let change) = event { return change.name }
        return event == .reconnected ? "<again>" : "<lost>"
    }

    private static func records(_ request: RequestID, through: UInt64, _ items: [WireRecord]) -> [UInt8] {
        Records(
            request: request, through: Sequence(rawValue: through), mark: Mark(rawValue: through * 10), items: items
        ).frame
    }

    @Test func tellsEachRecordOnceInOrder() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .subscribe(let subscribe) = message, subscribe.start == .now,
                let first = try? FakeDaemon.record("a1", sequence: 6, .envelope([1])),
                let second = try? FakeDaemon.record("a2", sequence: 7, .tombstone)
            else { return nil }
            return Acknowledge(request: subscribe.request, sequence: Sequence(rawValue: 5)).frame
                + Self.records(subscribe.request, through: 6, [first])
                + Self.records(subscribe.request, through: 7, [second])
        }
        var watch = try watch(daemon)
        guard case .change(let written) = try watch.next(), case .change(let removed) = try watch.next() else {
            Issue.record("not two changes")
            return
        }
        #expect(written.kind == .written([1]))
        #expect(removed.name == "a2")
        #expect(removed.kind == .removed)
    }

    @Test func goesOnBehindWhatItToldWhenTheConnectionBreaks() throws {
        let starts = Locked<[SubscriptionStart]>([])
        let daemon = FakeDaemon { line in
            line.greet()
            guard case .subscribe(let subscribe)? = line.receive() else { return }
            let turn = starts.withLock { starts in
                starts.append(subscribe.start)
                return UInt64(starts.count)
            }
            guard let record = try? FakeDaemon.record("a\(turn)", sequence: turn, .envelope([1])) else { return }
            line.send(Acknowledge(request: subscribe.request, sequence: Sequence(rawValue: turn - 1)).frame)
            line.send(Self.records(subscribe.request, through: turn, [record]))
        }
        var watch = try watch(daemon, present: true)
        let told = try (0..<4).map { _ in name(of: try watch.next()) }
        #expect(told == ["a1", "<lost>", "<again>", "a2"])
        let incarnation = Incarnation(rawValue: 1)
        let cursor = Cursor(
            incarnation: incarnation, sequence: Sequence(rawValue: 1), mark: Mark(rawValue: 10),
            scope: Scope(prefix: Array("a".utf8)))
        #expect(starts.withLock { $0 } == [.beginning, .cursor(cursor)])
    }

    @Test func beforeTheFirstRecordItResumesWithoutTellingWhatWasThereBefore() throws {
        let turn = Locked(0)
        let daemon = FakeDaemon { line in
            line.greet()
            guard case .subscribe(let subscribe)? = line.receive() else { return }
            let isFirst = turn.withLock { turn in
                turn += 1
                return turn == 1
            }
            line.send(Acknowledge(request: subscribe.request, sequence: Sequence(rawValue: isFirst ? 5 : 0)).frame)
            guard !isFirst, subscribe.start == .beginning,
                let old = try? FakeDaemon.record("old", sequence: 5, .envelope([1])),
                let new = try? FakeDaemon.record("new", sequence: 6, .envelope([1]))
            else { return }
            line.send(Self.records(subscribe.request, through: 6, [old, new]))
            line.waitForEnd()
        }
        var watch = try watch(daemon)
        let told = try (0..<3).map { _ in name(of: try watch.next()) }
        #expect(told == ["<lost>", "<again>", "new"])
    }

    @Test func aStoreOfAnotherLifeIsToldFromItsBeginning() throws {
        let turn = Locked(UInt64(0))
        let daemon = FakeDaemon { line in
            let life = turn.withLock { turn in
                turn += 1
                return turn
            }
            line.greet(incarnation: life)
            guard case .subscribe(let subscribe)? = line.receive(),
                let record = try? FakeDaemon.record("life\(life)", sequence: 3, .envelope([1]))
            else { return }
            line.send(Acknowledge(request: subscribe.request, sequence: .zero, isCursorVoid: life > 1).frame)
            line.send(Self.records(subscribe.request, through: 3, [record]))
            if life > 1 { line.waitForEnd() }
        }
        var watch = try watch(daemon, present: true)
        let told = try (0..<4).map { _ in name(of: try watch.next()) }
        #expect(told == ["life1", "<lost>", "<again>", "life2"])
    }

    @Test func aSilentDaemonIsAskedWhetherItIsThere() throws {
        let daemon = FakeDaemon.answering { message, _ in
            switch message {
            case .subscribe(let subscribe): return Acknowledge(request: subscribe.request, sequence: .zero).frame
            case .ping(let ping):
                guard let record = try? FakeDaemon.record("a", sequence: 1, .envelope([1])) else { return nil }
                return Pong(ping.heartbeat).frame + Self.records(RequestID(rawValue: 1), through: 1, [record])
            default: return nil
            }
        }
        var watch = try watch(daemon, milliseconds: 50)
        #expect(name(of: try watch.next()) == "a")
    }

    @Test func aRefusedSubscriptionFails() {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .subscribe(let subscribe) = message else { return nil }
            return ErrorMessage(request: subscribe.request, SyncError(code: .limitExceeded, reason: "too many")).frame
        }
        #expect(throws: NavClientError(code: .refused, reason: "")) { try watch(daemon) }
    }
}
