// SPDX-License-Identifier: Apache-2.0

enum CompletionCommand {
    static let definition = CommandDefinition(
        name: "completion",
        summary: "print the completion script of a shell",
        details: "The packages install these scripts; print one where they are not installed.",
        operands: [
            OperandDefinition("SHELL", .word(CompletionScript.shells), isRequired: true, "bash, zsh or fish")
        ],
        options: [],
        examples: ["source <(navsyncctl completion bash)"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let shell = arguments.operand(0) ?? ""
        guard let script = CompletionScript.text(for: shell, .all) else {
            throw .usage(
                "no completion for \(Display.quoted(shell)): one of \(CompletionScript.shells.joined(separator: ", "))"
                    + " is needed")
        }
        try console.write(Array(script.utf8))
    }
}
