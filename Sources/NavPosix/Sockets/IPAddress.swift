// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A numeric IPv4 or IPv6 address; a link-local one may say on which link, as in `fe80::1%eth0`.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]
    /// The interface of a link-local address, by name or number, whether or not it is there now.
    package let zone: String?

    package var isIPv6: Bool { bytes.count == 16 }

    /// Reads the usual notations; nil for a name or for anything else.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1, inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: &four) { Array($0) })
        } else if let address = parts.first, inet_pton(AF_INET6, address, &six) == 1 {
            self.init(bytes: withUnsafeBytes(of: &six) { Array($0) }, zone: parts.count > 1 ? parts[1] : nil)
            guard parts.count == 1 || zone != nil else { return nil }
        } else {
            return nil
        }
    }

    /// 4 or 16 bytes in network order; nil for another count. A zone is dropped where it means nothing.
    package init?(bytes: [UInt8], zone: String? = nil) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.zone = Self.isLinkLocal(bytes) ? zone.flatMap { Self.isZone($0) ? $0 : nil } : nil
    }

    /// fe80::/10: of no use without the name of an interface, which another machine does not know.
    package var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// What Linux allows in the name of an interface, less what an address could not be written with.
    private static func isZone(_ text: String) -> Bool {
        (1..<Int(IF_NAMESIZE)).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/%:[]".utf8.contains($0) }
    }

    /// 127.0.0.0/8, ::1, and an IPv4 loopback address mapped into IPv6.
    package var isLoopback: Bool {
        if !isIPv6 { return bytes[0] == 127 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped { return bytes[12] == 127 }
        return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        let plain = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return zone.map { "\(plain)%\($0)" } ?? plain
    }
}
