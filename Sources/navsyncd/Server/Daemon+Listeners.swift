// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

/// The sockets that the daemon listens on: its own and those of the service manager.
extension Daemon {
    /// Takes what the manager hands over and the configured TCP ports, without listening yet.
    ///
    /// A socket that was handed over takes the place of the configured one of its kind: binding again could only fail.
    func reserveSockets() throws {
        var hasInheritedTCP = false
        for inherited in try serviceManager.inheritedSockets() {
            let socket = try adopt(inherited)
            if case .tcp = socket.address { hasInheritedTCP = true }
            reserved.append(ReservedSocket(socket: socket, configured: nil))
            log(.info, .adopted, (.name, inherited.name), (.address, socket.address))
        }
        guard !hasInheritedTCP else { return }
        for address in configuration.listenAddresses { try reserve(address) }
    }

    private func adopt(_ inherited: InheritedSocket) throws -> BoundSocket {
        let names = ["client", "peer"]
        guard names.contains(inherited.name) else {
            throw StartFailure(
                .cannotListen, "the service manager hands over a socket named '\(inherited.name)'",
                hint: "FileDescriptorName=client (Unix) and FileDescriptorName=peer (TCP) are understood")
        }
        let socket: BoundSocket
        do throws(PosixError) {
            socket = try BoundSocket.adopting(inherited)
        } catch {
            throw StartFailure(.cannotListen, "\(error)")
        }
        return socket
    }

    private func reserve(_ address: SocketAddress) throws {
        for target in Self.numericAddresses(of: address) {
            do throws(PosixError) {
                reserved.append(ReservedSocket(socket: try bind(target), configured: address))
            } catch {
                guard error.errno != EADDRINUSE else { throw StartFailure(.cannotListen, "\(error)") }
                log(.warning, .listenFailed, (.address, address), (.reason, error.reason))
            }
        }
    }

    private func bind(_ target: (host: IPAddress, port: UInt16)) throws(PosixError) -> BoundSocket {
        try BoundSocket.tcp(host: target.host, port: target.port)
    }

    /// The addresses behind a host: names are not resolved here, since localhost is the only one that is allowed.
    private static func numericAddresses(of address: SocketAddress) -> [(host: IPAddress, port: UInt16)] {
        guard case .tcp(let host, let port) = address else { return [] }
        if let numeric = IPAddress(host) { return [(numeric, port)] }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map { ($0, port) }
    }

    /// Listens on everything: the store is loaded. Throws when clients could not come in.
    func startListening() throws(StartFailure) {
        // What is left in `reserved` when one throws is closed at the end of the start.
        while let next = reserved.first {
            reserved.removeFirst()
            do throws(PosixError) {
                adopt(try listener(on: next))
            } catch {
                guard error.errno != EADDRINUSE else { throw StartFailure(.cannotListen, "\(error)") }
                log(.warning, .listenFailed, (.address, next.socket.address), (.reason, error.reason))
            }
        }
        let hasClientSocket = listeners.contains { active in
            if case .unix = active.listener.address { active.listener.isInherited } else { false }
        }
        guard !hasClientSocket else { return }
        do throws(PosixError) {
            let socket = try BoundSocket.unix(
                path: configuration.socketPath, mode: configuration.socketMode, group: try socketGroup())
            adopt(try listener(on: ReservedSocket(socket: socket, configured: nil)))
        } catch {
            throw StartFailure(.cannotListen, "\(error)")
        }
    }

    // MARK: Reload

    /// Listens on addresses that are new and leaves those that are gone. When a port cannot be had, nothing changes.
    func changeListeners(to addresses: [SocketAddress]) throws(PosixError) {
        // The manager's socket takes the place of all of them, at a reload as at the start.
        guard !listeners.contains(where: { $0.listener.isInherited && $0.listener.address.isTCP }) else { return }
        let present = Set(listeners.compactMap(\.configured))
        for active in try listeners(on: addresses.filter { !present.contains($0) }) { adopt(active) }
        listeners.removeAll { active in
            guard let configured = active.configured, !addresses.contains(configured) else { return false }
            active.listener.close()
            return true
        }
    }

    /// Listeners on all of `addresses` that this machine has; when one cannot be had, none is left. Nobody is let in before the loop's next
    /// round.
    private func listeners(on addresses: [SocketAddress]) throws(PosixError) -> [ActiveListener] {
        var bound: [ReservedSocket] = []
        var listening: [ActiveListener] = []
        do throws(PosixError) {
            for address in addresses {
                for target in Self.numericAddresses(of: address) {
                    guard let socket = try bindUnlessLacking(target, address) else { continue }
                    bound.append(ReservedSocket(socket: socket, configured: address))
                }
            }
            while let next = bound.first {
                bound.removeFirst()
                listening.append(try listener(on: next))
            }
        } catch {
            for reserved in bound { reserved.socket.close() }
            for active in listening { active.listener.close() }
            throw error
        }
        return listening
    }

    /// Nil, with a warning, for an address that this machine does not have: as at the start it is left out.
    private func bindUnlessLacking(
        _ target: (host: IPAddress, port: UInt16), _ configured: SocketAddress
    ) throws(PosixError) -> BoundSocket? {
        do throws(PosixError) {
            return try bind(target)
        } catch {
            guard [EADDRNOTAVAIL, EAFNOSUPPORT, ENODEV].contains(error.errno) else { throw error }
            log(.warning, .listenFailed, (.address, configured), (.reason, error.reason))
            return nil
        }
    }

    /// A listener on a socket, which it takes over, also when this fails.
    private func listener(on reserved: ReservedSocket) throws(PosixError) -> ActiveListener {
        let socket = reserved.socket
        let transport: Transport = if case .unix = socket.address { .unix } else { .tcp }
        let listener = try Listener(
            loop: loop, socket: socket,
            onAccept: { [unowned self] accepted in self.accept(accepted, transport: transport) },
            onExhaustion: { [unowned self] failure in
                self.log(.warning, .acceptPaused, (.address, socket.address), (.reason, failure.reason))
            })
        listener.hold(isHoldingListeners)
        return ActiveListener(listener: listener, configured: reserved.configured)
    }

    private func adopt(_ active: ActiveListener) {
        listeners.append(active)
        log(.info, .listening, (.address, active.listener.address))
    }

    func socketGroup() throws(PosixError) -> UInt32? {
        guard let name = configuration.socketGroup else { return nil }
        if let number = UInt32(name) { return number }
        guard let entry = getgrnam(name) else {
            throw PosixError(
                errno: ENOENT, operation: "find the group '\(name)'", hint: "set socket-group to one that exists")
        }
        return entry.pointee.gr_gid
    }

    func closeListeners() {
        for active in listeners { active.listener.close() }
        listeners = []
        for reserved in reserved where !reserved.socket.isInherited { reserved.socket.close() }
        reserved = []
    }
}

extension SocketAddress {
    fileprivate var isTCP: Bool {
        if case .tcp = self { true } else { false }
    }
}
