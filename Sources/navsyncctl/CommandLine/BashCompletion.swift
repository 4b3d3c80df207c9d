// SPDX-License-Identifier: Apache-2.0

/// Names of stacks may come from other machines: they are compared as text and quoted, never given to `compgen -W`,
/// which would expand them.
enum BashCompletion {
    private static let helpers = [
        "_navsyncctl_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\"); }",
        "_navsyncctl_files() {",
        "    compopt -o filenames 2>/dev/null",
        "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$current\")",
        "}",
        "_navsyncctl_stacks() {",
        "    local name",
        "    while IFS= read -r name; do",
        "        printf -v name %q \"$name\"",
        "        if [[ $name == \"$current\"* ]]; then COMPREPLY+=(\"$name\"); fi",
        "    done < <(\(CompletionScript.listing))",
        "}",
    ]

    static func text(_ table: CommandTable) -> String {
        let names = table.commands.map(\.name)
        var lines = [
            "# SPDX-License-Identifier: Apache-2.0",
            "# bash completion for navsyncctl: \(CompletionScript.origin)",
        ]
        lines += helpers
        lines += [
            "_navsyncctl() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' word",
            "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "        case $word in \(names.joined(separator: "|"))) command=$word; break ;; esac",
            "    done",
            "    COMPREPLY=()",
            "    case $command:$previous in",
        ]
        lines += valueCases(table).map { "        \($0)" }
        lines += ["    esac", "    case $command in"]
        for command in table.commands { lines += commandCase(command, table).map { "        \($0)" } }
        let globals = table.globals.map { "--\($0.name)" }
        lines += [
            "        *) _navsyncctl_words \"\((names + globals).joined(separator: " "))\" ;;",
            "    esac",
            "}",
            "complete -F _navsyncctl navsyncctl",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What follows an option that takes a value. One name may mean another thing to another command.
    private static func valueCases(_ table: CommandTable) -> [String] {
        let globals = table.globals.compactMap { valueCase($0, of: "*") }
        return globals
            + table.commands.flatMap { command in command.options.compactMap { valueCase($0, of: command.name) } }
    }

    private static func valueCase(_ option: OptionDefinition, of command: String) -> String? {
        guard option.value.placeholder != nil else { return nil }
        let names = "\(command):--\(option.name)" + (option.short.map { "|\(command):-\($0)" } ?? "")
        return switch option.value {
        case .file: "\(names)) _navsyncctl_files; return ;;"
        case .choice(_, let words): "\(names)) _navsyncctl_words \"\(words.joined(separator: " "))\"; return ;;"
        default: "\(names)) return ;;"
        }
    }

    private static func commandCase(_ command: CommandDefinition, _ table: CommandTable) -> [String] {
        let options = (command.options + table.globals).map { "--\($0.name)" }.joined(separator: " ")
        let operands = command.operands.map { operand in
            switch operand.kind {
            case .stack: "_navsyncctl_stacks"
            case .file: "_navsyncctl_files"
            case .word(let words): "_navsyncctl_words \"\(words.joined(separator: " "))\""
            case .command: "_navsyncctl_words \"\(table.commands.map(\.name).joined(separator: " "))\""
            }
        }
        return [
            "\(command.name))",
            "    if [[ $current == -* ]]; then _navsyncctl_words \"\(options)\"; return; fi",
        ] + operands.map { "    \($0)" } + ["    ;;"]
    }
}
