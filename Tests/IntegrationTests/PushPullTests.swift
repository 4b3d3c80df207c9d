// SPDX-License-Identifier: Apache-2.0
import Testing

/// One daemon, one command line: what goes in comes out.
@Suite struct PushPullTests {
    @Test func aPathPushedOverTheUnixSocketIsPulledFromIt() throws {
        let daemon = try Daemon(Scratch(), "a")
        let pushed = try daemon.ctl.succeed("push", "shop/cart", Samples.path("shop"))
        #expect(pushed.text.hasPrefix("pushed shop/cart "))
        let pulled = try daemon.ctl.succeed("pull", "shop/cart")
        try PathText.expectSamePath(pulled.output, Samples.bytes("shop"))
        try daemon.stop()
    }

    @Test func aTCPPortIsForDaemonsThatTrustEachOtherAndNotForTheCommandLine() throws {
        let daemon = try Daemon(Scratch(), "a", listens: true)
        let refused = try Ctl(socket: try #require(daemon.tcpAddress))("list")
        #expect(refused.status == 2)
        #expect(refused.diagnostics.contains("name a Unix socket"))
        try daemon.stop()
    }

    @Test func anEnvelopeIsPushedAndPulledByteForByte() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        let envelope = try Ctl.run(["encode", Samples.path("mail-long")]).output
        try #require(!envelope.isEmpty)
        try daemon.ctl.succeed("push", "mail", "-", input: envelope)
        try daemon.ctl.succeed("pull", "mail", "--envelope", "-o", scratch.file("out.nav"))
        #expect(try Files.read(scratch.file("out.nav")) == envelope)
    }

    @Test func metaTellsTheStampTheOriginAndTheSize() throws {
        let daemon = try Daemon(Scratch(), "a")
        let pushed = try daemon.ctl.succeed("push", "cart", Samples.path("shop"), "--json")
        let stamp = try #require(Text.field("stamp", of: pushed.text))
        let meta = try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text
        #expect(Text.field("stamp", of: meta) == stamp)
        #expect(stamp.hasSuffix("@" + (Text.field("origin", of: meta) ?? "none")))
        #expect(meta.contains("\"size\":") && meta.contains("\"elements\":5") && meta.contains("\"path\":["))
        let lines = try daemon.ctl.succeed("pull", "cart", "--meta").lines
        #expect(lines.contains("stamp    \(stamp)"))
    }

    @Test func listShowsTheStacksOfAPrefixInTheOrderOfTheirNames() throws {
        let daemon = try Daemon(Scratch(), "a")
        for name in ["b/2", "a/1", "b/1", "c"] { try daemon.ctl.succeed("push", name, Samples.path("empty")) }
        #expect(try daemon.ctl.succeed("list", "--names").lines == ["a/1", "b/1", "b/2", "c"])
        #expect(try daemon.ctl.succeed("list", "b/", "--names").lines == ["b/1", "b/2"])
        #expect(try daemon.ctl.succeed("list", "nothing", "--json").text == "[]\n")
        #expect(try daemon.ctl.succeed("list").lines.count == 5)
    }

    @Test func removingAStackRemovesItAndASecondTimeItIsNotFound() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        try daemon.ctl.succeed("rm", "cart")
        #expect(try daemon.ctl("pull", "cart").status == 3)
        #expect(try daemon.ctl("rm", "cart").status == 3)
        try daemon.ctl.succeed("push", "cart", Samples.path("reader"))
        try PathText.expectSamePath(daemon.ctl.succeed("pull", "cart").output, Samples.bytes("reader"))
    }

    @Test func aPushThatExpectsAnotherStampIsRefusedAndChangesNothing() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"), "--expect", "none")
        let stale = try daemon.ctl("push", "cart", Samples.path("reader"), "--expect", "none")
        #expect(stale.status == 9)
        #expect(stale.diagnostics.contains("hint:"))
        let meta = try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text
        let stamp = try #require(Text.field("stamp", of: meta))
        try PathText.expectSamePath(daemon.ctl.succeed("pull", "cart").output, Samples.bytes("shop"))
        try daemon.ctl.succeed("push", "cart", Samples.path("reader"), "--expect", stamp)
        #expect(try daemon.ctl("push", "cart", Samples.path("reader"), "--expect", stamp).status == 9)
    }

    @Test func aReaderThatGoesAwayEndsTheCommandQuietly() throws {
        let daemon = try Daemon(Scratch(), "a")
        for index in 0..<3 { try daemon.ctl.succeed("push", "s\(index)", Samples.path("mail-long")) }
        let script =
            "'\(Binaries.navsyncctl)' --socket '\(daemon.socket)' pull s0 | head -c 1 >/dev/null;"
            + " echo \"${PIPESTATUS[0]}\""
        let result = try Shell.run(script)
        #expect(result.text == "0\n")
        #expect(result.diagnostics == "")
    }
}
