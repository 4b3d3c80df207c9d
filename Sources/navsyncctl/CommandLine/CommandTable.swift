// SPDX-License-Identifier: Apache-2.0

/// The commands and options of a program, each described once: what the parser, help and completions are made from.
struct CommandTable: Sendable {
    /// In the order of help: from everyday to rare.
    let commands: [CommandDefinition]
    /// Options of every command; they may also stand before it.
    let globals: [OptionDefinition]

    func command(named name: String) -> CommandDefinition? { commands.first { $0.name == name } }
}

// What several commands share.

extension OptionDefinition {
    static let json = OptionDefinition("json", "answer as JSON; later versions only add fields")
    static let output = OptionDefinition(
        "output", short: "o", .file("FILE"), "write to FILE, which is not touched when the command fails")
}

extension OperandDefinition {
    static let stack = OperandDefinition("STACK", .stack, isRequired: true, "the name of the stack")
    static let prefix = OperandDefinition("PREFIX", .stack, isRequired: false, "only stacks whose name begins so")
    static let input = OperandDefinition(
        "FILE", .file, isRequired: false, "what to read; '-' or nothing: standard input")
}
