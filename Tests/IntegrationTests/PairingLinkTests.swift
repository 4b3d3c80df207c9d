// SPDX-License-Identifier: Apache-2.0
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
