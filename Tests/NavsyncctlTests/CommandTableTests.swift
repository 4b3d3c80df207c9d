// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import navsyncctl

/// The table is the only description of the command line: what is made from it must hold all of it.
@Suite struct CommandTableTests {
    @Test func noNameIsGivenTwice() {
        let names = CommandTable.all.commands.map(\.name)
        #expect(Set(names).count == names.count)
        for command in CommandTable.all.commands {
            let options = command.options + CommandTable.all.globals
            #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
    }

    @Test func readingCommandsAnswerInJSON() {
        for name in ["pull", "list", "watch", "status", "inspect"] {
            #expect(CommandTable.all.command(named: name)?.options.contains { $0.name == "json" } == true, "\(name)")
        }
    }

    @Test func helpFitsEightyColumnsAndNamesEveryOption() {
        #expect(HelpText.program(.all).split(separator: "\n").allSatisfy { $0.count <= 80 })
        for command in CommandTable.all.commands {
            let text = HelpText.command(command, of: .all)
            for line in text.split(separator: "\n") where !line.hasPrefix("  navsyncctl") && !line.hasPrefix("usage:") {
                #expect(line.count <= 80, "\(command.name): \(line)")
            }
            for option in command.options + CommandTable.all.globals { #expect(text.contains("--\(option.name)")) }
            for operand in command.operands { #expect(text.contains(operand.name)) }
        }
    }

    @Test func everyExampleParses() throws {
        for command in CommandTable.all.commands {
            for example in command.examples {
                let call = try #require(example.split(separator: "|").last { $0.contains("navsyncctl ") })
                let words = call.split(separator: " ").map(String.init).drop { !$0.hasSuffix("navsyncctl") }.dropFirst()
                let parsed = try ArgumentParser(.all).parse(
                    words.prefix { $0 != "<" && $0 != ">" }.map {
                        $0.trimmingSuffix(")")
                    })
                guard case .command = parsed else {
                    Issue.record("\(example) is not a command")
                    continue
                }
            }
        }
    }

    @Test func theManualNamesEveryCommandOptionAndExitStatus() throws {
        // mdoc writes a dash as \- or -, and an option as .Fl.
        let manual = try Repository.text("docs/man/navsyncctl.1").replacing("\\-", with: "-")
        for command in CommandTable.all.commands {
            #expect(manual.contains(".Ss \(command.name)"), "\(command.name)")
            for option in command.options {
                #expect(manual.contains("-\(option.name)"), "\(command.name) --\(option.name)")
            }
        }
        for option in CommandTable.all.globals { #expect(manual.contains("-\(option.name)"), "--\(option.name)") }
        for status in ExitStatus.allCases { #expect(manual.contains(".It \(status.rawValue)"), "\(status)") }
    }

    @Test(arguments: [("bash", "navsyncctl.bash"), ("zsh", "_navsyncctl"), ("fish", "navsyncctl.fish")])
    func thePackagedCompletionIsTheOneThatIsMade(_ shell: String, _ file: String) throws {
        let made = try #require(CompletionScript.text(for: shell, .all))
        #expect(
            try Repository.text("packaging/completions/\(file)") == made,
            "run: navsyncctl completion \(shell) > packaging/completions/\(file)")
    }

    @Test func theCompletionsNameEveryCommandAndOption() throws {
        for shell in CompletionScript.shells {
            let script = try #require(CompletionScript.text(for: shell, .all))
            for command in CommandTable.all.commands {
                #expect(script.contains(command.name), "\(shell)")
                for option in command.options { #expect(script.contains(option.name), "\(shell) \(option.name)") }
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
