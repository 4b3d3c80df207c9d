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

    /// The addresses of this machine at which others may reach it, IPv4 first: not loopback, not link-local.
    package static func ofThisMachine() -> [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let pointer = entry.ifa_addr, let address = IPAddress(socketAddress: UnsafeRawPointer(pointer)),
                !address.isLoopback, !address.isLinkLocal, !found.contains(address)
            else { continue }
            found.append(address)
        }
        return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
    }

    /// The host of an address in the kernel's form; nil for one that is neither IPv4 nor IPv6.
    init?(socketAddress pointer: UnsafeRawPointer) {
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            self.init(bytes: withUnsafeBytes(of: address.sin_addr) { Array($0) })
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self)
            let zone = address.sin6_scope_id == 0 ? nil : Self.zone(of: address.sin6_scope_id)
            self.init(bytes: withUnsafeBytes(of: address.sin6_addr) { Array($0) }, zone: zone)
        default: return nil
        }
    }

    /// The number of the interface, 0 without a zone. One that is not there has a number that none has: the kernel then
    /// says so, where it would take 0 for a question that was not asked.
    var scope: UInt32 {
        guard let zone else { return 0 }
        let index = if_nametoindex(zone)
        return index != 0 ? index : UInt32(zone) ?? UInt32(Int32.max)
    }

    private static func zone(of index: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return "\(index)" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
