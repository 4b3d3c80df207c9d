// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// What administrators are told of the links that they made.
@Suite(.serialized) struct PairingTests {
    private let daemons: DeskAndKiosk
    private var desk: RunningDaemon { daemons.desk }
    private var kiosk: RunningDaemon { daemons.kiosk }

    init() throws { daemons = try DeskAndKiosk() }

    /// The id and the text of a new link.
    private func offer(_ arguments: [String: String] = [:]) throws -> (id: [String: String], link: String) {
        let answer = try desk.ask("pair.offer", arguments)
        return (["offer": try #require(answer["offer"])], try #require(answer["link"]))
    }

    @Test func eachLinkHasItsOwnEnd() throws {
        let replaced = try offer()
        let used = try offer(["name": "kiosk"])
        #expect(try desk.ask("pair.status", used.id) == ["pairing": "open"])
        _ = try kiosk.ask("pair.accept", ["link": used.link])
        let cancelled = try offer()
        #expect(try desk.ask("pair.cancel", replaced.id)["reason"] == PairingOffer.Refusal.replaced.reason)
        #expect(try desk.ask("pair.status", cancelled.id) == ["pairing": "open"])
        #expect(try desk.ask("pair.cancel", cancelled.id)["pairing"] == "over")
        let open = try offer()

        for (link, refusal) in [(replaced, PairingOffer.Refusal.replaced), (cancelled, .cancelled)] {
            #expect(try desk.ask("pair.status", link.id) == ["pairing": "over", "reason": refusal.reason])
        }
        let outcome = try desk.ask("pair.status", used.id)
        #expect(outcome["pairing"] == "done" && outcome["name"] == "kiosk" && outcome["phrase"] != nil)
        for newest in [open.id, [:]] { #expect(try desk.ask("pair.status", newest) == ["pairing": "open"]) }
        try daemons.stop()
    }

    @Test func anIdTellsNothingOfTheSecretAndOneThatIsNotKnownIsNoLink() throws {
        let (id, link) = try offer()
        let text = try #require(id["offer"])
        #expect(text.count == 16 && !link.contains(text))
        #expect(try desk.ask("pair.status", ["offer": "0123456789abcdef"])["pairing"] == "none")
        for wrong in ["", "1", "0123456789ABCDEF", "0123456789abcdef0", "+123456789abcdef"] {
            #expect(throws: NavClientError.self) { try desk.ask("pair.status", ["offer": wrong]) }
        }
        try daemons.stop()
    }

    @Test func oldLinksAreForgottenAndTheNewestIsNot() throws {
        let first = try offer()
        for _ in 0..<40 { _ = try offer() }
        let last = try offer()
        #expect(try desk.ask("pair.status", first.id)["pairing"] == "none")
        #expect(try desk.ask("pair.status", last.id) == ["pairing": "open"])
        try daemons.stop()
    }

    @Test func aTimeThatIsNoneIsRefused() throws {
        let link = try offer().link
        for wrong in ["", "0", "-1", "600001", "1.5"] {
            #expect(throws: NavClientError.self) {
                try kiosk.ask("pair.accept", ["link": link, "timeout-ms": wrong])
            }
        }
        #expect(try kiosk.ask("pair.accept", ["link": link, "timeout-ms": "9000"])["phrase"] != nil)
        try daemons.stop()
    }
}
