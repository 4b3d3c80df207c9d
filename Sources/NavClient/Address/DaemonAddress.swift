// SPDX-License-Identifier: Apache-2.0

/// Where a daemon of this machine listens: its Unix socket, written as `/path` or `unix:/path`.
///
/// A daemon's TCP port is for other daemons, which prove who they are. A program talks to the daemon of its own
/// machine, and that one carries the stacks.
public struct DaemonAddress: Hashable, Sendable, CustomStringConvertible {
    let path: String

    /// What fits in `sockaddr_un.sun_path` with its closing zero.
    static let maximumPathByteCount = 107

    /// Reads an address as a user writes it.
    public init(_ text: String) throws(NavClientError) {
        guard !text.hasPrefix("tcp:") else {
            throw .invalidAddress(
                "\(text) is a TCP port, which is for daemons that trust each other",
                hint: "name a Unix socket of this machine; 'navsyncctl pair' links daemons")
        }
        path = text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text
        try Self.check(path)
    }

    public var description: String { path }

    private static func check(_ path: String) throws(NavClientError) {
        guard !path.isEmpty else { throw .invalidAddress("a socket path is empty", hint: "give a path or unix:PATH") }
        guard !path.utf8.contains(0) else {
            throw .invalidAddress("a socket path holds a zero byte", hint: "give a path or unix:PATH")
        }
        let count = path.utf8.count
        guard count <= maximumPathByteCount else {
            throw .invalidAddress(
                "a socket path of \(count) bytes, Unix sockets allow \(maximumPathByteCount): \(path)",
                hint: "let the daemon listen at a shorter path, and name the same one here")
        }
    }
}
