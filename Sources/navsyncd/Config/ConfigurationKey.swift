// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// One key of the config file. The table below is the whole vocabulary: parser, manual page and example are compared
/// with it.
struct ConfigurationKey: Sendable {
    let section: String
    let name: String
    /// Whether it may stand several times.
    let isRepeatable: Bool
    /// Puts the value in place; throws what is allowed instead.
    let apply: @Sendable (String, inout Configuration) throws(ValueError) -> Void

    /// What a value may be.
    struct ValueError: Error, Sendable { let allowed: String }

    static let all: [ConfigurationKey] = listen + access + peers + store + limits + log

    static var sections: [String] {
        all.reduce(into: []) { names, key in if !names.contains(key.section) { names.append(key.section) } }
    }

    private static let listen = [
        one("listen", "socket") { value, configuration throws(ValueError) in
            configuration.socketPath = try checkedPath(value)
        },
        one("listen", "socket-mode") { value, configuration throws(ValueError) in
            guard value.count == 4, value.hasPrefix("0"), let mode = UInt32(value, radix: 8), mode & 0o111 == 0,
                mode & 0o600 == 0o600
            else { throw ValueError(allowed: "an octal mode such as 0660, readable and writable by the owner") }
            configuration.socketMode = mode
        },
        one("listen", "socket-group") { value, configuration throws(ValueError) in configuration.socketGroup = value },
        many("listen", "address") { value, configuration throws(ValueError) in
            configuration.listenAddresses.append(try tcpAddress(value))
        },
    ]

    private static let access = [
        many("access", "reader") { value, configuration throws(ValueError) in
            try configuration.grant(.reader, to: value)
        },
        many("access", "writer") { value, configuration throws(ValueError) in
            try configuration.grant(.writer, to: value)
        },
        many("access", "administrator") { value, configuration throws(ValueError) in
            try configuration.grant(.administrator, to: value)
        },
    ]

    private static let peers = [
        many("peers", "address") { value, configuration throws(ValueError) in
            configuration.peers.append(try address(value))
        },
        one("peers", "retry-first") { value, configuration throws(ValueError) in
            configuration.backOff.firstNanoseconds = try duration(value, 10_000_000...60_000_000_000)
        },
        one("peers", "retry-max") { value, configuration throws(ValueError) in
            configuration.backOff.maximumNanoseconds = try duration(value, 100_000_000...3_600_000_000_000)
        },
        one("peers", "dial-timeout") { value, configuration throws(ValueError) in
            configuration.dialTimeoutNanoseconds = try duration(value, 100_000_000...300_000_000_000)
        },
        one("peers", "heartbeat") { value, configuration throws(ValueError) in
            let interval = try duration(value, 100_000_000...600_000_000_000)
            configuration.limits.heartbeatNanoseconds = interval
            // Two lost heartbeats are bad luck, three are a lost peer.
            configuration.limits.silenceNanoseconds = interval * 3
        },
    ]

    private static let store = [
        one("store", "directory") { value, configuration throws(ValueError) in
            guard value.hasPrefix("/") else { throw ValueError(allowed: "an absolute path") }
            configuration.stateDirectory = value
        }
    ]

    private static let limits = [
        one("limits", "envelope-size") { value, configuration throws(ValueError) in
            configuration.limits.maximumEnvelopeByteCount = try bytes(value, 1024...(1 << 20))
        },
        one("limits", "max-drift") { value, configuration throws(ValueError) in
            configuration.limits.maximumDriftMilliseconds =
                try duration(value, 1_000_000_000...86_400_000_000_000) / 1_000_000
        },
        one("limits", "sessions") { value, configuration throws(ValueError) in
            configuration.limits.maximumSessions = try count(value, 8...100_000)
        },
        one("limits", "requests-in-flight") { value, configuration throws(ValueError) in
            configuration.limits.maximumRequestsInFlight = try count(value, 1...65_536)
        },
        one("limits", "subscriptions") { value, configuration throws(ValueError) in
            configuration.limits.maximumSubscriptions = try count(value, 1...1024)
        },
        one("limits", "peer-byte-rate") { value, configuration throws(ValueError) in
            configuration.limits.peerByteRate = try bytes(value, byteRates)
        },
        one("limits", "user-byte-rate") { value, configuration throws(ValueError) in
            configuration.limits.userByteRate = try bytes(value, byteRates)
        },
        one("limits", "handshake-timeout") { value, configuration throws(ValueError) in
            configuration.limits.handshakeNanoseconds = try duration(value, 100_000_000...60_000_000_000)
        },
    ]

    /// At the lowest, the greatest frame is read before the other end takes the silence for the end of the link.
    private static let byteRates = 64 << 10...1 << 30

    private static let log = [
        one("log", "level") { value, configuration throws(ValueError) in
            guard let level = LogLevel(rawValue: value) else { throw ValueError(allowed: LogLevel.choices) }
            configuration.logLevel = level
        }
    ]

    private typealias Apply = @Sendable (String, inout Configuration) throws(ValueError) -> Void

    private static func one(_ section: String, _ name: String, _ apply: @escaping Apply) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name, isRepeatable: false, apply: apply)
    }

    private static func many(_ section: String, _ name: String, _ apply: @escaping Apply) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name, isRepeatable: true, apply: apply)
    }
}

extension ConfigurationKey {
    static func checkedPath(_ value: String) throws(ValueError) -> String {
        do {
            return try SocketAddress.checkedPath(value)
        } catch {
            throw ValueError(allowed: error.reason)
        }
    }

    static func address(_ value: String) throws(ValueError) -> SocketAddress {
        do {
            return try SocketAddress(parsing: value)
        } catch {
            throw ValueError(allowed: error.reason)
        }
    }

    static func tcpAddress(_ value: String) throws(ValueError) -> SocketAddress {
        let address = try address(value)
        guard case .tcp = address else {
            throw ValueError(allowed: "tcp:HOST:PORT; the Unix socket is set by 'socket'")
        }
        return address
    }

    private static func duration(_ value: String, _ range: ClosedRange<UInt64>) throws(ValueError) -> UInt64 {
        guard let duration = Quantity.nanoseconds(value), range.contains(duration) else {
            let low = Quantity.spell(nanoseconds: range.lowerBound)
            let high = Quantity.spell(nanoseconds: range.upperBound)
            let units = Quantity.names(of: Quantity.durationUnits)
            throw ValueError(allowed: "a duration from \(low) to \(high), with its unit (\(units))")
        }
        return duration
    }

    private static func bytes(_ value: String, _ range: ClosedRange<Int>) throws(ValueError) -> Int {
        guard let bytes = Quantity.bytes(value), range.contains(bytes) else {
            let units = Quantity.names(of: Quantity.sizeUnits)
            throw ValueError(
                allowed: "a size from \(range.lowerBound) to \(range.upperBound) bytes (units: \(units))")
        }
        return bytes
    }

    private static func count(_ value: String, _ range: ClosedRange<Int>) throws(ValueError) -> Int {
        guard let count = Int(value), range.contains(count) else {
            throw ValueError(allowed: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }
}

extension Configuration {
    /// Puts a file's entries in place.
    mutating func apply(_ file: ConfigurationFile, path: String) throws(ConfigurationError) {
        for section in file.sections where !ConfigurationKey.sections.contains(section.name) {
            let clause = Suggestion.clause(for: section.name, in: ConfigurationKey.sections)
            throw ConfigurationError(
                place: "\(path):\(section.line)", reason: "there is no section [\(section.name)]\(clause)")
        }
        var seen: Set<String> = []
        for entry in file.entries {
            let place = "\(path):\(entry.line)"
            let key = try Self.key(of: entry, place: place)
            guard key.isRepeatable || seen.insert("\(entry.section).\(entry.key)").inserted else {
                throw ConfigurationError(place: place, reason: "'\(entry.key)' is there twice in [\(entry.section)]")
            }
            do {
                try key.apply(entry.value, &self)
            } catch {
                throw ConfigurationError(
                    place: place, reason: "'\(entry.value)' is not allowed for '\(entry.key)': \(error.allowed)")
            }
        }
    }

    private static func key(
        of entry: ConfigurationFile.Entry, place: String
    ) throws(ConfigurationError) -> ConfigurationKey {
        let keys = ConfigurationKey.all.filter { $0.section == entry.section }
        guard let key = keys.first(where: { $0.name == entry.key }) else {
            let clause = Suggestion.clause(for: entry.key, in: keys.map(\.name))
            throw ConfigurationError(
                place: place, reason: "there is no key '\(entry.key)' in [\(entry.section)]\(clause)")
        }
        return key
    }
}
