// SPDX-License-Identifier: Apache-2.0
import NavPosix

/// One flag of the command line. The table is help text and parser in one.
struct Flag: Sendable {
    let name: String
    /// What its value is called; nil for a flag without one.
    let value: String?
    let help: String

    static let all = [
        Flag(name: "--config", value: "FILE", help: "read FILE; without it the default file is read if it exists"),
        Flag(name: "--state-dir", value: "DIR", help: "keep the store and the identity in DIR"),
        Flag(name: "--socket", value: "PATH", help: "listen for clients and peers on this Unix socket"),
        Flag(name: "--listen", value: "ADDRESS", help: "listen on tcp:HOST:PORT too (may be repeated)"),
        Flag(name: "--peer", value: "ADDRESS", help: "dial this peer: tcp:HOST:PORT or unix:PATH (may be repeated)"),
        Flag(name: "--log-level", value: "LEVEL", help: LogLevel.choices),
        Flag(name: "--check-config", value: nil, help: "check the configuration, say what is wrong, and end"),
        Flag(name: "--version", value: nil, help: "print the version and end"),
        Flag(name: "--help", value: nil, help: "print this and end"),
    ]
}

/// What the command line asks for.
struct CommandLineOptions: Hashable, Sendable {
    enum Task: Hashable, Sendable { case run, checkConfiguration, version, help }

    var task = Task.run
    var configurationPath: String?
    /// Flags that override the file, in their order.
    var overrides: [Override] = []

    struct Override: Hashable, Sendable {
        let flag: String
        let value: String
    }

    struct UsageError: Error, Hashable, Sendable { let reason: String }

    init() {}

    /// Reads the arguments after the program's name. Both `--flag VALUE` and `--flag=VALUE` are understood.
    init(parsing arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let flag = Flag.all.first(where: { $0.name == name }) else {
                throw UsageError(reason: Self.unknown(argument, name))
            }
            var value: String?
            if flag.value != nil {
                value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
                guard value?.isEmpty == false else {
                    throw UsageError(reason: "\(name) needs a value: \(name) \(flag.value ?? "")")
                }
            } else if parts.count == 2 {
                throw UsageError(reason: "\(name) takes no value")
            }
            take(name, value ?? "")
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "--config": configurationPath = value
        case "--check-config": if task == .run { task = .checkConfiguration }
        case "--version": if task != .help { task = .version }
        case "--help": task = .help
        default: overrides.append(Override(flag: name, value: value))
        }
    }

    private static func unknown(_ argument: String, _ name: String) -> String {
        guard argument.hasPrefix("-") else { return "'\(argument)' is not a flag" }
        return "there is no flag '\(name)'" + Suggestion.clause(for: name, in: Flag.all.map(\.name))
    }
}

extension Configuration {
    /// Defaults, then the file, then the flags, then the check of the whole: the only way to a configuration, at start,
    /// for `--check-config` and at reload.
    static func load(
        _ options: CommandLineOptions, places: DefaultPlaces
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration(defaultsFor: places)
        let path = options.configurationPath ?? places.configurationPath
        if let file = try ConfigurationFile.read(path) {
            try configuration.apply(file, path: path)
        } else if options.configurationPath != nil {
            throw ConfigurationError(place: path, reason: "there is no such file")
        }
        try configuration.apply(options.overrides)
        try configuration.validate()
        return configuration
    }

    /// Flags that may be repeated replace the file's list as a whole.
    private mutating func apply(_ overrides: [CommandLineOptions.Override]) throws(ConfigurationError) {
        if overrides.contains(where: { $0.flag == "--listen" }) { listenAddresses = [] }
        if overrides.contains(where: { $0.flag == "--peer" }) { peers = [] }
        for override in overrides {
            do {
                try apply(override)
            } catch {
                throw ConfigurationError(
                    place: override.flag, reason: "'\(override.value)' is not allowed: \(error.allowed)")
            }
        }
    }

    private mutating func apply(_ override: CommandLineOptions.Override) throws(ConfigurationKey.ValueError) {
        switch override.flag {
        case "--state-dir": stateDirectory = absolutePath(override.value)
        case "--socket": socketPath = try ConfigurationKey.checkedPath(absolutePath(override.value))
        case "--listen": listenAddresses.append(try ConfigurationKey.tcpAddress(override.value))
        case "--peer": peers.append(try ConfigurationKey.address(override.value))
        default:
            guard let level = LogLevel(rawValue: override.value) else {
                throw ConfigurationKey.ValueError(allowed: LogLevel.choices)
            }
            logLevel = level
        }
    }
}
