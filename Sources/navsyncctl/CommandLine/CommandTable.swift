// SPDX-License-Identifier: Apache-2.0

/// Every command and every option of the program, each described once.
enum CommandTable {
    /// In the order of help: from everyday to rare.
    static let commands: [CommandDefinition] = [
        PushCommand.definition, PullCommand.definition, ListCommand.definition, RemoveCommand.definition,
        WatchCommand.definition, ShowCommand.definition, AppendCommand.definition, PopCommand.definition,
        StatusCommand.definition, PairCommand.definition, PeerCommand.definition, IdCommand.definition,
        EncodeCommand.definition, DecodeCommand.definition,
        InspectCommand.definition, DictCommand.definition, BenchCommand.definition, CompletionCommand.definition,
        HelpCommand.definition,
    ]

    /// Options of every command; they may also stand before it.
    static let globals: [OptionDefinition] = [
        OptionDefinition(
            "socket", .text("ADDRESS"),
            "the daemon's socket: a path or unix:PATH (else NAVSYNC_SOCKET, then the user's daemon,"
                + " then the system's)"),
        OptionDefinition("timeout", .text("SECONDS"), "how long one call to the daemon may take (5)"),
        OptionDefinition(
            "color", .choice("WHEN", ["auto", "always", "never"]),
            "colour the words error and hint: auto, always or never (auto: on a terminal, unless NO_COLOR is set)"),
        OptionDefinition("help", short: "h", "explain the command and do nothing"),
        OptionDefinition("version", short: "V", "print the version and do nothing"),
    ]

    static func command(named name: String) -> CommandDefinition? { commands.first { $0.name == name } }

    // Options and operands that several commands share.
    static let json = OptionDefinition("json", "answer as JSON; later versions only add fields")
    static let output = OptionDefinition(
        "output", short: "o", .file("FILE"), "write to FILE, which is not touched when the command fails")
    static let stack = OperandDefinition("STACK", .stack, isRequired: true, "the name of the stack")
    static let prefix = OperandDefinition("PREFIX", .stack, isRequired: false, "only stacks whose name begins so")
    static let input = OperandDefinition(
        "FILE", .file, isRequired: false, "what to read; '-' or nothing: standard input")
}
