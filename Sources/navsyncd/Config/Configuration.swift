// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Everything an operator decides, checked. Made from defaults, then the config file, then the flags.
struct Configuration: Hashable, Sendable {
    // [listen]
    var socketPath: String
    var socketMode: UInt32 = 0o660
    /// The name or number of the group that owns the socket; nil leaves it as the process makes it.
    var socketGroup: String?
    /// TCP addresses to listen on.
    var listenAddresses: [SocketAddress] = []

    // [peers]
    var peers: [SocketAddress] = []
    var backOff = BackOffPolicy.default
    var dialTimeoutNanoseconds: UInt64 = 10_000_000_000

    // [store]
    var stateDirectory: String

    // [limits]
    var limits = SyncLimits.default

    // [access]
    var access = LocalAccess()
    /// Whether anything was said about access: then the group of the socket has no role by itself.
    var hasAccessEntries = false

    // [log]
    var logLevel = LogLevel.info

    /// Where things are when nobody says otherwise: the system's places for root and for a service, else the user's.
    init(defaultsFor places: DefaultPlaces) {
        socketPath = places.socketPath
        stateDirectory = places.stateDirectory
    }

    /// Addresses that may not be used, and combinations that cannot work.
    func validate() throws(ConfigurationError) {
        for address in listenAddresses {
            guard case .tcp(let host, _) = address, IPAddress(host) != nil || host == "localhost" else {
                throw ConfigurationError(
                    place: "listen address", reason: "\(address) names no address of this machine: a number is needed")
            }
        }
        for address in peers {
            if case .tcp(_, 0) = address {
                throw ConfigurationError(place: "peer address", reason: "\(address) has port 0, 1 to 65535 are allowed")
            }
        }
        if case .unix(let path)? = peers.first(where: { $0 == .unix(path: socketPath) }) {
            throw ConfigurationError(place: "peer address", reason: "unix:\(path) is this daemon's own socket")
        }
        if let address = firstRepeated(listenAddresses.filter { !$0.hasAnyPort }) {
            throw ConfigurationError(place: "listen address", reason: "\(address) is there twice")
        }
        if let address = firstRepeated(peers) {
            throw ConfigurationError(place: "peer address", reason: "\(address) is there twice")
        }
    }

    private func firstRepeated(_ addresses: [SocketAddress]) -> SocketAddress? {
        var seen: Set<SocketAddress> = []
        return addresses.first { !seen.insert($0).inserted }
    }
}

extension SocketAddress {
    fileprivate var hasAnyPort: Bool {
        if case .tcp(_, 0) = self { true } else { false }
    }
}
