// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Refusals reach the peer though we ask anew before the acknowledgement that would have told them.
@Suite struct AskingAgainTests {
    private let link = SessionID(rawValue: 50)
    private let peer = node(2)

    private func record(_ sequence: UInt64, _ text: String, ahead: UInt64 = 0, _ driver: ReplicaDriver) -> WireRecord {
        // Envelopes of tests that start with 0xFF are refused.
        WireRecord(
            sequence: Sequence(rawValue: sequence), name: name(text),
            stamp: stamp(driver.now.wallMilliseconds + ahead, peer), writeCount: sequence, base: nil,
            content: .envelope([text == "bad" ? 0xFF : 1]))
    }

    private func send(_ driver: ReplicaDriver, _ request: RequestID?, through: UInt64, _ items: [WireRecord]) {
        driver.receive(
            Records(
                request: request ?? .none, through: Sequence(rawValue: through), mark: Mark(rawValue: through),
                items: items), on: link)
    }

    private func asked(_ messages: [Message]) -> Subscribe? {
        for case .subscribe(let message) in messages { return message }
        return nil
    }

    /// The names that were told as refused for good under a request.
    private func refused(_ messages: [Message], _ request: RequestID?) -> [String] {
        messages.flatMap { message -> [String] in
            guard case .acknowledge(let message) = message, message.request == request else { return [] }
            return message.refused.filter { $0.code == SyncError.Code.invalidEnvelope.rawValue }
                .map { "\($0.name)" }
        }
    }

    @Test func aRefusalOfTheNewRequestIsNotToldUnderTheOld() throws {
        let driver = ReplicaDriver()
        let old = driver.openPeer(peer)
        driver.holdsCommits = true
        let early = record(2, "early", ahead: 66_000, driver)
        send(driver, old, through: 2, [record(1, "bad", driver), early])
        driver.advance(milliseconds: 7_000)
        let new = try #require(asked(driver.take(link)), "the record is due")
        #expect(new.start == .beginning)
        send(driver, new.request, through: 2, [record(1, "bad", driver), early])
        driver.finishCommit()
        driver.finishCommit()
        let messages = driver.take(link)
        #expect(refused(messages, old).isEmpty)
        #expect(refused(messages, new.request) == ["bad"])
    }

    @Test func aRefusalThatTheCursorHasPassedIsToldUnderTheNewRequest() throws {
        let driver = ReplicaDriver()
        let old = driver.openPeer(peer)
        driver.holdsCommits = true
        send(driver, old, through: 1, [record(1, "bad", driver)])
        let early = record(2, "early", ahead: 66_000, driver)
        send(driver, old, through: 2, [early])
        driver.advance(milliseconds: 7_000)
        let new = try #require(asked(driver.take(link)), "the record is due")
        guard case .cursor(let cursor) = new.start else {
            Issue.record("asked from the beginning")
            return
        }
        #expect(cursor.sequence.rawValue == 1)
        send(driver, new.request, through: 2, [early])
        driver.finishCommit()
        driver.finishCommit()
        let messages = driver.take(link)
        #expect(refused(messages, old).isEmpty)
        #expect(refused(messages, new.request) == ["bad"])
        #expect(driver.closes[link] == nil)
    }
}
