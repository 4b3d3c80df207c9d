// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Who is read no more is told apart by what it waits for.
@Suite struct SessionWaitTests {
    private let peer = node(2)
    private let link = SessionID(rawValue: 50)

    private func driver(_ change: (inout SyncLimits) -> Void = { _ in }) -> ReplicaDriver {
        var configuration = ReplicaConfiguration()
        change(&configuration.limits)
        return ReplicaDriver(configuration: configuration)
    }

    /// What the status report says of waiting, without what is 0.
    private func waits(_ driver: ReplicaDriver) -> [String: String] {
        let client = driver.openClient(99)
        driver.receive(Status(request: RequestID(rawValue: 1)), on: client)
        var found: [String: String] = [:]
        for case .statusReport(let report) in driver.take(client) {
            for item in report.items where item.key.contains("wait") && item.value != "0" {
                found[item.key] = item.value
            }
        }
        return found
    }

    private func pushes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0..<count {
            Push(request: RequestID(rawValue: UInt64(number)), name: name("s\(number)"), envelope: [1])
                .write(to: &bytes)
        }
        return bytes
    }

    @Test func nobodyWaitsAtFirst() {
        let driver = driver()
        driver.push("a", [1], on: driver.openClient())
        #expect(waits(driver) == [:])
    }

    @Test func whoDoesNotTakeItsAnswersWaitsForItsOutput() {
        let driver = driver { $0.outputHighWaterByteCount = 1000 }
        let client = driver.openClient()
        driver.push("a", [UInt8](repeating: 1, count: 900), on: client)
        driver.blocked = [client]
        for _ in 0..<4 { _ = driver.pull("a", on: client) }
        #expect(driver.paused == [client])
        #expect(waits(driver) == ["sessions.waiting-for-output": "1"])
        driver.unblock(client)
        #expect(waits(driver) == [:])
    }

    @Test func whoHasManyRequestsUnderWayWaitsForTheirAnswers() {
        let driver = driver { $0.maximumRequestsInFlight = 4 }
        driver.holdsCommits = true
        driver.receive(pushes(9), on: driver.openClient())
        #expect(waits(driver) == ["sessions.waiting-for-requests": "1"])
    }

    @Test func whoWritesWhileTheBatchIsFullWaitsForTheStore() {
        let driver = driver { $0.batchRowCount = 4 }
        driver.holdsCommits = true
        let clients = [driver.openClient(1), driver.openClient(2)]
        driver.receive(pushes(20), on: clients[0])
        driver.receive(pushes(20), on: clients[1])
        #expect(waits(driver)["sessions.waiting-for-store"] == "2")
    }

    @Test func whoAskedAboutVersionsWaitsForTheLog() {
        let driver = driver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.holdsQuestions = true
        var frames: [UInt8] = []
        for request in 1...2 as ClosedRange<UInt64> {
            List(request: RequestID(rawValue: request), stack: name("a")).write(to: &frames)
        }
        driver.receive(frames, on: client)
        #expect(waits(driver) == ["sessions.waiting-for-history": "1"])
    }

    @Test func ofAPeerTheReportSaysWhatItWaitsFor() throws {
        let driver = driver { $0.peerByteRate = 1000 }
        let request = try #require(driver.openPeer(peer))
        let item = WireRecord(
            sequence: Sequence(rawValue: 1), name: name("a"), stamp: stamp(1_700_000_000_000, peer), writeCount: 1,
            base: nil, content: .envelope([UInt8](repeating: 1, count: 9000)))
        driver.receive(
            Records(request: request, through: Sequence(rawValue: 1), mark: Mark(rawValue: 9), items: [item]),
            on: link)
        #expect(waits(driver) == ["peer.0.waits-for": "byte-rate"])
        driver.advance(milliseconds: 20_000)
        #expect(waits(driver) == [:])
    }
}
