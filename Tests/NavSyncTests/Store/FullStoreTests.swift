// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// A store with room for removals only: they go through whatever others write.
@Suite struct FullStoreTests {
    /// Answers by request: nil is an acknowledgement.
    private func answers(_ messages: [Message]) -> [UInt64: SyncError.Code?] {
        var answers: [UInt64: SyncError.Code?] = [:]
        for message in messages {
            switch message {
            case .acknowledge(let message): answers[message.request.rawValue] = .some(nil)
            case .error(let message): answers[message.request.rawValue] = message.error.code
            default: break
            }
        }
        return answers
    }

    private func push(_ text: String, _ request: UInt64) -> [UInt8] {
        Push(request: RequestID(rawValue: request), name: name(text), envelope: [UInt8(request % 200)]).frame
    }

    private func delete(_ text: String, _ request: UInt64) -> [UInt8] {
        Delete(request: RequestID(rawValue: request), name: name(text)).frame
    }

    private func makeDriver(stackCount: Int) -> (ReplicaDriver, writer: SessionID, remover: SessionID) {
        let driver = ReplicaDriver()
        let writer = driver.openClient(1)
        for number in 0..<stackCount { driver.push("n\(number)", [1], on: writer) }
        return (driver, writer, driver.openClient(2))
    }

    @Test func aRemovalInABatchWithoutRoomIsCommittedByItself() {
        let (driver, writer, remover) = makeDriver(stackCount: 3)
        driver.store.isFull = true
        driver.holdsCommits = true
        driver.receive(push("first", 10), on: writer)
        driver.receive(push("n0", 11) + push("new", 12), on: writer)
        driver.receive(delete("n0", 20) + delete("n1", 21) + delete("new", 22), on: remover)
        driver.holdsCommits = false
        driver.finishCommit()
        #expect(answers(driver.take(writer)) == [10: .storeFull, 11: .storeFull, 12: .storeFull])
        // What was never kept needs no removal, and is said not to be kept.
        #expect(answers(driver.take(remover)) == [20: nil, 21: nil, 22: .storeFull])
        #expect(driver.pull("n0", on: writer) == nil)
        #expect(driver.pull("n1", on: writer) == nil)
        #expect(driver.pull("n2", on: writer) != nil)
        #expect(!driver.events.contains(.storeRecovered))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func noRemovalFailsBecauseOthersWriteAtTheSameTime(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (driver, writer, remover) = makeDriver(stackCount: 200)
        driver.store.isFull = true
        driver.holdsCommits = true
        var request: UInt64 = 100
        var removals: Set<UInt64> = []
        var answered: [UInt64: SyncError.Code?] = [:]
        for number in 0..<200 {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                request += 1
                driver.receive(push("w\(request % 7)", request), on: writer)
            }
            request += 1
            removals.insert(request)
            driver.receive(delete("n\(number)", request), on: remover)
            if Bool.random(using: &generator) { driver.finishCommit() }
        }
        for _ in 0..<100 { driver.finishCommit() }
        answered = answers(driver.take(remover))
        #expect(answered.count == 200, "seed \(seed)")
        #expect(answered.allSatisfy { removals.contains($0.key) && $0.value == nil }, "seed \(seed)")
        #expect(answers(driver.take(writer)).values.allSatisfy { $0 == .storeFull }, "seed \(seed)")
        #expect(driver.events.count { if case .storeFull = $0 { true } else { false } } == 1, "seed \(seed)")
    }

    @Test func whileTheStoreIsFullOneWriteAtATimeFindsOutAndThenAllGoOn() {
        let (driver, writer, remover) = makeDriver(stackCount: 1)
        driver.store.isFull = true
        driver.receive(push("a", 1), on: writer)
        driver.holdsCommits = true
        _ = driver.take(writer)
        driver.receive(push("a", 2) + push("b", 3) + push("c", 4), on: writer)
        #expect(driver.heldCommit?.rows.count == 1)
        #expect(answers(driver.take(writer)) == [3: .storeFull, 4: .storeFull])
        driver.store.isFull = false
        driver.holdsCommits = false
        driver.finishCommit()
        #expect(answers(driver.take(writer)) == [2: nil])
        #expect(driver.events.contains(.storeRecovered))
        driver.receive(push("b", 5) + push("c", 6), on: writer)
        driver.receive(delete("n0", 7), on: remover)
        #expect(answers(driver.take(writer)) == [5: nil, 6: nil])
        #expect(answers(driver.take(remover)) == [7: nil])
    }

    @Test func aRemovalThatFindsNoRoomByItselfFails() {
        let (driver, _, remover) = makeDriver(stackCount: 2)
        driver.store.failure = .full("not even for that")
        driver.holdsCommits = true
        driver.receive(delete("n0", 1), on: remover)
        driver.receive(delete("n1", 2), on: remover)
        driver.finishCommit()
        #expect(answers(driver.take(remover)) == [1: .storeFull, 2: .storeFull])
        #expect(driver.heldCommit == nil)
        #expect(driver.pull("n0", on: remover) != nil)
    }
}
