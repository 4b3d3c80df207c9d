// SPDX-License-Identifier: Apache-2.0

enum HelpCommand {
    static let definition = CommandDefinition(
        name: "help",
        summary: "explain the program or one command",
        details: "",
        operands: [OperandDefinition("COMMAND", .command, isRequired: false, "the command to explain")],
        options: [],
        examples: ["navsyncctl help push"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        guard let name = arguments.operand(0) else { return try console.writeLine(HelpText.program(.all)) }
        guard let command = CommandTable.all.command(named: name) else {
            throw ArgumentParser(.all).unknownCommand(name)
        }
        try console.writeLine(HelpText.command(command, of: .all))
    }
}
