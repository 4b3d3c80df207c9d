// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where to listen or to dial, as it is written in a config file or on a command line.
///
///     unix:/run/navsync/navsyncd.sock     tcp:127.0.0.1:7101     tcp:[::1]:7101     tcp:localhost:7101
package enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    case unix(path: String)
    case tcp(host: String, port: UInt16)

    /// The greatest path that fits into a sockaddr_un with its closing NUL.
    package static let maximumPathByteCount = 107

    /// Why a text is not an address.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package let reason: String
        package var description: String { reason }
    }

    package init(parsing text: String) throws(ParseError) {
        if text.hasPrefix("unix:") {
            self = .unix(path: try Self.checkedPath(String(text.dropFirst(5))))
        } else if text.hasPrefix("tcp:") {
            self = try Self.parseTCP(String(text.dropFirst(4)), whole: text)
        } else {
            throw ParseError(
                reason: "'\(text)' is not an address, unix:/PATH, tcp:HOST:PORT and tcp:[IPV6]:PORT are allowed")
        }
    }

    package var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }

    /// The path, when it can be the path of a socket: absolute, not abstract, and short enough.
    package static func checkedPath(_ path: String) throws(ParseError) -> String {
        guard path.hasPrefix("/") else {
            throw ParseError(reason: "socket path '\(path)' is not absolute, a path that begins with / is allowed")
        }
        guard !path.utf8.contains(0) else { throw ParseError(reason: "a socket path holds a NUL byte") }
        guard path.utf8.count <= maximumPathByteCount else {
            throw ParseError(
                reason: "socket path of \(path.utf8.count) bytes, \(maximumPathByteCount) are allowed;"
                    + " choose a shorter one, such as /run/navsync/navsyncd.sock")
        }
        return path
    }

    private static func parseTCP(_ text: String, whole: String) throws(ParseError) -> SocketAddress {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw ParseError(reason: "'\(whole)' lacks a ]") }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard IPAddress(String(host))?.isIPv6 == true else {
                throw ParseError(reason: "'\(host)' in '\(whole)' is not an IPv6 address")
            }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
        }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), !rest.dropFirst().hasPrefix("+") else {
            let hint = text.count(where: { $0 == ":" }) > 1 ? "; an IPv6 address is written in brackets" : ""
            throw ParseError(reason: "'\(whole)' lacks a port from 0 to 65535 after the host\(hint)")
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ParseError(reason: "'\(whole)' lacks a host name or address")
        }
        return .tcp(host: String(host), port: port)
    }
}
