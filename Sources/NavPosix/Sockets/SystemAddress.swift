// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An address in the kernel's form, and the calls that want it so.
struct SystemAddress: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    /// `path` must have passed `SocketAddress.checkedPath`.
    static func unix(_ path: String) -> SystemAddress {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(capacity)) }
        return SystemAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: &address) { Array($0) })
    }

    static func tcp(_ host: IPAddress, port: UInt16) -> SystemAddress {
        if host.isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = host.scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: host.bytes) }
            return SystemAddress(family: AF_INET6, bytes: withUnsafeBytes(of: &address) { Array($0) })
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: host.bytes) }
        return SystemAddress(family: AF_INET, bytes: withUnsafeBytes(of: &address) { Array($0) })
    }

    /// A new non-blocking, close-on-exec stream socket of this family; -1 and errno on failure.
    func makeSocket() -> Int32 {
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        return socket(family, Int32(flags), 0)
    }

    func bind(_ descriptor: Int32) -> Int32 { withPointer { Glibc.bind(descriptor, $0, $1) } }

    func connect(_ descriptor: Int32) -> Int32 { withPointer { Glibc.connect(descriptor, $0, $1) } }

    private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress else { return -1 }
            return body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }

    /// The local address of a bound socket; nil when it is neither Unix nor TCP.
    static func local(of descriptor: Int32) -> SocketAddress? { name(of: descriptor, getsockname) }

    /// The address at the other end; nil when it is neither Unix nor TCP.
    static func remote(of descriptor: Int32) -> SocketAddress? { name(of: descriptor, getpeername) }

    private typealias NameCall = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

    private static func name(of descriptor: Int32, _ call: NameCall) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let family = Int32(storage.ss_family)
        return withUnsafeBytes(of: &storage) { decode($0, family: family) }
    }

    private static func decode(_ raw: UnsafeRawBufferPointer, family: Int32) -> SocketAddress? {
        guard let start = raw.baseAddress else { return nil }
        switch family {
        case AF_INET, AF_INET6:
            // Both have the port at the same place.
            let port = UInt16(bigEndian: start.loadUnaligned(as: sockaddr_in.self).sin_port)
            return IPAddress(socketAddress: start).map { .tcp(host: "\($0)", port: port) }
        case AF_UNIX:
            let path = raw.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
            return .unix(path: String(decoding: path, as: UTF8.self))
        default:
            return nil
        }
    }
}

/// Options that every TCP connection gets: small messages go out at once, and a peer that vanished without a word is
/// found by the kernel even when nothing is sent.
func configureTCP(_ descriptor: Int32) {
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
}

/// Sets an integer option. Options set here are improvements: a kernel that lacks one is no failure.
func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
}
