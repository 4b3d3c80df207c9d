// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

/// What was overwritten, removed or lost is not lost.
@Suite struct HistoryTests {
    /// The column of each line behind the heading.
    private func column(_ number: Int, _ lines: [String]) -> [String] {
        lines.dropFirst().map { line in
            let words = line.split(separator: " ")
            return words.indices.contains(number) ? String(words[number]) : ""
        }
    }

    @Test func versionsAreListedReadAndPutBack() throws {
        let daemon = try Daemon(Scratch(), "a")
        for number in 1...3 { try daemon.ctl.succeed("append", "cart", "Swift.Int", "\(number)") }
        try daemon.ctl.succeed("push", "other", Samples.path("shop"))
        try daemon.ctl.succeed("rm", "cart")
        let listed = try daemon.ctl.succeed("history", "cart").lines
        #expect(listed.first?.split(separator: " ") == ["VERSION", "WRITTEN", "ORIGIN", "SIZE"])
        let numbers = column(0, listed)
        #expect(numbers.count == 4)
        #expect(numbers.compactMap { Int($0) } == numbers.compactMap { Int($0) }.sorted(by: >))
        #expect(column(3, listed).first == "removed")
        #expect(column(4, listed) == ["live", "", "", ""])
        #expect(try daemon.ctl.succeed("pull", "cart", "--at", numbers[2]).text.contains("Swift.Int"))

        // The removal is undone, then the undo, then one is chosen.
        #expect(try daemon.ctl.succeed("undo", "cart").lines.first?.hasPrefix("undone cart ") == true)
        #expect(try daemon.ctl.succeed("show", "cart").lines.count == 3)
        let again = try daemon.ctl.succeed("undo", "cart", "--json").text
        #expect(again.contains(#""removed":true"#))
        #expect(try daemon.ctl("pull", "cart").status == 3)
        try daemon.ctl.succeed("undo", "cart", "--to", numbers[3])
        #expect(try daemon.ctl.succeed("show", "cart").lines == ["0  Swift.Int  1"])
        #expect(try daemon.ctl.succeed("history", "cart", "--json").text.contains(#""size":null,"removed":true"#))
        try PathText.expectSamePath(daemon.ctl.succeed("pull", "other").output, Samples.bytes("shop"))
    }

    @Test func versionsOutliveAKilledDaemon() throws {
        let daemon = try Daemon(Scratch(), "a")
        for number in 1...3 { try daemon.ctl.succeed("append", "cart", "Swift.Int", "\(number)") }
        let before = try daemon.ctl.succeed("history", "cart", "--json").text
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.ctl.succeed("history", "cart", "--json").text == before)
        try daemon.ctl.succeed("undo", "cart")
        #expect(try daemon.ctl.succeed("show", "cart").lines.count == 2)
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let daemon = try Daemon(Scratch(), "a")
        for command in ["history", "undo"] {
            let result = try daemon.ctl(command, "never")
            #expect(result.status == 3 && result.diagnostics.contains("there is no stack never"))
            #expect(try daemon.ctl(command, "a\u{1}").status == 5)
        }
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let nothing = try daemon.ctl("undo", "cart")
        #expect(nothing.status == 3 && nothing.diagnostics.contains("before the live one"))
        for words in [["undo", "cart", "--to", "77"], ["pull", "cart", "--at", "77"]] {
            let result = try Ctl.run(["--socket", daemon.socket] + words)
            #expect(result.status == 3 && result.diagnostics.contains("there is no version 77 of cart"))
            #expect(result.diagnostics.contains("navsyncctl history"))
        }
        #expect(try daemon.ctl("undo", "cart", "--to", "zero").status == 2)
        #expect(try daemon.ctl("pull", "cart", "--at", "0").status == 2)
        #expect(try daemon.ctl("history", "cart", "-n", "0").status == 2)
        try daemon.ctl.succeed("push", "cart", Samples.path("reader"))
        let first = try daemon.ctl.succeed("history", "cart", "-n", "1")
        #expect(first.lines.count == 2 && first.diagnostics.contains("there may be older ones"))
    }

    @Test func theLoserOfTwoWritesAtOnceComesBackByUndoAndSyncs() throws {
        let cluster = try Cluster(peersOf: [[], [0]])
        try cluster[0].ctl.succeed("push", "cart", Samples.path("empty"))
        try cluster.expectEverywhere("cart", Samples.bytes("empty"))
        // Apart: each runs while the other does not.
        try cluster[1].stop()
        try cluster[0].ctl.succeed("push", "cart", Samples.path("shop"))
        try cluster[0].stop()
        try cluster[1].start()
        try cluster[1].ctl.succeed("push", "cart", Samples.path("reader"))
        try cluster[0].start()
        try cluster.expectEverywhere("cart", Samples.bytes("reader"))

        // It was overwritten where it was made; whether the other has heard of it is a matter of who spoke first.
        let listed = try cluster[0].ctl.succeed("history", "cart").lines
        #expect(column(4, listed) == ["live", "", ""], "\(listed)")
        let loser = column(0, listed)[1]
        try PathText.expectSamePath(
            cluster[0].ctl.succeed("pull", "cart", "--at", loser).output, Samples.bytes("shop"))
        try cluster[0].ctl.succeed("undo", "cart")
        try cluster.expectEverywhere("cart", Samples.bytes("shop"))
        // The other has overwritten its own with that: it can undo the undo.
        try cluster[1].ctl.succeed("undo", "cart")
        try cluster.expectEverywhere("cart", Samples.bytes("reader"))
    }

    /// A program that asks for versions without end, and reads no answer.
    @Test func whoAsksWithoutEndHoldsUpNoWrite() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        try daemon.ctl.succeed("bench", "--count", "5000", "--stacks", "50")
        let lines = try (0..<8).map { _ in try RawLine.greeted(daemon) }
        var frames: [UInt8] = []
        for request in 1...500 as ClosedRange<UInt64> {
            try List(request: RequestID(rawValue: request), stack: StackName("cart")).write(to: &frames)
        }
        for line in lines { line.send(frames) }
        let start = Wait.now()
        for number in 0..<5 { try daemon.ctl.succeed("append", "other", "Swift.Int", "\(number)") }
        #expect(Wait.now() - start < 10)
        #expect(try daemon.ctl.succeed("show", "other").lines.count == 5)
    }
}
