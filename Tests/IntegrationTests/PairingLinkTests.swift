// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// What a person sees who pastes a link that does not work.
@Suite struct PairingLinkTests {
    @Test func aLinkThatWasUsedSaysSoAndWhatToDo() throws {
        let scratch = try Scratch()
        let shop = try Daemon(scratch, "shop", listens: true)
        let link = try Ctl.run(["--socket", shop.socket, "pair", "--no-wait", "--all"])
        let line = try #require(link.lines.first, "\(link.diagnostics)")
        let first = try Daemon(scratch, "first")
        #expect(try first.ctl("pair", line, "--all").status == 0)

        let second = try Daemon(scratch, "second")
        let refused = try second.ctl("pair", line, "--all")
        #expect(refused.status == 7)
        #expect(refused.diagnostics.contains("it was used, has expired or was replaced"), "\(refused.diagnostics)")
        #expect(refused.diagnostics.contains("makes a new link"), "\(refused.diagnostics)")
        #expect(try second.ctl("peer", "list").output.isEmpty)
    }

    @Test func whoNamesNoPeerIsPointedToThePeers() throws {
        let shop = try Daemon(Scratch(), "shop")
        for words in [
            ["show", "nobody"], ["rename", "nobody", "x"], ["revoke", "nobody"], ["allow", "nobody", "--all"],
        ] {
            let refused = try Ctl.run(["--socket", shop.socket, "peer"] + words)
            #expect(refused.status == 3)
            #expect(refused.diagnostics.contains("no peer is called 'nobody'"), "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("hint: 'navsyncctl peer list'"), "\(refused.diagnostics)")
        }
    }

    /// A text of an object that stands in one line.
    private func text(_ key: String, _ line: String) throws -> String {
        try #require(PairingLinkTests.text(key, in: line), "\(key) in \(line)")
    }

    /// nil when it is not there.
    static func text(_ key: String, in line: String) -> String? {
        guard line.hasPrefix("{"), line.hasSuffix("}"), let start = line.firstRange(of: "\"\(key)\":") else {
            return nil
        }
        let rest = line[start.upperBound...].drop { $0 == " " }
        return rest.first == "\"" ? String(rest.dropFirst().prefix { $0 != "\"" }) : nil
    }

    @Test func whoWaitsWithJSONGetsTheLinkFirstAndThenWhoUsedIt() throws {
        let scratch = try Scratch()
        let shop = try Daemon(scratch, "shop", listens: true)
        let till = try Daemon(scratch, "till")
        let waiting = try shop.ctl.start("pair", "--all", "--json", "--name", "till")
        let link = try text("link", waiting.firstLine()).replacing("\\/", with: "/")
        let used = try till.ctl.succeed("pair", link, "--all", "--json")
        let outcome = try waiting.result()
        #expect(outcome.status == 0 && outcome.lines.count == 2, "\(outcome.diagnostics)")
        let (here, there) = (try #require(outcome.lines.last), try #require(used.lines.first))
        #expect(try text("name", here) == "till")
        #expect(try text("phrase", here) == text("phrase", there))
    }

    @Test func whoWaitsIsToldOfItsOwnLinkAndOfNoOther() throws {
        let scratch = try Scratch()
        let shop = try Daemon(scratch, "shop", listens: true)
        let till = try Daemon(scratch, "till")
        let first = try shop.ctl.start("pair", "--all", "--name", "first")
        _ = try first.firstLine()
        let second = try shop.ctl.start("pair", "--all", "--name", "second")
        let link = try second.firstLine()

        let replaced = try first.result()
        #expect(replaced.status == 7)
        #expect(replaced.diagnostics.contains("a newer link took its place"), "\(replaced.diagnostics)")
        try till.ctl.succeed("pair", link, "--all")
        let used = try second.result()
        #expect(used.status == 0 && used.text.contains("second"), "\(used.diagnostics)")
    }
}

/// A link some of whose addresses lead to nobody who answers.
@Suite struct PairingDeadlineTests {
    private let scratch: Scratch
    private let shop: Daemon
    private let till: Daemon

    init() throws {
        scratch = try Scratch()
        shop = try Daemon(scratch, "shop", listens: true)
        till = try Daemon(scratch, "till")
    }

    /// The link of a daemon, with places that connect and then are silent before its own.
    private func link(after dead: [SilentPort]) throws -> String {
        let own = try #require(shop.tcpAddress).dropFirst("tcp:".count)
        let places = (dead.map { "127.0.0.1:\($0.port)" } + [String(own)]).flatMap { ["--address", $0] }
        let answer = try Ctl.run(["--socket", shop.socket, "pair", "--no-wait", "--all"] + places)
        return try #require(answer.lines.first, "\(answer.diagnostics)")
    }

    @Test func silentAddressesHideNoneThatAnswers() throws {
        let dead = try (0..<4).map { _ in try SilentPort() }
        let paired = try till.ctl("pair", try link(after: dead), "--all", "--timeout", "12")
        #expect(paired.status == 0, "\(paired.diagnostics)")
    }

    @Test func theDaemonGivesUpBeforeItsCallerDoes() throws {
        let dead = try (0..<8).map { _ in try SilentPort() }
        let offer = try link(after: [])
        let parts = offer.dropFirst("navsync://".count).split(separator: "/").dropFirst().joined(separator: "/")
        let places = dead.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        let refused = try till.ctl("pair", "navsync://\(places)/\(parts)", "--all", "--timeout", "3")
        #expect(refused.status == 7, "\(refused.diagnostics)")
        #expect(refused.diagnostics.contains("no answer in time"), "\(refused.diagnostics)")
        #expect(try till.ctl("peer", "list").output.isEmpty)
    }

    @Test func aLinkIsUsedNoMoreWhenNobodyWaitsForIt() throws {
        let dead = [try SilentPort(), try SilentPort()]
        let places = try link(after: dead)
        let asking = try till.ctl.start("pair", places, "--all")
        let far = try dead[0].accept(within: 10)
        defer { close(far) }
        asking.send(SIGKILL)
        // What it had dialled for the caller ends with him, and the next address is not tried.
        #expect(Wait.until(3) { SilentPort.hasEnded(far) })
        #expect(throws: HarnessError.self) { try dead[1].accept(within: 1) }
        #expect(try till.ctl("peer", "list").output.isEmpty)
    }

    @Test func theOtherSidesRefusalIsToldAndNotTheEndOfTheConnection() throws {
        let offer = try link(after: [])
        // Another secret in the same form.
        let shown = try till.ctl.succeed("id", "show", "--json").lines
        let own = try #require(shown.first.flatMap { PairingLinkTests.text("id", in: $0) })
        var parts = offer.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts[4] = own
        let refused = try till.ctl("pair", parts.joined(separator: "/"), "--all")
        #expect(refused.status == 7)
        #expect(refused.diagnostics.contains("the secret is not that of the link"), "\(refused.diagnostics)")
    }
}
