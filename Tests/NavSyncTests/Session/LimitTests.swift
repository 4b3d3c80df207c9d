// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// What one connection may have under way: more waits or is refused, and nothing is lost.
@Suite struct LimitTests {
    private func driver(_ change: (inout SyncLimits) -> Void) -> ReplicaDriver {
        var configuration = ReplicaConfiguration()
        change(&configuration.limits)
        return ReplicaDriver(configuration: configuration)
    }

    @Test func requestsBeyondTheLimitWaitAndAreAllAnswered() {
        let driver = driver { $0.maximumRequestsInFlight = 4 }
        let client = driver.openClient()
        driver.holdsCommits = true
        for number in 1...10 as ClosedRange<UInt64> {
            driver.push("s\(number)", [1], on: client, request: number)
        }
        #expect(driver.paused == [client])
        #expect(driver.commits.isEmpty)
        var answered: Set<UInt64> = []
        for _ in 0..<20 where driver.heldCommit != nil {
            #expect(driver.heldCommit.map { $0.rows.count <= 4 } == true)
            driver.finishCommit()
            for case .acknowledge(let message) in driver.take(client) { answered.insert(message.request.rawValue) }
        }
        #expect(answered == Set(1...10))
        #expect(driver.paused.isEmpty)
    }

    @Test func oneClientsRequestsDoNotHoldUpAnother() {
        let driver = driver { $0.maximumRequestsInFlight = 1 }
        let (greedy, modest) = (driver.openClient(1), driver.openClient(2))
        driver.push("there", [1], on: modest)
        driver.holdsCommits = true
        for number in 1...10 as ClosedRange<UInt64> { driver.push("a", [1], on: greedy, request: number) }
        #expect(driver.paused == [greedy])
        #expect(driver.pull("there", on: modest) != nil)
    }

    @Test func aSubscriptionTooManyIsRefusedAndTheOthersGoOn() {
        let driver = driver { $0.maximumSubscriptions = 2 }
        let client = driver.openClient()
        var refused: [UInt64] = []
        for number in 1...3 as ClosedRange<UInt64> {
            driver.receive(Subscribe(request: RequestID(rawValue: number), start: .now), on: client)
        }
        for case .error(let message) in driver.take(client) {
            #expect(message.code == SyncError.Code.limitExceeded.rawValue)
            refused.append(message.request.rawValue)
        }
        #expect(refused == [3])
        driver.push("a", [1], on: driver.openClient(2))
        var told: Set<UInt64> = []
        for case .records(let message) in driver.take(client) { told.insert(message.request.rawValue) }
        #expect(told == [1, 2])
    }
}
