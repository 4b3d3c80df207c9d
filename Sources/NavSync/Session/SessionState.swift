// SPDX-License-Identifier: Apache-2.0

/// Where a session stands. A closed session is forgotten: there is no state for it.
package enum SessionState: Hashable, Sendable, CaseIterable {
    /// Connected; the other side has not said hello.
    case awaitingHello
    /// Hello was exchanged with a client.
    case client
    /// Hello was exchanged with a peer, and this is the link that stays.
    case peer
}

/// What a message is met with.
package enum Admission: Hashable, Sendable {
    /// Look at it.
    case accept
    /// Drop it without a word: it says nothing that matters in this state.
    case ignore
    /// Answer with a typed error, and go on.
    case refuse
    /// The other side does not keep to the protocol: say so and close.
    case close
}

extension SessionState {
    /// The whole table: each state, each message.
    package func admission(of type: MessageType) -> Admission {
        switch self {
        case .awaitingHello:
            switch type {
            case .hello, .goodbye, .error: .accept
            case .push, .pull, .list, .delete, .subscribe, .unsubscribe, .status, .records, .acknowledge, .ping, .pong,
                .listing, .statusReport, .manage:
                .close
            }
        case .client:
            switch type {
            case .push, .pull, .list, .delete, .subscribe, .unsubscribe, .status, .manage, .ping, .goodbye: .accept
            case .acknowledge, .pong, .error: .ignore
            case .records, .listing, .statusReport: .refuse
            case .hello: .close
            }
        case .peer:
            switch type {
            case .subscribe, .records, .acknowledge, .ping, .pong, .error, .goodbye: .accept
            case .unsubscribe: .ignore
            case .listing, .statusReport: .refuse
            // A peer hands on records; it gives no orders.
            case .hello, .push, .pull, .list, .delete, .status, .manage: .close
            }
        }
    }

    /// The most bytes that a frame may have.
    func frameByteCount(_ limits: SyncLimits) -> Int {
        self == .awaitingHello ? limits.helloFrameByteCount : limits.frameByteCount
    }
}

extension SyncError {
    @inline(never)
    package static func unexpectedMessage(_ type: MessageType, in state: SessionState) -> Self {
        Self(code: .unexpectedMessage, reason: "message \(type) has no place in a session in state \(state)")
    }
}
