// SPDX-License-Identifier: Apache-2.0

/// A client's session with its daemon: made when it is needed, dropped when it broke.
struct LastingSession {
    private let address: DaemonAddress
    private var session: ClientSession?

    init(_ address: DaemonAddress) { self.address = address }

    mutating func run<Answer>(
        _ deadline: Deadline, _ interruption: Interruption,
        _ body: (ClientSession, Deadline) throws(NavClientError) -> Answer
    ) throws(NavClientError) -> Answer {
        if interruption.isSet { throw .cancelled }
        if deadline.hasPassed { throw .deadlineExceeded("waiting for earlier calls") }
        do throws(NavClientError) {
            let session = try usableSession(deadline, interruption)
            return try body(session, deadline)
        } catch {
            if !error.leavesSessionUsable { session = nil }
            throw error
        }
    }

    private mutating func usableSession(
        _ deadline: Deadline, _ interruption: Interruption
    ) throws(NavClientError) -> ClientSession {
        if let session, session.isUsable(deadline) {
            session.interruption = interruption
            return session
        }
        let session = try ClientSession(to: address, deadline: deadline, interruption: interruption)
        self.session = session
        return session
    }
}

extension NavClientError {
    /// Whether it is the answer to one request, after which the next can be asked.
    fileprivate var leavesSessionUsable: Bool {
        switch code {
        case .notFound, .staleBase, .invalidName, .invalidPath, .tooLarge: true
        default: false
        }
    }
}
