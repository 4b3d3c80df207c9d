// SPDX-License-Identifier: Apache-2.0

/// Which TCP addresses may be listened on and dialled while peers are not authenticated: those of this machine.
package enum LoopbackRule {
    /// Why `address` may not be used; nil when it may. A name other than localhost is refused, because what it stands
    /// for is known only when it is resolved, and may change.
    package static func refusal(of address: SocketAddress) -> String? {
        guard case .tcp(let host, _) = address else { return nil }
        if let numeric = IPAddress(host) { return numeric.isLoopback ? nil : refusal(text: "\(address)") }
        return isLocalName(host) ? nil : refusal(text: "\(address)")
    }

    /// The same for an address that a name was resolved to.
    package static func refusal(of resolved: IPAddress) -> String? {
        resolved.isLoopback ? nil : refusal(text: "\(resolved)")
    }

    static func isLocalName(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    private static func refusal(text: String) -> String {
        "\(text) is not a loopback address, only 127.0.0.0/8, [::1] and localhost are allowed"
            + " because peers are not authenticated yet"
    }
}
