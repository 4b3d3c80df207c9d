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
}
