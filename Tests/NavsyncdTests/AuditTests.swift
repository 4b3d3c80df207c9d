// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// Who let whom do what: each of it is a line with the keys that docs/operations.md names, and a flood is cut.
@Suite(.serialized) struct AuditTests {
    private let daemons: DeskAndKiosk
    private var desk: RunningDaemon { daemons.desk }
    private var kiosk: RunningDaemon { daemons.kiosk }

    init() throws { daemons = try DeskAndKiosk() }

    /// The keys of each message in the table of the manual.
    private func documentedKeys() throws -> [String: [String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../")
        let text = try String(contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
        var keys: [String: [String]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.matches(of: /`([a-z_]+)`/).map { String($0.1) } }
            guard cells.count == 3 else { continue }
            for message in cells[0] { keys[message] = cells[1] }
        }
        return keys
    }

    /// The keys of the newest line of a message; nil when there is none.
    private func keys(_ message: String, of daemon: RunningDaemon) -> [String]? {
        daemon.lines.last { $0.contains(">msg=\(message) ") }.map { line in
            line.matches(of: /([a-z_]+)=(?:"(?:[^"\\]|\\.)*"|\S+)/).map { String($0.1) }
                .filter { $0 != "msg" && $0 != "suppressed" }
        }
    }

    private func expectLine(
        _ message: String, of daemon: RunningDaemon, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try #require(try documentedKeys()[message], "no table says what \(message) holds")
        try waitUntil(seconds: 10, "\(message): \(daemon.lines)") { keys(message, of: daemon) != nil }
        #expect(keys(message, of: daemon) == expected, "\(message)", sourceLocation: place)
    }

    private func pair() throws {
        let offer = try desk.ask("pair.offer", ["read-all": "", "write-all": "", "name": "kiosk"])
        let link = try #require(offer["link"])
        _ = try kiosk.ask("pair.accept", ["link": link, "name": "desk", "read-all": "", "write-all": ""])
    }

    @Test func pairingGrantsAndRevocationsAreWrittenDown() throws {
        _ = try desk.ask("pair.offer")
        _ = try desk.ask("pair.cancel")
        try pair()
        for daemon in [desk, kiosk] { try expectLine("paired", of: daemon) }
        try waitUntil(seconds: 10, "the link") { desk.has("msg=link_ready") }
        _ = try desk.ask("peer.rename", ["peer": "kiosk", "name": "tablet"])
        _ = try desk.ask("peer.allow", ["peer": "tablet", "write": "shop/", "max-stacks": "7"])
        #expect(desk.has("rights=\"read:all write:shop/ max-stacks:7\" old=\"read:all write:all\""))
        _ = try desk.ask("id.rotate")
        _ = try desk.ask("peer.revoke", ["peer": "tablet"])
        let messages = [
            "pairing_offered", "pairing_cancelled", "peer_renamed", "rights_changed", "tls_key_made", "peer_revoked",
        ]
        for message in messages {
            try expectLine(message, of: desk)
            #expect(
                desk.lines.last { $0.contains("msg=\(message) ") }?.contains("uid=\(getuid())") == true, "\(message)")
        }
        // It comes back and is no longer trusted.
        try expectLine("identity_refused", of: desk)
        try daemons.stop()
    }

    @Test func refusalsAreWrittenDown() throws {
        _ = try desk.ask("pair.offer", ["read-all": ""])
        let open = try HostileLine.secured(desk.chosenAddress(), .issue(by: .generate(), generation: 1), .pairing)
        open.send(PairingMessage.request(proof: [UInt8](repeating: 1, count: 32), name: "x\u{202E}\u{1B}[2J").encoded)
        try open.read { _ in false }
        try expectLine("pairing_refused", of: desk)
        let plain = try HostileLine(desk.chosenAddress())
        plain.sendRaw([22, 3, 1, 0xFF, 0xFF])
        try plain.read { _ in false }
        try expectLine("security_failed", of: desk)
        for line in desk.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}")) }
        try daemons.stop()
    }

    @Test func refusedRecordsAreWrittenDownAndAFloodOfThemIsCut() throws {
        let peer = IdentityKey.generate()
        #expect(try desk.stop() == .success)
        let none = Rights(read: .all, write: try PrefixSet([Array("shop/".utf8)]))
        try Pairing.trust(peer, "peer", none, in: desk.directory)
        let daemon = try RunningDaemon(in: desk.directory) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
        }
        try daemon.awaitReady()
        let link = try HostileLink(daemon.chosenAddress(), peer)
        var early = try link.record("shop/early")
        early.stamp = Stamp(time: HybridTime(rawValue: .max), origin: early.stamp.origin)
        link.send([early] + (try (0..<500).map { try link.record("mail/\($0)") }))
        #expect(try link.refusals().count == 501)
        try expectLine("record_refused", of: daemon)
        try expectLine("clock_drift", of: daemon)
        #expect(daemon.count("msg=record_refused ") == RateLimit.burst)
        #expect(try kiosk.stop() == .success && daemon.stop() == .success)
    }
}
