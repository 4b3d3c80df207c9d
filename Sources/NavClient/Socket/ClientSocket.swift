// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connected socket with a deadline on each operation. Owned by one thread at a time.
final class ClientSocket {
    let descriptor: Int32
    /// Wakes a wait early: set by who cancels.
    var interruption: Interruption?

    /// Connects, or says in one sentence why not and what to do.
    init(to address: DaemonAddress, deadline: Deadline, interruption: Interruption? = nil) throws(NavClientError) {
        let target = SocketAddress(address)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .cannotConnect(address, errno) }
        self.descriptor = descriptor
        self.interruption = interruption
        // connect obeys the send time-out; a full backlog of a Unix socket cannot be polled for.
        setSendTimeout(deadline.remainingMilliseconds)
        guard target.withPointer({ connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            if code == EAGAIN { throw .deadlineExceeded("connecting to \(address)") }
            throw .cannotConnect(address, code)
        }
        try checkOwner(address)
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw .cannotConnect(address, errno) }
    }

    deinit { close(descriptor) }

    /// Who listens at a Unix socket must be this user, root (which a service manager is), or the owner of the folder that
    /// the socket stands in. Anybody else could have put it where a daemon was expected.
    private func checkOwner(_ address: DaemonAddress) throws(NavClientError) {
        // `struct ucred`: process, user, group.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
            throw .cannotConnect(address, errno)
        }
        let user = credentials[1]
        if user == geteuid() || user == 0 { return }
        var folder = stat()
        let path = address.path
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if stat(parent, &folder) == 0, folder.st_uid == user { return }
        throw NavClientError(
            code: .unreachable, reason: "the socket \(address) belongs to user \(user), who was not expected there",
            hint: "if this is your daemon, put its socket into a folder that its user owns")
    }

    /// Sends everything.
    func send(_ bytes: [UInt8], deadline: Deadline) throws(NavClientError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, deadline: deadline, doing: "sending the request")
            } else if errno != EINTR {
                throw .connectionLost(systemMessage(errno))
            }
        }
    }

    /// The bytes that are here, at least one; waits for them.
    func receive(deadline: Deadline) throws(NavClientError) -> [UInt8] {
        while true {
            var count = 0
            let capacity = 64 * 1024
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
                count = recv(descriptor, buffer.baseAddress, capacity, 0)
                initialized = max(0, count)
            }
            if count > 0 { return bytes }
            if count == 0 { throw .connectionLost("the daemon closed the connection") }
            if errno == EAGAIN {
                try wait(for: POLLIN, deadline: deadline, doing: "waiting for the daemon's answer")
            } else if errno != EINTR {
                throw .connectionLost(systemMessage(errno))
            }
        }
    }

    private func wait(for event: Int32, deadline: Deadline, doing: String) throws(NavClientError) {
        guard !deadline.hasPassed else { throw .deadlineExceeded(doing) }
        var waits = [pollfd(fd: descriptor, events: Int16(event), revents: 0)]
        if let interruption { waits.append(pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0)) }
        let count = poll(&waits, nfds_t(waits.count), deadline.remainingMilliseconds)
        if count < 0 && errno != EINTR { throw .connectionLost(systemMessage(errno)) }
        if interruption?.isSet == true { throw .cancelled }
        if count == 0 { throw .deadlineExceeded(doing) }
    }

    private func setSendTimeout(_ milliseconds: Int32) {
        // A time of zero would mean "no time-out".
        let limited = max(1, Int(milliseconds))
        var time = timeval(tv_sec: limited / 1_000, tv_usec: (limited % 1_000) * 1_000)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
}

/// The sentence that the system has for an errno.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
