// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// What the service manager is told and what it hands over. Each call does nothing when there is no service manager.
package struct ServiceManager: Sendable {
    /// What can be said. One datagram each: the manager reads a message as a whole.
    package enum Notice: Hashable, Sendable {
        case ready(status: String)
        case status(String)
        /// Carries the monotonic time, without which Type=notify-reload waits until it gives up.
        case reloading(monotonicMicroseconds: UInt64)
        case stopping(status: String)
        case watchdog
        /// Start or stop is under way and needs this much longer.
        case extendTimeout(microseconds: UInt64)

        package var text: String {
            switch self {
            case .ready(let status): "READY=1\nSTATUS=\(status)"
            case .status(let status): "STATUS=\(status)"
            case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
            case .stopping(let status): "STOPPING=1\nSTATUS=\(status)"
            case .watchdog: "WATCHDOG=1"
            case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(time)"
            }
        }
    }

    private let isEnabled: Bool

    /// Speaks to the manager that started this process.
    package static let inherited = ServiceManager(isEnabled: true)
    /// Speaks to nobody: for a second daemon in one process.
    package static let none = ServiceManager(isEnabled: false)

    /// Sends one notice. That nobody listens, or that the send failed, changes nothing for the daemon.
    package func notify(_ notice: Notice) {
        guard isEnabled else { return }
        _ = sd_notify(0, notice.text)
    }

    /// How often the manager wants `.watchdog`, in microseconds; nil when it does not watch.
    package var watchdogInterval: UInt64? {
        var interval: UInt64 = 0
        guard isEnabled, sd_watchdog_enabled(0, &interval) > 0, interval > 0 else { return nil }
        return interval
    }

    /// The sockets that were handed over, with their names. Close-on-exec is set on each. Call it once.
    package func inheritedSockets() throws(PosixError) -> [InheritedSocket] {
        guard isEnabled else { return [] }
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else { throw PosixError(errno: -count, operation: "take the service manager's sockets") }
        defer { free(names) }
        return (0..<Int(count)).map { offset in
            let name = names?[offset]
            defer { free(name) }
            return InheritedSocket(
                descriptor: SD_LISTEN_FDS_START + Int32(offset),
                name: name.map { String(cString: $0) } ?? "")
        }
    }
}

/// A listening socket that the service manager opened: it is used, and never unlinked.
package struct InheritedSocket: Hashable, Sendable {
    package let descriptor: Int32
    /// FileDescriptorName= of the socket unit.
    package let name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }
}
