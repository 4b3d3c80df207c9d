// SPDX-License-Identifier: Apache-2.0

/// Where the config file, the state and the socket are when nobody says otherwise.
struct DefaultPlaces: Hashable, Sendable {
    let configurationPath: String
    let stateDirectory: String
    let socketPath: String

    static let system = DefaultPlaces(
        configurationPath: "/etc/navsync/navsyncd.conf", stateDirectory: "/var/lib/navsync",
        socketPath: "/run/navsync/navsyncd.sock")

    init(configurationPath: String, stateDirectory: String, socketPath: String) {
        self.configurationPath = configurationPath
        self.stateDirectory = stateDirectory
        self.socketPath = socketPath
    }

    /// The system's places for root, and under the system's manager, which sets STATE_DIRECTORY and RUNTIME_DIRECTORY
    /// but no XDG_RUNTIME_DIR; else the places of the XDG base directory specification.
    init(environment: [String: String], isRoot: Bool) {
        let isSystemService = environment["STATE_DIRECTORY"] != nil && environment["XDG_RUNTIME_DIR"] == nil
        let places = isRoot || isSystemService ? Self.system : Self.user(environment)
        configurationPath = places.configurationPath
        // The manager makes these and says where: it may differ, for one under DynamicUser=.
        stateDirectory = environment["STATE_DIRECTORY"].flatMap(Self.first) ?? places.stateDirectory
        socketPath =
            environment["RUNTIME_DIRECTORY"].flatMap(Self.first).map { $0 + "/navsyncd.sock" } ?? places.socketPath
    }

    private static func user(_ environment: [String: String]) -> DefaultPlaces {
        let home = environment["HOME"] ?? "/"
        let configuration = absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config"
        let state = absolute(environment["XDG_STATE_HOME"]) ?? home + "/.local/state"
        let runtime = absolute(environment["XDG_RUNTIME_DIR"])
        return DefaultPlaces(
            configurationPath: configuration + "/navsync/navsyncd.conf",
            stateDirectory: state + "/navsync",
            // Without a runtime directory the socket stands beside the state: never in a directory of everybody's.
            socketPath: (runtime ?? state) + "/navsync/navsyncd.sock")
    }

    /// The specification ignores relative paths.
    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The manager separates several directories with colons.
    private static func first(_ list: String) -> String? { list.split(separator: ":").first.map(String.init) }
}
