// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// Reading the configuration anew: all of it is checked before any of it is used.
extension Daemon {
    func reloadConfiguration() {
        guard phase == .serving else { return }
        log(.info, .reloading)
        serviceManager.notify(.reloading(monotonicMicroseconds: SystemClock.monotonicNanoseconds() / 1000))
        do {
            try adopt(try reload())
            log(.info, .reloaded)
            serviceManager.notify(.ready(status: statusLine))
        } catch {
            log(.error, .reloadFailed, (.reason, "\(error)"), (.hint, "nothing has changed"))
            serviceManager.notify(.ready(status: "reload failed, the old configuration holds: \(error)"))
        }
    }

    /// Takes over what can change while running, and says what cannot. What may fail comes first.
    private func adopt(_ fresh: Configuration) throws {
        let group = try socketGroup()
        try changeListeners(to: fresh.listenAddresses)
        changePeers(to: fresh.peers)
        configuration.listenAddresses = fresh.listenAddresses
        configuration.peers = fresh.peers
        configuration.logLevel = fresh.logLevel
        configuration.access = fresh.access
        configuration.hasAccessEntries = fresh.hasAccessEntries
        trust?.access = fresh.localAccess(socketGroup: group)
        changeRoles()
        configuration.dialTimeoutNanoseconds = fresh.dialTimeoutNanoseconds
        log.level = fresh.logLevel
        for name in fresh.differences(from: configuration) {
            log(.warning, .reloadNeedsRestart, (.name, name), (.hint, "restart the daemon to use it"))
        }
    }

    private func changePeers(to addresses: [SocketAddress]) {
        for (target, address) in targetAddresses where pairedTargets[target] == nil && !addresses.contains(address) {
            targetAddresses[target] = nil
            fruitlessDials[target] = nil
            dialers.removeValue(forKey: target)?.cancel()
            replica?.targetRemoved(target)
            for open in connections.values where open.origin == .dialled(target) { open.connection.close() }
        }
        let present = Set(targetAddresses.values)
        for address in addresses where !present.contains(address) {
            guard let target = replica?.targetAdded(PeerTarget(label: "\(address)"), at: now()) else { return }
            targetAddresses[target] = address
        }
    }
}

extension Configuration {
    /// The names of the settings in which two configurations differ and that are read only at the start.
    func differences(from other: Configuration) -> [String] {
        var names: [String] = []
        if socketPath != other.socketPath || socketMode != other.socketMode || socketGroup != other.socketGroup {
            names.append("socket")
        }
        if backOff != other.backOff { names.append("retry") }
        if stateDirectory != other.stateDirectory { names.append("store directory") }
        if limits != other.limits { names.append("limits") }
        return names
    }
}
