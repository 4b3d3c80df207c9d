// SPDX-License-Identifier: Apache-2.0
import Glibc

extension IPAddress {
    /// The numeric host of a TCP address; nil for a name and for a Unix socket.
    package init?(_ address: SocketAddress) {
        guard case .tcp(let host, _) = address else { return nil }
        self.init(host)
    }

    /// 0.0.0.0 and ::, which stand for every address of this machine.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// fe80::/10: of no use without the name of an interface, which another machine does not know.
    private var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

    /// The addresses of this machine at which others may reach it, IPv4 first: not loopback, not link-local.
    package static func ofThisMachine() -> [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let pointer = entry.ifa_addr, let address = address(at: UnsafeRawPointer(pointer)),
                !address.isLoopback, !address.isLinkLocal, !found.contains(address)
            else { continue }
            found.append(address)
        }
        return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
    }

    private static func address(at pointer: UnsafeRawPointer) -> IPAddress? {
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            withUnsafeBytes(of: pointer.loadUnaligned(as: sockaddr_in.self).sin_addr) { IPAddress(bytes: Array($0)) }
        case AF_INET6:
            withUnsafeBytes(of: pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { IPAddress(bytes: Array($0)) }
        default: nil
        }
    }
}
