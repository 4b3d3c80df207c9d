// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import navsyncctl

@Suite struct ArgumentParserTests {
    private func parse(_ words: String...) throws(CommandFailure) -> (name: String, arguments: ParsedArguments) {
        guard case .command(let command, let arguments) = try ArgumentParser(.all).parse(words) else {
            throw CommandFailure(.internalFailure, "not a command")
        }
        return (command.name, arguments)
    }

    private func failure(_ words: String...) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try ArgumentParser(.all).parse(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsOptionsBeforeTheCommandAfterItAndBetweenOperands() throws {
        let (name, arguments) = try parse("--socket", "/s", "push", "cart", "--expect=none", "path.json", "--json")
        #expect(name == "push")
        #expect(arguments.operands == ["cart", "path.json"])
        #expect(arguments.options == ["socket": "/s", "expect": "none", "json": ""])
    }

    @Test(arguments: [["-o", "f"], ["-of"], ["--output", "f"], ["--output=f"]])
    func readsAValueInEachSpelling(_ words: [String]) throws {
        guard case .command(_, let arguments) = try ArgumentParser(.all).parse(["pull", "cart"] + words) else {
            Issue.record("not a command")
            return
        }
        #expect(arguments.text("output") == "f")
    }

    @Test func takesADashAsAnOperandAndTwoDashesAsTheEndOfOptions() throws {
        #expect(try parse("push", "cart", "-").arguments.operands == ["cart", "-"])
        #expect(try parse("pull", "--", "--odd").arguments.operands == ["--odd"])
    }

    @Test func theLastOfTwoValuesWins() throws {
        #expect(try parse("list", "--timeout", "1", "--timeout", "2").arguments.text("timeout") == "2")
    }

    @Test func suggestsTheCommandThatWasMeant() {
        #expect(failure("lsit")?.hint == "did you mean 'list'?")
        #expect(failure("stat")?.hint == "did you mean 'status'?")
        #expect(failure("frobnicate")?.hint == "'navsyncctl help' lists the commands")
    }

    @Test func suggestsTheOptionThatWasMeant() {
        #expect(failure("list", "--jsno")?.hint == "did you mean '--json'?")
        #expect(failure("list", "-x")?.hint == "'navsyncctl help list' lists its options")
    }

    @Test func aWrongWordForAChoiceIsRefusedWithTheAllowedOnes() {
        let failure = failure("bench", "--op", "pusg")
        #expect(failure?.message == "--op 'pusg': one of push, pull, sync is needed")
        #expect(failure?.hint == "did you mean 'push'?")
    }

    @Test(arguments: [
        [], ["pull"], ["pull", "a", "b"], ["pull", "a", "--output"], ["list", "--json=1"], ["status", "x"],
        ["nothing"], ["list", "--nothing"], ["completion"],
    ])
    func aCommandLineThatDoesNotFitIsAUsageError(_ words: [String]) {
        #expect {
            try ArgumentParser(.all).parse(words)
        } throws: {
            ($0 as? CommandFailure)?.status == .usage
        }
    }

    @Test func onlyAnOperandThatSaysSoMayBeRepeated() throws {
        guard case .command(let command, let parsed) = try ArgumentParser(.all).parse(["dict", "train", "a", "b", "c"])
        else {
            Issue.record("not a command")
            return
        }
        #expect(parsed.operands == ["train", "a", "b", "c"])
        #expect(command.usage.hasSuffix(" ACTION [FILE…]"))
        #expect(throws: CommandFailure.self) { try ArgumentParser(.all).parse(["encode", "a", "b"]) }
    }

    @Test func helpAndVersionWinOverMissingOperands() throws {
        guard case .help(let command?) = try ArgumentParser(.all).parse(["push", "--help"]) else {
            Issue.record("no help for push")
            return
        }
        #expect(command.name == "push")
        guard case .help(nil) = try ArgumentParser(.all).parse(["-h"]) else {
            Issue.record("no help for the program")
            return
        }
        guard case .version = try ArgumentParser(.all).parse(["-V"]) else {
            Issue.record("no version")
            return
        }
    }

    @Test(arguments: ["0", "-1", "soon", "nan", "inf", "1e9", ""])
    func aTimeOutThatIsNoTimeIsRefused(_ text: String) {
        #expect(throws: CommandFailure.self) { try ParsedArguments(options: ["timeout": text]).timeoutMilliseconds() }
    }

    @Test func theTimeOutIsInSecondsAndFiveUnlessGiven() throws {
        #expect(try ParsedArguments().timeoutMilliseconds() == 5_000)
        #expect(try ParsedArguments(options: ["timeout": "0.25"]).timeoutMilliseconds() == 250)
    }

    @Test(arguments: ["0", "11", "x", "1.5", "99999999999999999999"])
    func aNumberOutOfRangeIsRefused(_ text: String) {
        #expect(throws: CommandFailure.self) {
            try ParsedArguments(options: ["n": text]).number("n", default: 1, in: 1...10)
        }
    }
}
