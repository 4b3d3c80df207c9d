// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import Synchronization
import Testing

@Suite struct HistoryTests {
    private func open(_ daemon: FakeDaemon) throws(NavClientError) -> ClientSession {
        try ClientSession(to: DaemonAddress(daemon.path), deadline: soon)
    }

    private var soon: Deadline { .after(milliseconds: 5_000) }

    private static func stamp(_ milliseconds: UInt64) -> Stamp {
        Stamp(time: HybridTime(milliseconds: milliseconds), origin: NodeID(high: 1, low: 2))
    }

    /// A version of the stack `a`: its number, the milliseconds of its stamp, and its bytes, none for a removal.
    private struct Kept: Sendable {
        let number: UInt64
        let milliseconds: UInt64
        let envelope: [UInt8]
        var isLoser = false
    }

    /// Answers for one stack of which it has these versions, newest first, in pieces of `perLook` numbers, and takes writes.
    private func daemon(_ kept: [Kept], live: Kept, perLook: UInt64 = 4, _ writes: Writes = Writes()) -> FakeDaemon {
        FakeDaemon.answering { message, _ in
            switch message {
            case .list(let list): Self.listing(kept, live, list, perLook).frame
            case .pull(let pull): Self.records(kept, pull).frame
            case .push(let push): writes.add(push.request, push.expected, push.envelope)
            case .delete(let delete): writes.add(delete.request, delete.expected, nil)
            default: nil
            }
        }
    }

    private static func listing(_ kept: [Kept], _ live: Kept, _ list: List, _ perLook: UInt64) -> Listing {
        let before = min(list.before?.rawValue ?? .max, (kept.first?.number ?? 0) + 1)
        let through = before - min(before, perLook)
        let found = kept.filter { $0.number < before && $0.number >= through }
        let items = found.compactMap { version in
            list.stack.map {
                Listing.Item(
                    name: $0, stamp: stamp(version.milliseconds), sequence: Sequence(rawValue: version.number),
                    envelopeByteCount: version.envelope.count)
            }
        }
        return Listing(
            request: list.request, items: items, hasMore: through > 0,
            history: .init(
                through: Sequence(rawValue: through), live: Sequence(rawValue: live.number),
                liveStamp: stamp(live.milliseconds),
                losers: found.filter(\.isLoser).map { Sequence(rawValue: $0.number) }))
    }

    private static func records(_ kept: [Kept], _ pull: Pull) -> Records {
        let items = kept.filter { $0.number == pull.version?.rawValue }.map {
            WireRecord(
                sequence: Sequence(rawValue: $0.number), name: pull.name, stamp: stamp($0.milliseconds), writeCount: 1,
                base: nil, content: $0.envelope.isEmpty ? .tombstone : .envelope($0.envelope))
        }
        return Records(request: pull.request, through: .zero, mark: Mark(rawValue: 0), items: items)
    }

    private final class Writes: Sendable {
        private let all = Mutex<[(expected: NavSync.Expectation, envelope: [UInt8]?)]>([])
        var last: (expected: NavSync.Expectation, envelope: [UInt8]?)? { all.withLock { $0.last } }

        func add(_ request: RequestID, _ expected: NavSync.Expectation, _ envelope: [UInt8]?) -> [UInt8] {
            all.withLock { $0.append((expected, envelope)) }
            return Acknowledge(request: request, sequence: .zero, stamp: FakeDaemon.stamp).frame
        }
    }

    // MARK: Reading

    @Test func piecesArePutTogetherUpToALimit() throws {
        let kept = [20, 19, 9, 2].map { Kept(number: $0, milliseconds: $0 * 10, envelope: [1]) }
        let daemon = daemon(kept, live: kept[0])
        let session = try open(daemon)
        let all = try session.history(of: "a", limit: 100, deadline: soon)
        #expect(all.versions.map(\.number) == [20, 19, 9, 2] && !all.mayHaveMore)
        #expect(all.versions.map(\.isLive) == [true, false, false, false])
        #expect(all.versions.map(\.stamp.milliseconds) == [200, 190, 90, 20])
        let two = try session.history(of: "a", limit: 2, deadline: soon)
        #expect(two.versions.map(\.number) == [20, 19] && two.mayHaveMore)
    }

    @Test func aProgramReadsThemOneByOne() async throws {
        let kept = [
            Kept(number: 13, milliseconds: 90, envelope: [1], isLoser: true),
            Kept(number: 12, milliseconds: 100, envelope: []),
            Kept(number: 1, milliseconds: 50, envelope: [1, 2, 3]),
        ]
        let daemon = daemon(kept, live: kept[1])
        let client = try NavClient(DaemonAddress(daemon.path))
        var versions: [StackVersion] = []
        for try await version in client.history(of: "a") { versions.append(version) }
        #expect(versions.map(\.number) == [13, 12, 1])
        #expect(versions.map(\.byteCount) == [1, nil, 3])
        #expect(versions.map(\.isLoser) == [true, false, false])
        #expect(versions.map(\.isLive) == [false, true, false])
        #expect(try await client.pull("a", version: 1).envelope == [1, 2, 3])
        await #expect(throws: NavClientError(code: .notFound, reason: "")) { try await client.pull("a", version: 12) }
    }

    @Test func aDaemonThatKnowsNoVersionsIsCalledTooOld() throws {
        let daemon = FakeDaemon.answering { message, _ in
            switch message {
            case .list(let list): Listing(request: list.request, items: [], hasMore: false).frame
            case .pull(let pull):
                (try? FakeDaemon.record("a", sequence: 7, .envelope([1]))).map {
                    Records(request: pull.request, through: .zero, mark: Mark(rawValue: 0), items: [$0]).frame
                }
            default: nil
            }
        }
        let tooOld = NavClientError(code: .incompatible, reason: "")
        #expect(throws: tooOld) { try open(daemon).history(of: "a", limit: 9, deadline: soon) }
        #expect(throws: tooOld) { try open(daemon).pull("a", version: 6, deadline: soon) }
        #expect(throws: tooOld) { try open(daemon).undo("a", to: nil, deadline: soon) }
        #expect(throws: tooOld) { try open(daemon).undo("a", to: 6, deadline: soon) }
    }

    @Test func aDaemonThatLeadsNowhereIsGivenUp() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .list(let list) = message else { return nil }
            let through = list.before ?? Sequence(rawValue: 10)
            return Listing(
                request: list.request, items: [], hasMore: true,
                history: .init(through: through, live: through, liveStamp: FakeDaemon.stamp)
            ).frame
        }
        #expect(throws: NavClientError(code: .incompatible, reason: "")) {
            try open(daemon).history(of: "a", limit: 9, deadline: soon)
        }
    }

    // MARK: Undo

    @Test func theVersionWithTheNextLowerStampComesBack() throws {
        let winner = Kept(number: 20, milliseconds: 200, envelope: [2])
        let before = Kept(number: 7, milliseconds: 70, envelope: [7])
        let cases: [([Kept], UInt64)] = [
            ([winner, before, Kept(number: 6, milliseconds: 60, envelope: [6])], 7),
            // A loser that came after the winner, and is greater than what the winner overwrote.
            ([Kept(number: 25, milliseconds: 150, envelope: [5], isLoser: true), winner, before], 25),
            // One that is less.
            ([Kept(number: 25, milliseconds: 50, envelope: [5], isLoser: true), winner, before], 7),
            // One that had lost against what the winner overwrote.
            ([winner, Kept(number: 9, milliseconds: 30, envelope: [5], isLoser: true), before], 7),
            ([winner, Kept(number: 9, milliseconds: 0, envelope: [], isLoser: false)], 9),
        ]
        for (kept, expected) in cases {
            let writes = Writes()
            let daemon = daemon(kept, live: winner, writes)
            let receipt = try open(daemon).undo("a", to: nil, deadline: soon)
            #expect(receipt.version == expected)
            #expect(writes.last?.expected == .stamp(Self.stamp(200)), "only while the live one is what was looked at")
            let wanted = kept.first { $0.number == expected }?.envelope ?? []
            #expect(writes.last?.envelope == (wanted.isEmpty ? nil : wanted))
            #expect(receipt.isRemoved == wanted.isEmpty)
        }
    }

    @Test func aNumberedVersionComesBackOverWhatIsLive() throws {
        let kept = [20, 19, 9, 2].map { Kept(number: $0, milliseconds: $0 * 10, envelope: [UInt8($0)]) }
        let writes = Writes()
        let daemon = daemon(kept, live: kept[0], writes)
        #expect(try open(daemon).undo("a", to: 2, deadline: soon).version == 2)
        #expect(writes.last?.expected == .stamp(Self.stamp(200)) && writes.last?.envelope == [2])
    }

    @Test func withoutAnEarlierVersionThereIsNothingToUndo() throws {
        let only = Kept(number: 20, milliseconds: 200, envelope: [2])
        let writes = Writes()
        let daemon = daemon([only], live: only, writes)
        #expect(throws: NavClientError(code: .notFound, reason: "")) {
            try open(daemon).undo("a", to: nil, deadline: soon)
        }
        #expect(writes.last == nil)
    }
}
