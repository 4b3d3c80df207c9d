// SPDX-License-Identifier: Apache-2.0

enum ZshCompletion {
    static func text(_ table: CommandTable) -> String {
        var lines = [
            "#compdef navsyncctl",
            "# SPDX-License-Identifier: Apache-2.0",
            "# zsh completion for navsyncctl: \(CompletionScript.origin)",
            "_navsyncctl_stacks() {",
            "    local -a names",
            "    names=(${(f)\"$(\(CompletionScript.listing))\"})",
            "    compadd -a names",
            "}",
            "_navsyncctl() {",
            "    local -a commands globals",
            "    commands=(",
        ]
        lines += table.commands.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        lines += ["    )", "    globals=("]
        lines += table.globals.flatMap(specifications).map { "        \($0)" }
        lines += [
            "    )",
            "    local context state state_descr line",
            "    typeset -A opt_args",
            "    _arguments -C $globals '1:command:->command' '*::operand:->operands' && return",
            "    case $state in",
            "        command) _describe command commands ;;",
            "        operands) case $line[1] in",
        ]
        for command in table.commands {
            let parts =
                ["$globals"] + command.options.flatMap(specifications) + command.operands.enumerated().map(operand)
            lines.append("            \(command.name)) _arguments \(parts.joined(separator: " ")) ;;")
        }
        lines += ["        esac ;;", "    esac", "}", "_navsyncctl \"$@\""]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func specifications(_ option: OptionDefinition) -> [String] {
        let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
        let tail =
            switch option.value {
            case .none: ""
            case .text(let placeholder): ":\(placeholder):"
            case .file(let placeholder): ":\(placeholder):_files"
            case .choice(let placeholder, let words): ":\(placeholder):(\(words.joined(separator: " ")))"
            }
        return names.map { quoted("\($0)[\(summary)]\(tail)") }
    }

    private static func operand(_ index: Int, _ operand: OperandDefinition) -> String {
        let action =
            switch operand.kind {
            case .stack: "_navsyncctl_stacks"
            case .file: "_files"
            case .word(let words): "(\(words.joined(separator: " ")))"
            case .command: "_describe command commands"
            }
        return quoted("\(operand.isRepeated ? "*" : "\(index + 1)"):\(operand.name):\(action)")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
