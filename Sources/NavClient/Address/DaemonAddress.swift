// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a daemon listens: a Unix socket or a TCP port.
///
/// Written as `unix:/path`, `/path`, `tcp:127.0.0.1:7070` or `tcp:[::1]:7070`. Hosts are numbers, or `localhost`: a
/// client never waits for a name server. They are of this machine: a client's TCP is not encrypted.
public struct DaemonAddress: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case unix(String)
        case tcp(host: String, port: UInt16)
    }

    let kind: Kind

    var isTCP: Bool { if case .tcp = kind { true } else { false } }

    /// What fits in `sockaddr_un.sun_path` with its closing zero.
    static let maximumPathByteCount = 107

    /// Reads an address as a user writes it.
    public init(_ text: String) throws(NavClientError) {
        if text.hasPrefix("tcp:") {
            self.kind = try Self.parseTCP(text.dropFirst(4), whole: text)
        } else {
            let path = text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text
            try Self.checkPath(path)
            self.kind = .unix(path)
        }
    }

    public var description: String {
        switch kind {
        case .unix(let path): path
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }

    private static func checkPath(_ path: String) throws(NavClientError) {
        guard !path.isEmpty else {
            throw .invalidAddress("a socket path is empty", hint: "give a path, unix:PATH or tcp:HOST:PORT")
        }
        guard !path.utf8.contains(0) else {
            throw .invalidAddress("a socket path holds a zero byte", hint: "give a path, unix:PATH or tcp:HOST:PORT")
        }
        let count = path.utf8.count
        guard count <= maximumPathByteCount else {
            throw .invalidAddress(
                "a socket path of \(count) bytes, Unix sockets allow \(maximumPathByteCount): \(path)",
                hint: "let the daemon listen at a shorter path (--socket) and name the same one here")
        }
    }

    private static func parseTCP(_ text: Substring, whole: String) throws(NavClientError) -> Kind {
        let isBracketed = text.hasPrefix("[")
        let separator = isBracketed ? text.lastIndex(of: "]") : text.lastIndex(of: ":")
        guard let separator else { throw malformed(whole) }
        let host = isBracketed ? text[text.index(after: text.startIndex)..<separator] : text[..<separator]
        var rest = text[separator...]
        if isBracketed { rest = rest.dropFirst() }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0, !host.isEmpty,
            isBracketed || !host.contains(":")
        else { throw malformed(whole) }
        let number = host == "localhost" ? "127.0.0.1" : String(host)
        switch SocketAddress.isLoopback(number) {
        case true?: break
        case false?:
            throw .invalidAddress(
                "\(whole) is another machine, and a client's TCP is neither encrypted nor authenticated",
                hint: "use a loopback address or the Unix socket; daemons carry the stacks between machines")
        case nil:
            throw .invalidAddress(
                "the host of \(whole) is neither a number nor localhost",
                hint: "write the address as a number, such as tcp:127.0.0.1:\(port)")
        }
        return .tcp(host: number, port: port)
    }

    private static func malformed(_ text: String) -> NavClientError {
        .invalidAddress("\(text) is not an address", hint: "write tcp:127.0.0.1:PORT or tcp:[::1]:PORT")
    }
}
