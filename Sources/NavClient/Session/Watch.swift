// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync

/// What a watch tells.
package enum WatchEvent: Hashable, Sendable {
    case change(StackChange)
    /// The connection broke, for the given reason; the next event tells how it went.
    case reconnecting(String)
    case reconnected
}

/// A blocking watch of all stacks under a prefix that outlives its connection.
///
/// Reads only as fast as it is asked: a slow reader costs the daemon a cursor, not a queue, and gets the newest state
/// of each stack. When the connection breaks it is made again, for up to `patienceMilliseconds`, and the watch goes on
/// behind what it has told.
package struct Watch {
    package let address: DaemonAddress
    private let prefix: [UInt8]
    private let startsWithPresent: Bool
    private let timeoutMilliseconds: Int
    private let interruption: Interruption?

    private var session: ClientSession?
    private var subscription = RequestID.none
    private var waiting: ArraySlice<WireRecord> = []
    private var cursor: WatchCursor
    private var outage: Outage?

    /// How long a daemon may be away.
    package static let patienceMilliseconds = 30_000

    package init(
        address: DaemonAddress, prefix: String, startsWithPresent: Bool, timeoutMilliseconds: Int,
        interruption: Interruption? = nil
    ) {
        self.address = address
        self.prefix = Array(prefix.utf8)
        cursor = WatchCursor(prefix: self.prefix)
        self.startsWithPresent = startsWithPresent
        self.timeoutMilliseconds = timeoutMilliseconds
        self.interruption = interruption
    }

    /// Connects and subscribes. A change that is made after this returns will be told.
    package mutating func start() throws(NavClientError) {
        let start: SubscriptionStart = startsWithPresent ? .beginning : .now
        let (incarnation, answer) = try subscribe(start)
        cursor.begin(incarnation, answer, from: start)
    }

    /// The next event; waits for it without limit, but notices a dead daemon.
    package mutating func next() throws(NavClientError) -> WatchEvent {
        while true {
            if let event = try next(before: .never) { return event }
        }
    }

    /// The next event; nil when there was none before the deadline.
    package mutating func next(before deadline: Deadline) throws(NavClientError) -> WatchEvent? {
        while true {
            if outage != nil { return try reconnect() }
            if let record = waiting.popFirst() { return .change(StackChange(record)) }
            do throws(NavClientError) {
                try receiveRecords(before: deadline)
            } catch {
                if error.code == .deadlineExceeded, deadline.hasPassed { return nil }
                // Asked again, it connects again: what comes after what could not be read cannot be read either.
                session = nil
                guard error.mayPass else { throw error }
                outage = Outage(giveUp: .after(milliseconds: Self.patienceMilliseconds))
                return .reconnecting(error.reason)
            }
        }
    }

    /// The next change, silently connecting again where needed.
    mutating func nextChange() throws(NavClientError) -> StackChange {
        while true {
            if case .change(let change) = try next() { return change }
        }
    }

    private mutating func receiveRecords(before deadline: Deadline) throws(NavClientError) {
        guard let session else { throw .connectionLost("it was never made") }
        guard case .records(let records) = try message(session, before: deadline), records.request == subscription
        else { return }
        waiting = cursor.news(in: records)[...]
    }

    /// The next message. After a silence as long as the time-out the daemon is asked whether it is there.
    private func message(_ session: ClientSession, before limit: Deadline) throws(NavClientError) -> Message {
        do throws(NavClientError) {
            return try session.receive(deadline: min(limit, .after(milliseconds: timeoutMilliseconds)))
        } catch {
            guard error.code == .deadlineExceeded, !limit.hasPassed else { throw error }
            let deadline = Deadline.after(milliseconds: timeoutMilliseconds)
            try session.sendPing(deadline: deadline)
            return try session.receive(deadline: deadline)
        }
    }

    // MARK: The connection

    private mutating func subscribe(
        _ start: SubscriptionStart
    ) throws(NavClientError) -> (Incarnation, Acknowledge) {
        let deadline = Deadline.after(milliseconds: timeoutMilliseconds)
        let session = try ClientSession(to: address, deadline: deadline, interruption: interruption)
        let request = session.newRequest()
        let subscribe = Subscribe(request: request, prefix: prefix, start: start)
        guard case .acknowledge(let answer) = try session.ask(subscribe, request, deadline: deadline) else {
            throw ClientSession.unexpected()
        }
        self.session = session
        subscription = request
        waiting = []
        return (session.greeting.incarnation, answer)
    }

    private mutating func reconnect() throws(NavClientError) -> WatchEvent {
        while let current = outage {
            do throws(NavClientError) {
                let (incarnation, answer) = try subscribe(cursor.start)
                cursor.resume(incarnation, answer)
                outage = nil
            } catch {
                guard error.mayPass, !current.giveUp.hasPassed else { throw error }
                try pause(milliseconds: current.delayMilliseconds)
                outage?.delayMilliseconds = min(1_000, current.delayMilliseconds * 2)
            }
        }
        return .reconnected
    }

    private func pause(milliseconds: Int32) throws(NavClientError) {
        var wait = pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, milliseconds)
        if interruption?.isSet == true { throw .cancelled }
    }
}

/// A time without a connection.
private struct Outage {
    let giveUp: Deadline
    var delayMilliseconds: Int32 = 20
}

extension NavClientError {
    /// Whether a daemon that is restarted may answer better.
    fileprivate var mayPass: Bool {
        code == .connectionLost || code == .unreachable || code == .deadlineExceeded
    }
}

extension StackChange {
    fileprivate init(_ record: WireRecord) {
        let kind: Kind =
            switch record.content {
            case .tombstone: .removed
            case .envelope(let envelope): .written(envelope)
            case .omitted: .written([])
            }
        self.init(name: record.name.description, stamp: StackStamp(record.stamp), kind: kind)
    }
}
