// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import Testing

@testable import navsyncd

/// Two daemons that do not know each other yet, each in a directory of its own; the desk listens for peers.
struct DeskAndKiosk {
    let desk: RunningDaemon
    let kiosk: RunningDaemon
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["desk", "kiosk"] { mkdir(scratch.file(name), 0o700) }
        desk = try RunningDaemon(in: scratch.file("desk")) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
        }
        kiosk = try RunningDaemon(in: scratch.file("kiosk"))
        for daemon in [desk, kiosk] { try daemon.awaitReady() }
    }

    func stop() throws { for daemon in [kiosk, desk] { #expect(try daemon.stop() == .success) } }
}

extension RunningDaemon {
    /// What the daemon answers to a local program's verb.
    func ask(_ verb: String, _ arguments: [String: String] = [:]) throws -> [String: String] {
        let facts = arguments.map { StatusFact(key: $0.key, value: $0.value) }
        let answer = try session().manage(verb, facts, deadline: .after(milliseconds: 10_000))
        return Dictionary(answer.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
