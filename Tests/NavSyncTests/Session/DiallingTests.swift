// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct DiallingTests {
    private let configuration = ReplicaConfiguration(targets: [PeerTarget(label: "b")])

    @Test func waitsGrowToACapWithFullJitter() {
        let policy = BackOffPolicy.default
        var generator = SeededGenerator(seed: 4)
        var sums = [UInt64](repeating: 0, count: 12)
        for _ in 0..<2000 {
            var backOff = BackOff()
            for attempt in 0..<12 {
                let wait = backOff.next(readyFor: nil, policy: policy, using: &generator)
                let ceiling = min(policy.firstNanoseconds << UInt64(attempt), policy.maximumNanoseconds)
                if wait > ceiling { Issue.record("a wait of \(wait) above \(ceiling)") }
                sums[attempt] += wait / 2000
            }
        }
        // Uniform from 0: the mean is half the ceiling.
        #expect(sums[0] > policy.firstNanoseconds / 3 && sums[0] < policy.firstNanoseconds * 2 / 3)
        #expect(sums[11] > policy.maximumNanoseconds / 3)
    }

    @Test func onlyAHealthyLinkSetsTheWaitBack() {
        let policy = BackOffPolicy.default
        var generator = SeededGenerator(seed: 5)
        var backOff = BackOff()
        for _ in 0..<20 { _ = backOff.next(readyFor: 1_000_000, policy: policy, using: &generator) }
        let waits = (0..<50).map { _ in
            backOff.next(readyFor: policy.healthyNanoseconds - 1, policy: policy, using: &generator)
        }
        #expect(waits.contains { $0 > policy.firstNanoseconds })
        #expect(
            backOff.next(readyFor: policy.healthyNanoseconds, policy: policy, using: &generator)
                <= policy.firstNanoseconds)
    }

    @Test func aPeerThatIsAwayIsDialledForEver() {
        let driver = ReplicaDriver(configuration: configuration)
        driver.settle()
        for attempt in 1...200 {
            #expect(driver.dials.count == attempt)
            driver.failDial(.first)
            driver.advance(milliseconds: 31_000)
        }
    }

    /// A peer that accepts, says hello and closes must not be dialled again and again at the same pace.
    @Test func aPeerThatClosesAfterHelloIsDialledEverMoreSeldom() {
        let driver = ReplicaDriver(configuration: configuration)
        driver.settle()
        var number: UInt64 = 100
        var dialled = 0
        for _ in 0..<600 {
            if driver.dials.count > dialled {
                dialled = driver.dials.count
                number += 1
                driver.open(SessionID(rawValue: number), .dialled(.first))
                driver.receive(driver.peerHello(node(2)), on: SessionID(rawValue: number))
                driver.lose(SessionID(rawValue: number))
            }
            driver.advance(milliseconds: 1000)
        }
        #expect(dialled > 20)
        #expect(dialled < 80)
    }

    @Test func nobodyDialsAPeerThatHasDialledUs() {
        let driver = ReplicaDriver(configuration: configuration)
        driver.settle()
        driver.open(SessionID(rawValue: 9), .dialled(.first))
        driver.receive(driver.peerHello(node(2)), on: SessionID(rawValue: 9))
        driver.lose(SessionID(rawValue: 9))
        let before = driver.dials.count
        driver.openPeer(node(2))
        for _ in 0..<100 {
            driver.advance(milliseconds: 5000)
            driver.receive(
                Ping(
                    .init(
                        token: 1, incarnation: Incarnation(rawValue: 5), head: .zero,
                        wallMilliseconds: driver.now.wallMilliseconds, isSynchronised: true)),
                on: SessionID(rawValue: 50))
        }
        #expect(driver.dials.count == before)
        // When that link ends, we dial again.
        driver.lose(SessionID(rawValue: 50))
        driver.advance(milliseconds: 31_000)
        #expect(driver.dials.count == before + 1)
    }
}
