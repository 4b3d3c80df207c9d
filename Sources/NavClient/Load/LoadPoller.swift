// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// An epoll over the connections of a run.
final class LoadPoller {
    private let descriptor: Int32
    private let connections: [LoadConnection]
    /// Those that wait for room in their socket.
    private var blocked: Set<Int> = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init(_ connections: [LoadConnection]) throws(NavClientError) {
        self.connections = connections
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .connectionLost(systemMessage(errno)) }
        for index in connections.indices { try set(EPOLL_CTL_ADD, index, EPOLLIN.rawValue) }
    }

    deinit { close(descriptor) }

    /// Calls `body` for each connection that has something to read; writes on where there was no room.
    func wait(
        timeoutMilliseconds: Int, _ body: (Int) throws(NavClientError) -> Void
    ) throws(NavClientError) {
        try watchBlocked()
        let count = epoll_wait(descriptor, &events, Int32(events.count), Int32(clamping: timeoutMilliseconds))
        if count == 0 { throw .deadlineExceeded("waiting for answers") }
        for event in events.prefix(max(0, Int(count))) {
            let index = Int(event.data.u64)
            if event.events & EPOLLOUT.rawValue != 0 { try connections[index].flush() }
            if event.events & ~EPOLLOUT.rawValue != 0 { try body(index) }
        }
    }

    private func watchBlocked() throws(NavClientError) {
        for index in connections.indices where connections[index].isBlocked != blocked.contains(index) {
            if connections[index].isBlocked {
                blocked.insert(index)
                try set(EPOLL_CTL_MOD, index, EPOLLIN.rawValue | EPOLLOUT.rawValue)
            } else {
                blocked.remove(index)
                try set(EPOLL_CTL_MOD, index, EPOLLIN.rawValue)
            }
        }
    }

    private func set(_ operation: Int32, _ index: Int, _ interest: UInt32) throws(NavClientError) {
        var event = epoll_event(events: interest, data: epoll_data_t(u64: UInt64(index)))
        guard epoll_ctl(descriptor, operation, connections[index].descriptor, &event) == 0 else {
            throw .connectionLost(systemMessage(errno))
        }
    }
}
