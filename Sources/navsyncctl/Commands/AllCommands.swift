// SPDX-License-Identifier: Apache-2.0

extension CommandTable {
    /// Every command and every option of the program.
    static let all = CommandTable(
        commands: [
            PushCommand.definition, PullCommand.definition, ListCommand.definition, RemoveCommand.definition,
            WatchCommand.definition, ShowCommand.definition, AppendCommand.definition, PopCommand.definition,
            HistoryCommand.definition, UndoCommand.definition,
            StatusCommand.definition, PairCommand.definition, PeerCommand.definition, IdCommand.definition,
            EncodeCommand.definition, DecodeCommand.definition,
            InspectCommand.definition, DictCommand.definition, BenchCommand.definition, CompletionCommand.definition,
            HelpCommand.definition,
        ],
        globals: [
            OptionDefinition(
                "socket", .text("ADDRESS"),
                "the daemon's socket: a path or unix:PATH (else NAVSYNC_SOCKET, then the user's daemon,"
                    + " then the system's)"),
            OptionDefinition("timeout", .text("SECONDS"), "how long one call to the daemon may take (5)"),
            OptionDefinition(
                "color", .choice("WHEN", ["auto", "always", "never"]),
                "colour the words error and hint: auto, always or never (auto: on a terminal, unless NO_COLOR is set"
                    + " and not empty)"),
            OptionDefinition("help", short: "h", "explain the command and do nothing"),
            OptionDefinition("version", short: "V", "print the version and do nothing"),
        ])
}
