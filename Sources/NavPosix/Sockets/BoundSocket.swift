// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A listening socket and what must be tidied up after it.
package struct BoundSocket: Sendable {
    package let descriptor: Int32
    /// Where it listens; a port that was asked for as 0 is the one that was chosen.
    package let address: SocketAddress
    package let isInherited: Bool
    /// The socket file that we made; nil for TCP and for inherited sockets, whose file is not ours to remove.
    private let file: UnixSocketFile?

    /// As many connections as may wait to be accepted; the kernel cuts it to net.core.somaxconn.
    static let backlog: Int32 = 1024

    /// Listens on a Unix socket with exactly `mode`, whatever the umask, in a directory that is made with 0750 when it
    /// is missing. A dead socket file of ours is replaced; a live one, one of another user, or another kind of file is
    /// an error and stays as it is.
    package static func unix(path: String, mode: UInt32, group: UInt32?) throws(PosixError) -> BoundSocket {
        let (descriptor, file) = try UnixSocketFile.listen(at: path, mode: mode, group: group)
        return BoundSocket(descriptor: descriptor, address: .unix(path: path), isInherited: false, file: file)
    }

    /// Takes a numeric TCP address; connections are refused until a `Listener` has it. IPv6 sockets take IPv6 only, so
    /// that both families can have the same port.
    package static func tcp(host: IPAddress, port: UInt16) throws(PosixError) -> BoundSocket {
        let system = SystemAddress.tcp(host, port: port)
        let operation = "listen on \(SocketAddress.tcp(host: "\(host)", port: port))"
        let descriptor = system.makeSocket()
        guard descriptor >= 0 else { throw .last(operation) }
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if host.isIPv6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard system.bind(descriptor) == 0,
            let address = SystemAddress.local(of: descriptor)
        else {
            let failure = PosixError.last(operation, hint: errno == EADDRINUSE ? inUseHint : nil)
            Glibc.close(descriptor)
            throw failure
        }
        return BoundSocket(descriptor: descriptor, address: address, isInherited: false, file: nil)
    }

    /// Adopts a listening socket that the service manager opened.
    package static func adopting(_ inherited: InheritedSocket) throws(PosixError) -> BoundSocket {
        let operation = "adopt the socket '\(inherited.name)'"
        guard let address = SystemAddress.local(of: inherited.descriptor) else {
            throw PosixError(errno: ENOTSOCK, operation: operation, hint: "a Unix or TCP stream socket is allowed")
        }
        var listening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(inherited.descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length) == 0, listening == 1
        else {
            throw PosixError(errno: EINVAL, operation: operation, hint: "it does not listen: Accept=no is needed")
        }
        let flags = fcntl(inherited.descriptor, F_GETFL)
        guard flags >= 0, fcntl(inherited.descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { throw .last(operation) }
        return BoundSocket(descriptor: inherited.descriptor, address: address, isInherited: true, file: nil)
    }

    /// Refuses connections no longer. A port that can be bound may still be one on which somebody else listens.
    func listen() throws(PosixError) {
        guard Glibc.listen(descriptor, Self.backlog) == 0 else {
            throw .last("listen on \(address)", hint: errno == EADDRINUSE ? Self.inUseHint : nil)
        }
    }

    /// Stops listening, and removes the socket file if it is still the one that we made.
    package func close() {
        file?.remove()
        Glibc.close(descriptor)
    }

    static let inUseHint = "another process listens there: 'ss -ltnp' shows which"
}
