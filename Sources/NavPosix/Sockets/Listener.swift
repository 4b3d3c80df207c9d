// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel says.
package struct PeerCredentials: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32
    /// Its primary group and all others.
    package let groupIDs: [UInt32]

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
        groupIDs = [groupID]
    }

    /// Of the process that connected to, or made, this Unix socket; nil for another kind of socket.
    package init?(of descriptor: Int32) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        guard nav_peer_credentials(descriptor, &process, &user, &group) == 0 else { return nil }
        processID = process
        userID = user
        groupID = group
        groupIDs = [group] + Self.supplementaryGroups(of: descriptor)
    }

    /// What the kernel does not tell (it cannot, before 4.13) is no membership.
    private static func supplementaryGroups(of descriptor: Int32) -> [UInt32] {
        // The kernel allows a process 65536 groups; who has that many is looked at again with room for them.
        for capacity in [64, 65_536] {
            var groups = [UInt32](repeating: 0, count: capacity)
            let count = nav_peer_groups(descriptor, &groups, Int32(capacity))
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            guard errno == ERANGE else { return [] }
        }
        return []
    }
}

/// A connection that was just accepted: non-blocking, close-on-exec, and the receiver's to close.
package struct AcceptedSocket: Sendable {
    package let descriptor: Int32
    /// Nil for TCP.
    package let credentials: PeerCredentials?
    /// Where a TCP connection comes from.
    package let remoteAddress: IPAddress?
}

/// Accepts connections.
///
/// When descriptors or memory run out it stops for a while, longer each time, instead of being told of the same
/// connection for ever. One descriptor is held back so that the connection that could not be had is closed at once
/// rather than left waiting.
package final class Listener: ReadinessHandler {
    package let address: SocketAddress
    package let isInherited: Bool
    private let loop: EventLoop
    private let socket: BoundSocket
    private let onAccept: (AcceptedSocket) -> Void
    private let onExhaustion: (PosixError) -> Void
    private var reserve: Int32
    private var isHeld = false
    private var isClosed = false
    private var backOff: UInt64 = 0
    private var resumeTimer: LoopTimer?

    private static let acceptsPerRound = 64
    private static let shortestBackOff: UInt64 = 50_000_000
    private static let longestBackOff: UInt64 = 2_000_000_000

    /// Takes over `socket` and listens on it; when that fails the socket is closed. `onExhaustion` is called once per
    /// shortage, not per connection.
    package init(
        loop: EventLoop, socket: BoundSocket, onAccept: @escaping (AcceptedSocket) -> Void,
        onExhaustion: @escaping (PosixError) -> Void
    ) throws(PosixError) {
        self.loop = loop
        self.socket = socket
        self.address = socket.address
        self.isInherited = socket.isInherited
        self.onAccept = onAccept
        self.onExhaustion = onExhaustion
        reserve = Self.openReserve()
        do throws(PosixError) {
            // For a Unix socket again, which changes nothing.
            if !socket.isInherited { try socket.listen() }
            try loop.register(socket.descriptor, for: .readable, handler: self)
        } catch {
            isClosed = true
            closeDescriptors()
            throw error
        }
    }

    /// Stops or resumes accepting: connections wait in the kernel meanwhile.
    package func hold(_ isHeld: Bool) {
        guard self.isHeld != isHeld else { return }
        self.isHeld = isHeld
        adjustInterest()
    }

    /// Stops listening; the socket file goes too, if it is ours.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        resumeTimer?.cancel()
        loop.unregister(socket.descriptor)
        closeDescriptors()
    }

    private func closeDescriptors() {
        socket.close()
        if reserve >= 0 { Glibc.close(reserve) }
    }

    package func descriptorReady(_ readiness: Readiness) {
        for _ in 0..<Self.acceptsPerRound {
            guard !isClosed, !isHeld else { return }
            let descriptor = nav_accept(socket.descriptor)
            guard descriptor >= 0 else { return acceptFailed(errno) }
            backOff = 0
            if case .tcp = address { configureTCP(descriptor) }
            onAccept(
                AcceptedSocket(
                    descriptor: descriptor, credentials: PeerCredentials(of: descriptor),
                    remoteAddress: SystemAddress.remote(of: descriptor).flatMap(IPAddress.init)))
        }
    }

    private func acceptFailed(_ failure: Int32) {
        switch failure {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: pause(after: failure)
        // EAGAIN: no more are waiting. All else concerns one connection that has gone already.
        default: return
        }
    }

    private func pause(after failure: Int32) {
        if reserve >= 0 {
            Glibc.close(reserve)
            let refused = nav_accept(socket.descriptor)
            if refused >= 0 { Glibc.close(refused) }
            reserve = Self.openReserve()
        }
        if backOff == 0 {
            onExhaustion(PosixError(errno: failure, operation: "accept a connection on \(address)"))
        }
        backOff = min(Self.longestBackOff, max(Self.shortestBackOff, backOff * 2))
        let timer = resumeTimer ?? loop.makeTimer { [weak self] in self?.adjustInterest() }
        resumeTimer = timer
        timer.arm(at: SystemClock.monotonicNanoseconds() + backOff)
        adjustInterest()
    }

    private func adjustInterest() {
        guard !isClosed else { return }
        let isPaused = isHeld || resumeTimer?.deadline != nil
        // Cannot fail: the descriptor is registered, and changing a registration needs no memory.
        try? loop.update(socket.descriptor, for: isPaused ? [] : .readable)
    }

    private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
