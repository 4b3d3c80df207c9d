// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// A peer that is silent for too long is given up. Who is not read cannot be heard: that is no silence.
@Suite struct SilenceTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func driver(_ change: (inout SyncLimits) -> Void) -> ReplicaDriver {
        var configuration = ReplicaConfiguration()
        change(&configuration.limits)
        return ReplicaDriver(configuration: configuration)
    }

    private func records(_ request: RequestID, _ sequences: ClosedRange<UInt64>, bytes: Int) -> Records {
        let items = sequences.map { sequence in
            WireRecord(
                sequence: Sequence(rawValue: sequence), name: name("s\(sequence)"),
                stamp: stamp(1_700_000_000_000 + sequence, peer), writeCount: 1, base: nil,
                content: .envelope([UInt8](repeating: 1, count: bytes)))
        }
        return Records(
            request: request, through: Sequence(rawValue: sequences.upperBound), mark: Mark(rawValue: 9), items: items)
    }

    private func isWatched(_ driver: ReplicaDriver) {
        driver.advance(milliseconds: 20_000)
        #expect(driver.closes.isEmpty, "it has its time once it is read again")
        driver.advance(milliseconds: 12_000)
        #expect(driver.closes[link]??.code == .deadlineExceeded, "and no more")
    }

    @Test func aPeerThatHadSentTooMuchIsGivenItsTime() throws {
        let driver = driver { $0.peerByteRate = 10_000 }
        let request = try #require(driver.openPeer(peer))
        driver.receive(records(request, 1...1, bytes: 500_000), on: link)
        for _ in 0..<200 where !driver.paused.isEmpty { driver.advance(milliseconds: 1000) }
        #expect(driver.paused.isEmpty && driver.closes.isEmpty)
        isWatched(driver)
    }

    @Test func aPeerIsNotGivenUpWhileItsRecordsTakeTheirTurns() throws {
        let driver = driver { $0.claimedByteCountPerRound = 100 }
        let request = try #require(driver.openPeer(peer))
        driver.roundMilliseconds = 1000
        driver.receive(records(request, 1...300, bytes: 10), on: link)
        driver.advance(milliseconds: 1)
        #expect(driver.commits.count > 20)
        driver.roundMilliseconds = 0
        driver.advance(milliseconds: 1)
        #expect(driver.commits.map(\.rows.count).reduce(0, +) == 300)
        #expect(driver.paused.isEmpty && driver.closes.isEmpty)
        isWatched(driver)
    }

    @Test func aPeerThatWaitsForTheDiskIsNotGivenUp() throws {
        let driver = driver { $0.batchRowCount = 1 }
        let request = try #require(driver.openPeer(peer))
        driver.holdsCommits = true
        for sequence in 1...4 as ClosedRange<UInt64> {
            driver.receive(records(request, sequence...sequence, bytes: 10), on: link)
        }
        #expect(driver.paused == [link])
        driver.advance(milliseconds: 100_000)
        #expect(driver.closes.isEmpty)
        for _ in 1...4 { driver.finishCommit() }
        #expect(driver.paused.isEmpty)
        isWatched(driver)
    }

    @Test func aPeerThatDoesNotReadIsGivenUp() throws {
        let driver = driver { $0.outputHighWaterByteCount = 100 }
        driver.openPeer(peer)
        driver.blocked = [link]
        let heartbeat = Heartbeat(
            token: 1, incarnation: Incarnation(rawValue: 1), head: .zero, wallMilliseconds: 1, isSynchronised: true)
        for _ in 0..<100 { driver.receive(Ping(heartbeat), on: link) }
        #expect(driver.paused == [link])
        driver.advance(milliseconds: 31_000)
        #expect(driver.closes[link]??.code == .deadlineExceeded)
    }
}
