// SPDX-License-Identifier: Apache-2.0

enum FishCompletion {
    static func text(_ table: CommandTable) -> String {
        let names = table.commands.map(\.name).joined(separator: " ")
        var lines = [
            "# SPDX-License-Identifier: Apache-2.0",
            "# fish completion for navsyncctl: \(CompletionScript.origin)",
            "complete -c navsyncctl -f",
            "set -l commands \(names)",
        ]
        for option in table.globals { lines.append(line(option, condition: nil)) }
        for command in table.commands {
            lines.append(
                "complete -c navsyncctl -n \"not __fish_seen_subcommand_from $commands\" -a \(command.name)"
                    + " -d \(quoted(command.summary))")
            let condition = "__fish_seen_subcommand_from \(command.name)"
            lines += command.options.map { line($0, condition: condition) }
            lines += command.operands.map { line($0, condition: condition) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ option: OptionDefinition, condition: String?) -> String {
        var text = "complete -c navsyncctl"
        if let condition { text += " -n \"\(condition)\"" }
        text += " -l \(option.name)"
        if let short = option.short { text += " -s \(short)" }
        switch option.value {
        case .none: break
        case .text: text += " -x"
        case .file: text += " -r -F"
        case .choice(_, let words): text += " -x -a \(quoted(words.joined(separator: " ")))"
        }
        return text + " -d \(quoted(option.summary))"
    }

    private static func line(_ operand: OperandDefinition, condition: String) -> String {
        let start = "complete -c navsyncctl -n \"\(condition)\""
        return switch operand.kind {
        case .stack: "\(start) -a \"(\(CompletionScript.listing))\""
        case .file: "\(start) -F"
        case .word(let words): "\(start) -a \(quoted(words.joined(separator: " ")))"
        case .command: "\(start) -a \"$commands\""
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = ""
        for character in text { result += character == "'" || character == "\\" ? "\\\(character)" : "\(character)" }
        return "'\(result)'"
    }
}
