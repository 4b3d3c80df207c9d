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
    private let scratch: Scratch
    private let desk: RunningDaemon
    private let kiosk: RunningDaemon

    init() throws {
        scratch = try Scratch()
        for name in ["desk", "kiosk"] { mkdir(scratch.file(name), 0o700) }
        desk = try RunningDaemon(in: scratch.file("desk")) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
        }
        kiosk = try RunningDaemon(in: scratch.file("kiosk"))
        for daemon in [desk, kiosk] { try daemon.awaitReady() }
    }

    private func manage(_ daemon: RunningDaemon, _ verb: String, _ arguments: [(String, String)] = []) throws
        -> [String: String]
    {
        let facts = arguments.map { StatusFact(key: $0.0, value: $0.1) }
        let answer = try daemon.session().manage(verb, facts, deadline: .after(milliseconds: 10_000))
        return Dictionary(answer.map { ($0.key, $0.value) }) { first, _ in first }
    }

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
        let offer = try manage(desk, "pair.offer", [("read-all", ""), ("write-all", ""), ("name", "kiosk")])
        let link = try #require(offer["link"])
        _ = try manage(kiosk, "pair.accept", [("link", link), ("name", "desk"), ("read-all", ""), ("write-all", "")])
    }

    @Test func pairingGrantsAndRevocationsAreWrittenDown() throws {
        _ = try manage(desk, "pair.offer")
        _ = try manage(desk, "pair.cancel")
        try pair()
        for daemon in [desk, kiosk] { try expectLine("paired", of: daemon) }
        try waitUntil(seconds: 10, "the link") { desk.has("msg=link_ready") }
        _ = try manage(desk, "peer.rename", [("peer", "kiosk"), ("name", "tablet")])
        _ = try manage(desk, "peer.allow", [("peer", "tablet"), ("write", "shop/"), ("max-stacks", "7")])
        #expect(desk.has("rights=\"read:all write:shop/ max-stacks:7\" old=\"read:all write:all\""))
        _ = try manage(desk, "id.rotate")
        _ = try manage(desk, "peer.revoke", [("peer", "tablet")])
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
        for daemon in [kiosk, desk] { #expect(try daemon.stop() == .success) }
    }

    @Test func refusalsAreWrittenDown() throws {
        _ = try manage(desk, "pair.offer", [("read-all", "")])
        let open = try HostileLine.secured(desk.chosenAddress(), .issue(by: .generate(), generation: 1), .pairing)
        open.send(PairingMessage.request(proof: [UInt8](repeating: 1, count: 32), name: "x\u{202E}\u{1B}[2J").encoded)
        try open.read { _ in false }
        try expectLine("pairing_refused", of: desk)
        let plain = try HostileLine(desk.chosenAddress())
        plain.sendRaw([22, 3, 1, 0xFF, 0xFF])
        try plain.read { _ in false }
        try expectLine("security_failed", of: desk)
        for line in desk.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}")) }
        for daemon in [kiosk, desk] { #expect(try daemon.stop() == .success) }
    }

    @Test func refusedRecordsAreWrittenDownAndAFloodOfThemIsCut() throws {
        let peer = IdentityKey.generate()
        #expect(try desk.stop() == .success)
        let none = Rights(read: .all, write: try PrefixSet([Array("shop/".utf8)]))
        try Pairing.trust(peer, "peer", none, in: scratch.file("desk"))
        let daemon = try RunningDaemon(in: scratch.file("desk")) {
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
