// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// A daemon that is attacked by a peer, and a witness: another peer, which must not notice.
final class HostileStage {
    private let scratch: Scratch
    private let peer = IdentityKey.generate()
    private var present: (daemon: RunningDaemon, witness: RunningDaemon)?
    /// The status of the daemon before it was stopped.
    private(set) var facts: [String: String] = [:]

    init() throws {
        scratch = try Scratch()
        for name in ["d", "w"] { mkdir(scratch.file(name), 0o700) }
    }

    /// Starts both; `rights` are those of the peer that attacks.
    func start(_ rights: Rights = .all, _ change: @escaping (inout Configuration) -> Void = { _ in }) throws {
        let (home, away) = (scratch.file("d"), scratch.file("w"))
        try Pairing.trust(peer, "peer", rights, in: home)
        try Pairing.trust(Pairing.identity(in: away), "witness", in: home)
        try Pairing.trust(Pairing.identity(in: home), "daemon", in: away)
        let daemon = try RunningDaemon(in: home) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
            change(&$0)
        }
        try daemon.awaitReady()
        let address = try SocketAddress(parsing: daemon.chosenAddress())
        let witness = try RunningDaemon(in: away) {
            $0.peers = [address]
            $0.backOff.firstNanoseconds = 1_000_000
            $0.backOff.maximumNanoseconds = 50_000_000
        }
        try witness.awaitReady()
        try waitUntil(seconds: 10, "the witness") { daemon.has("msg=link_ready") }
        present = (daemon, witness)
    }

    var daemon: RunningDaemon {
        get throws {
            guard let present else { throw TimedOut(what: "a start") }
            return present.daemon
        }
    }

    /// A link of the attacker.
    func link() throws -> HostileLink { try HostileLink(daemon.chosenAddress(), peer) }

    /// The daemon's own id.
    func ownID() throws -> NodeID {
        guard let id = NodeID(bytes: try Pairing.identity(in: scratch.file("d")).nodeID) else {
            throw TimedOut(what: "an id")
        }
        return id
    }

    /// Stops the daemon and starts it again at its address.
    func restart() throws {
        guard let present else { throw TimedOut(what: "a start") }
        let address = try SocketAddress(parsing: present.daemon.chosenAddress())
        #expect(try present.daemon.stop() == .success)
        let daemon = try RunningDaemon(in: scratch.file("d")) { $0.listenAddresses = [address] }
        try daemon.awaitReady()
        self.present = (daemon, present.witness)
    }

    /// Local programs and the other peer are served as ever, the other link never broke, and both daemons end in order.
    func expectOthersWellAndStop(_ place: SourceLocation = #_sourceLocation) throws {
        guard let (daemon, witness) = present else { throw TimedOut(what: "a start") }
        try daemon.push("health", "ok")
        #expect(try daemon.pull("health") == envelope("ok"), sourceLocation: place)
        try waitUntil(seconds: 10, "the witness: \(daemon.lines)") { try witness.pull("health") == envelope("ok") }
        let told = try daemon.session().status(deadline: .after(milliseconds: 10_000))
        facts = Dictionary(told.map { ($0.key, $0.value) }) { first, _ in first }
        #expect(witness.count("msg=link_lost") + 1 == witness.count("msg=link_ready"), sourceLocation: place)
        #expect(try witness.stop() == .success, sourceLocation: place)
        #expect(try daemon.stop() == .success, sourceLocation: place)
    }
}
