// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// What administrators are told of the links that they made.
@Suite(.serialized) struct PairingTests {
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

    private func ask(_ daemon: RunningDaemon, _ verb: String, _ arguments: [String: String] = [:]) throws
        -> [String: String]
    {
        let facts = arguments.map { StatusFact(key: $0.key, value: $0.value) }
        let answer = try daemon.session().manage(verb, facts, deadline: .after(milliseconds: 10_000))
        return Dictionary(answer.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The id and the text of a new link.
    private func offer(_ arguments: [String: String] = [:]) throws -> (id: [String: String], link: String) {
        let answer = try ask(desk, "pair.offer", arguments)
        return (["offer": try #require(answer["offer"])], try #require(answer["link"]))
    }

    private func stop() throws { for daemon in [kiosk, desk] { #expect(try daemon.stop() == .success) } }

    @Test func eachLinkHasItsOwnEnd() throws {
        let replaced = try offer()
        let used = try offer(["name": "kiosk"])
        #expect(try ask(desk, "pair.status", used.id) == ["pairing": "open"])
        _ = try ask(kiosk, "pair.accept", ["link": used.link])
        let cancelled = try offer()
        #expect(try ask(desk, "pair.cancel", replaced.id)["reason"] == PairingOffer.Refusal.replaced.reason)
        #expect(try ask(desk, "pair.status", cancelled.id) == ["pairing": "open"])
        #expect(try ask(desk, "pair.cancel", cancelled.id)["pairing"] == "over")
        let open = try offer()

        for (link, refusal) in [(replaced, PairingOffer.Refusal.replaced), (cancelled, .cancelled)] {
            #expect(try ask(desk, "pair.status", link.id) == ["pairing": "over", "reason": refusal.reason])
        }
        let outcome = try ask(desk, "pair.status", used.id)
        #expect(outcome["pairing"] == "done" && outcome["name"] == "kiosk" && outcome["phrase"] != nil)
        for newest in [open.id, [:]] { #expect(try ask(desk, "pair.status", newest) == ["pairing": "open"]) }
        try stop()
    }

    @Test func anIdTellsNothingOfTheSecretAndOneThatIsNotKnownIsNoLink() throws {
        let (id, link) = try offer()
        let text = try #require(id["offer"])
        #expect(text.count == 16 && !link.contains(text))
        #expect(try ask(desk, "pair.status", ["offer": "0123456789abcdef"])["pairing"] == "none")
        for wrong in ["", "1", "0123456789ABCDEF", "0123456789abcdef0", "+123456789abcdef"] {
            #expect(throws: NavClientError.self) { try ask(desk, "pair.status", ["offer": wrong]) }
        }
        try stop()
    }

    @Test func oldLinksAreForgottenAndTheNewestIsNot() throws {
        let first = try offer()
        for _ in 0..<40 { _ = try offer() }
        let last = try offer()
        #expect(try ask(desk, "pair.status", first.id)["pairing"] == "none")
        #expect(try ask(desk, "pair.status", last.id) == ["pairing": "open"])
        try stop()
    }

    @Test func aTimeThatIsNoneIsRefused() throws {
        let link = try offer().link
        for wrong in ["", "0", "-1", "600001", "1.5"] {
            #expect(throws: NavClientError.self) {
                try ask(kiosk, "pair.accept", ["link": link, "timeout-ms": wrong])
            }
        }
        #expect(try ask(kiosk, "pair.accept", ["link": link, "timeout-ms": "9000"])["phrase"] != nil)
        try stop()
    }
}
