// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Reading the configuration anew: all of it is checked before any of it is used.
extension Daemon {
    func reloadConfiguration() {
        guard phase == .serving else { return }
        log(.info, .reloading)
        serviceManager.notify(.reloading(monotonicMicroseconds: SystemClock.monotonicNanoseconds() / 1000))
        do throws(ConfigurationError) {
            let fresh = try reload()
            adopt(fresh)
            log(.info, .reloaded)
            serviceManager.notify(.ready(status: statusLine))
        } catch {
            log(.error, .reloadFailed, (.reason, "\(error)"), (.hint, "nothing has changed"))
            serviceManager.notify(.ready(status: "reload failed, the old configuration holds: \(error)"))
        }
    }

    /// Takes over what can change while running, and says what cannot.
    private func adopt(_ fresh: Configuration) {
        var kept = configuration
        kept.logLevel = fresh.logLevel
        kept.dialTimeoutNanoseconds = fresh.dialTimeoutNanoseconds
        configuration = kept
        log.level = fresh.logLevel
        for name in fresh.differences(from: kept) {
            log(.warning, .reloadNeedsRestart, (.name, name), (.hint, "restart the daemon to use it"))
        }
    }
}

extension Configuration {
    /// The names of the settings in which two configurations differ.
    func differences(from other: Configuration) -> [String] {
        var names: [String] = []
        if socketPath != other.socketPath || socketMode != other.socketMode || socketGroup != other.socketGroup {
            names.append("socket")
        }
        if listenAddresses != other.listenAddresses { names.append("listen address") }
        if peers != other.peers { names.append("peer address") }
        if backOff != other.backOff { names.append("retry") }
        if stateDirectory != other.stateDirectory { names.append("store directory") }
        if limits != other.limits { names.append("limits") }
        return names
    }
}
