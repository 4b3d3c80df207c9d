// SPDX-License-Identifier: Apache-2.0
import NavSync

/// One conversation with a daemon, blocking: connect, say hello, then ask and wait for the answer.
///
/// Every call takes the deadline at which it gives up. Owned by one thread at a time. After an error other than a
/// refusal by the daemon the session is broken: make a new one.
package final class ClientSession {
    private let socket: ClientSocket
    private var cutter = FrameCutter()
    private var lastRequest: UInt64 = 0
    private let limits = SyncLimits.default
    /// The daemon said goodbye, or something that is no message: nothing that it says later can be read.
    private var isOver = false
    /// What the daemon said of itself.
    let greeting: Hello

    /// Connects and exchanges hellos.
    package init(
        to address: DaemonAddress, deadline: Deadline, interruption: Interruption? = nil
    ) throws(NavClientError) {
        socket = try ClientSocket(to: address, deadline: deadline, interruption: interruption)
        try socket.send(Hello.client(software: Software.client).frame, deadline: deadline)
        greeting = try Self.readHello(socket, &cutter, address, deadline)
    }

    /// The daemon's name and version, as it says them.
    package var daemonSoftware: String { greeting.software }

    /// For those who drive the socket themselves once hello is done.
    var descriptor: Int32 { socket.descriptor }

    /// Wakes this session's waits early.
    var interruption: Interruption? {
        get { socket.interruption }
        set { socket.interruption = newValue }
    }

    /// Whether more can be asked, as far as this end knows: reads what came since the last answer, where a daemon that stopped
    /// has said goodbye. One that says much unasked is left.
    func isUsable(_ deadline: Deadline) -> Bool {
        for _ in 0..<64 {
            guard !isOver else { return false }
            do throws(NavClientError) {
                _ = try receive(deadline: .past, answeringBefore: deadline)
            } catch {
                return error.code == .deadlineExceeded
            }
        }
        return false
    }

    /// Checks a stack's name against the one grammar for names.
    package static func checkName(_ name: String) throws(NavClientError) { _ = try stackName(name) }

    // MARK: Sending and receiving

    func send(_ message: some WireMessage, deadline: Deadline) throws(NavClientError) {
        try send(frame: message.frame, deadline: deadline)
    }

    func send(frame: [UInt8], deadline: Deadline) throws(NavClientError) {
        try socket.send(frame, deadline: deadline)
    }

    /// Asks whether the daemon is there; its pong is the next message, or a later one.
    func sendPing(deadline: Deadline) throws(NavClientError) {
        let heartbeat = Heartbeat(
            token: 1, incarnation: greeting.incarnation, head: .zero, wallMilliseconds: 0, isSynchronised: false)
        try send(Ping(heartbeat), deadline: deadline)
    }

    func newRequest() -> RequestID {
        lastRequest += 1
        return RequestID(rawValue: lastRequest)
    }

    /// Sends a request and returns its answer; a refusal is thrown.
    func ask(_ message: some WireMessage, _ request: RequestID, deadline: Deadline) throws(NavClientError) -> Message {
        try send(message, deadline: deadline)
        return try answer(to: request, deadline: deadline)
    }

    /// Waits for the answer to a request that was sent; a refusal is thrown.
    func answer(to request: RequestID, deadline: Deadline) throws(NavClientError) -> Message {
        while true {
            let message = try receive(deadline: deadline)
            switch message {
            case .error(let error) where error.request == request || error.request == .none: throw NavClientError(error)
            case .acknowledge(let answer) where answer.request == request: return message
            case .records(let answer) where answer.request == request: return message
            case .listing(let answer) where answer.request == request: return message
            case .statusReport(let answer) where answer.request == request: return message
            default: continue
            }
        }
    }

    /// The next message that is not housekeeping. What must be answered at once has the time until `answeringBefore`.
    func receive(deadline: Deadline, answeringBefore: Deadline? = nil) throws(NavClientError) -> Message {
        while true {
            let message = try nextMessage(deadline: deadline)
            switch message {
            case .ping(let ping): try send(Pong(ping.heartbeat), deadline: answeringBefore ?? deadline)
            case .goodbye(let goodbye):
                isOver = true
                throw NavClientError(goodbye)
            default: return message
            }
        }
    }

    private func nextMessage(deadline: Deadline) throws(NavClientError) -> Message {
        do throws(NavClientError) {
            return try Self.nextMessage(socket, &cutter, limit: limits.frameByteCount, deadline)
        } catch {
            if error.code == .incompatible { isOver = true }
            throw error
        }
    }

    static func unexpected() -> NavClientError {
        NavClientError(
            code: .incompatible, reason: "the daemon answered with another kind of message than was asked for",
            hint: "are this program and navsyncd of the same version?")
    }

    static func stackName(_ name: String) throws(NavClientError) -> StackName {
        do throws(SyncError) { return try StackName(name) } catch { throw NavClientError(error) }
    }

    private static func nextMessage(
        _ socket: ClientSocket, _ cutter: inout FrameCutter, limit: Int, _ deadline: Deadline,
        fault: (SyncError) -> NavClientError = { .unreadable($0.reason) }
    ) throws(NavClientError) -> Message {
        while true {
            do throws(SyncError) {
                if let frame = try cutter.next(limit: limit) {
                    // A newer daemon may say things that are not known here.
                    guard MessageType(rawValue: frame.type) != nil else { continue }
                    return try Message(reading: frame)
                }
            } catch {
                throw fault(error)
            }
            cutter.append(try socket.receive(deadline: deadline))
        }
    }

    private static func readHello(
        _ socket: ClientSocket, _ cutter: inout FrameCutter, _ address: DaemonAddress, _ deadline: Deadline
    ) throws(NavClientError) -> Hello {
        let limit = SyncLimits.default.helloFrameByteCount
        let message = try nextMessage(socket, &cutter, limit: limit, deadline) { error in
            if error.code == .versionMismatch { return NavClientError(error) }
            return NavClientError(
                code: .incompatible, reason: "what answers at \(address) does not speak navsync's protocol",
                hint: "name the daemon's socket (NAVSYNC_SOCKET)")
        }
        switch message {
        case .hello(let hello): return hello
        case .error(let error): throw NavClientError(error)
        case .goodbye(let goodbye): throw NavClientError(goodbye)
        default: throw unexpected()
        }
    }
}
