// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// All session states times all messages, against the real replica.
@Suite struct SessionStateTests {
    private static let pairs = SessionState.allCases.flatMap { state in
        MessageType.allCases.map { (state, $0) }
    }

    /// A session in a state.
    private func session(_ driver: ReplicaDriver, _ state: SessionState) -> SessionID {
        let id = SessionID(rawValue: 50)
        switch state {
        case .awaitingHello: driver.open(id)
        case .client: _ = driver.openClient(50)
        case .peer: driver.openPeer(node(2), 50)
        }
        _ = driver.take(id)
        return id
    }

    @Test(arguments: pairs)
    func everyMessageIsMetAsTheTableSays(state: SessionState, type: MessageType) {
        var random = RandomMessages(seed: 7)
        for _ in 0..<2 {
            let driver = ReplicaDriver()
            let id = session(driver, state)
            var bytes: [UInt8] = []
            random.message(type).write(to: &bytes)
            driver.receive(bytes, on: id)
            let closed = driver.closes[id]
            let answers = driver.take(id)
            switch state.admission(of: type) {
            case .accept: #expect(closed??.code != .unexpectedMessage || type == .hello)
            case .ignore:
                #expect(closed == nil)
                #expect(answers.isEmpty)
            case .refuse:
                #expect(closed == nil)
                #expect(
                    answers.contains {
                        if case .error(let e) = $0 { e.error.code == .unexpectedMessage } else { false }
                    })
            case .close:
                #expect(closed??.code == .unexpectedMessage)
                #expect(answers.contains { if case .goodbye = $0 { true } else { false } })
            }
        }
    }

    @Test(arguments: SessionState.allCases)
    func anUnknownMessageIsRefusedByName(state: SessionState) {
        let driver = ReplicaDriver()
        let id = session(driver, state)
        driver.receive([0, 0, 0, 1, 200, 42], on: id)
        if state == .awaitingHello {
            #expect(driver.closes[id]??.code == .unknownMessage)
        } else {
            #expect(driver.closes[id] == nil)
            #expect(
                driver.take(id).contains { message in
                    guard case .error(let error) = message else { return false }
                    return error.error.code == .unknownMessage && error.request.rawValue == 42
                })
        }
    }

    @Test(arguments: SessionState.allCases)
    func aFrameBeyondTheStatesLimitClosesFromItsLength(state: SessionState) {
        let driver = ReplicaDriver()
        let id = session(driver, state)
        let limit = state == .awaitingHello ? 1 << 10 : (1 << 20) + (64 << 10)
        let length = UInt32(limit + 1)
        driver.receive((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }, on: id)
        #expect(driver.closes[id]??.code == .frameTooLarge)
    }

    @Test(arguments: SessionState.allCases)
    func randomBytesEndTheSessionAtMost(state: SessionState) {
        var random = RandomMessages(seed: 99)
        for _ in 0..<60 {
            let driver = ReplicaDriver()
            let id = session(driver, state)
            driver.receive(random.bytes(1...80), on: id)
            let client = driver.openClient(9)
            #expect(driver.push("a", [1], on: client) != nil)
        }
    }
}
