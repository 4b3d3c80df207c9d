// SPDX-License-Identifier: Apache-2.0
import Testing

/// What a person at a terminal sees. `script` gives the program a real terminal.
@Suite struct TerminalTests {
    private func onTerminal(_ words: String, environment: String = "") throws -> Ctl.Result {
        let program = "'\(Binaries.navsyncctl)' \(words)"
        return try Shell.run("\(environment) script -qec \"\(program)\" /dev/null")
    }

    @Test func errorsAreColouredOnATerminalAndSayTheSameInWords() throws {
        let shown = try onTerminal("pull")
        #expect(shown.text.contains("\u{1B}[1;31merror:\u{1B}[0m"), "\(shown.text)")
        let plain = try onTerminal("pull", environment: "NO_COLOR=1")
        #expect(!plain.text.contains("\u{1B}"))
        #expect(plain.text.contains("navsyncctl: error: STACK is missing"))
        #expect(try !Ctl.run(["pull"]).diagnostics.contains("\u{1B}"))
        // As no-color.org has it: empty is as if it were not set, and what is asked for by an option goes before it.
        #expect(try onTerminal("pull", environment: "NO_COLOR=").text.contains("\u{1B}[1;31merror:"))
        #expect(try onTerminal("pull --color always", environment: "NO_COLOR=1").text.contains("\u{1B}[1;31merror:"))
        #expect(try !onTerminal("pull", environment: "TERM=dumb").text.contains("\u{1B}"))
        for words in ["pull --color never", "--color=never pull", "pull --color always --color never --wrong"] {
            #expect(try !onTerminal(words).text.contains("\u{1B}"), "\(words)")
        }
        #expect(try Ctl.run(["pull", "--color", "never"]).diagnostics.hasPrefix("navsyncctl: error:"))
    }

    @Test func anEnvelopeIsNotWrittenToATerminal() throws {
        let shown = try onTerminal("encode \(Samples.path("shop"))")
        #expect(shown.status == 2)
        #expect(shown.text.contains("-o FILE"), "\(shown.text)")
    }

    @Test func textFromElsewhereCannotDisturbATerminal() throws {
        let scratch = try Scratch()
        let json = Array("[\"App.\u{202E}Screen\",\"\\\"\u{9B}31m\u{200F}\\\"\"]".utf8)
        let path = try scratch.write(json, to: "odd.json")
        let envelope = scratch.file("odd.nav")
        #expect(try Ctl.run(["encode", path, "-o", envelope]).status == 0)
        for command in ["decode", "inspect"] {
            let shown = try onTerminal("\(command) \(envelope)")
            for scalar in shown.text.unicodeScalars {
                #expect(!(0x7F...0x9F).contains(scalar.value) && scalar != "\u{202E}" && scalar != "\u{200F}")
            }
        }
        try PathText.expectSamePath(Ctl.run(["decode", envelope]).output, json)
    }
}

/// The completion scripts, in the shell that they are for.
@Suite struct CompletionTests {
    private func bash(_ words: [String], _ setUp: String = "") throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            PATH='\(Binaries.navsyncctl.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })':$PATH; \(setUp)
            source <(navsyncctl completion bash)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _navsyncctl; printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try Shell.run(script).lines
    }

    @Test func bashCompletesCommandsOptionsAndChoices() throws {
        #expect(try bash(["navsyncctl", "pu"]) == ["push", "pull"])
        #expect(try bash(["navsyncctl", "pull", "--me"]) == ["--meta"])
        #expect(try bash(["navsyncctl", "bench", "--op", "p"]) == ["push", "pull"])
        #expect(try bash(["navsyncctl", "completion", "z"]) == ["zsh"])
    }

    @Test func bashCompletesTheNamesOfStacks() throws {
        let daemon = try Daemon(Scratch(), "a")
        for name in ["shop/cart", "shop/list", "mail"] { try daemon.ctl.succeed("push", name, Samples.path("empty")) }
        let environment = "export NAVSYNC_SOCKET='\(daemon.socket)'"
        #expect(try bash(["navsyncctl", "pull", "shop/"], environment) == ["shop/cart", "shop/list"])
    }

    @Test func aNameThatLooksLikeShellIsCompletedAsTextAndNotRun() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        let name = "x$(touch \(scratch.file("run")))`touch \(scratch.file("run"))`"
        try daemon.ctl.succeed("push", name, Samples.path("empty"))
        let completed = try bash(["navsyncctl", "pull", "x"], "export NAVSYNC_SOCKET='\(daemon.socket)'")
        #expect(completed.count == 1 && completed.first?.hasPrefix("x\\$\\(touch") == true, "\(completed)")
        #expect(!Files.exists(scratch.file("run")))
    }
}
