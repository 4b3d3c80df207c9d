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
            reserved.append(socket)
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
        if let refusal = refusal(of: socket.address) { throw StartFailure(.cannotListen, refusal) }
        return socket
    }

    private func refusal(of address: SocketAddress) -> String? { LoopbackRule.refusal(of: address) }

    /// Takes one configured port. One that somebody else has ends the start; an address that this machine does not
    /// have only makes that listener missing.
    private func reserve(_ address: SocketAddress) throws {
        guard case .tcp(let host, let port) = address else { return }
        for target in Self.numeric(host) {
            do throws(PosixError) {
                reserved.append(try BoundSocket.tcp(host: target, port: port))
            } catch {
                guard error.errno != EADDRINUSE else { throw StartFailure(.cannotListen, "\(error)") }
                log(.warning, .listenFailed, (.address, address), (.reason, error.reason))
            }
        }
    }

    /// The addresses behind a host: names are not resolved here, since localhost is the only one that is allowed.
    private static func numeric(_ host: String) -> [IPAddress] {
        if let address = IPAddress(host) { return [address] }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
    }

    /// Listens on everything: the store is loaded. Throws when clients could not come in.
    func startListening() throws(StartFailure) {
        let sockets = reserved
        reserved = []
        for socket in sockets {
            do throws(PosixError) {
                try listen(on: socket)
            } catch {
                guard error.errno != EADDRINUSE else { throw StartFailure(.cannotListen, "\(error)") }
                log(.warning, .listenFailed, (.address, socket.address), (.reason, error.reason))
            }
        }
        let hasClientSocket = listeners.contains { listener in
            if case .unix = listener.address { listener.isInherited } else { false }
        }
        guard !hasClientSocket else { return }
        do throws(PosixError) {
            try listen(
                on: try BoundSocket.unix(
                    path: configuration.socketPath, mode: configuration.socketMode, group: try socketGroup()))
        } catch {
            throw StartFailure(.cannotListen, "\(error)")
        }
    }

    private func listen(on socket: BoundSocket) throws(PosixError) {
        let transport: Transport = if case .unix = socket.address { .unix } else { .tcp }
        let listener = try Listener(
            loop: loop, socket: socket,
            onAccept: { [unowned self] accepted in self.accept(accepted, transport: transport) },
            onExhaustion: { [unowned self] failure in
                self.log(.warning, .acceptPaused, (.address, socket.address), (.reason, failure.reason))
            })
        listeners.append(listener)
        log(.info, .listening, (.address, socket.address))
    }

    private func socketGroup() throws(PosixError) -> UInt32? {
        guard let name = configuration.socketGroup else { return nil }
        if let number = UInt32(name) { return number }
        guard let entry = getgrnam(name) else {
            throw PosixError(
                errno: ENOENT, operation: "find the group '\(name)'", hint: "set socket-group to one that exists")
        }
        return entry.pointee.gr_gid
    }

    func closeListeners() {
        for listener in listeners { listener.close() }
        listeners = []
        for socket in reserved where !socket.isInherited { closeDescriptor(socket.descriptor) }
        reserved = []
    }
}
