// SPDX-License-Identifier: Apache-2.0
import Glibc

extension DaemonAddress {
    /// The socket of the daemon that the system runs.
    public static let systemSocketPath = "/run/navsync/navsyncd.sock"

    /// Finds the daemon in the documented order: `explicit` (a flag), `NAVSYNC_SOCKET`, the user's own daemon if its
    /// socket exists (`$XDG_RUNTIME_DIR/navsync/navsyncd.sock`), the system's.
    ///
    /// `environment` looks up a variable. Only the file system is asked, no connection is made.
    public static func search(
        explicit: String? = nil, environment: (String) -> String? = processVariable
    ) throws(NavClientError) -> DaemonAddress {
        if let explicit { return try DaemonAddress(explicit) }
        if let variable = environment("NAVSYNC_SOCKET"), !variable.isEmpty { return try DaemonAddress(variable) }
        if let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
            let path = directory + "/navsync/navsyncd.sock"
            if access(path, F_OK) == 0 { return try DaemonAddress(path) }
        }
        return try DaemonAddress(systemSocketPath)
    }

    /// A variable of this process's environment.
    public static func processVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
