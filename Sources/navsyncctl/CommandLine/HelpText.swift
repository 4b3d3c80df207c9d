// SPDX-License-Identifier: Apache-2.0

/// The words of `help`, made from a command table.
enum HelpText {
    private static let width = 80

    static func program(_ table: CommandTable) -> String {
        var lines = ["usage: navsyncctl [OPTION…] COMMAND …", ""]
        lines += wrapped("Pushes, pulls and watches the navigation stacks that navsyncd keeps in step.", indent: 0)
        lines += ["", "commands:"]
        lines += columns(table.commands.map { ($0.name, $0.summary) })
        lines += ["", "options of every command:"]
        lines += columns(table.globals.map { (label($0), $0.summary) })
        lines += ["", "'navsyncctl help COMMAND' explains one command."]
        return lines.joined(separator: "\n")
    }

    static func command(_ command: CommandDefinition, of table: CommandTable) -> String {
        var lines = ["usage: \(command.usage)", ""]
        lines += wrapped(sentence(command.summary), indent: 0)
        if !command.details.isEmpty { lines += [""] + wrapped(command.details, indent: 0) }
        if !command.operands.isEmpty {
            lines += ["", "operands:"] + columns(command.operands.map { ($0.name, $0.summary) })
        }
        if !command.options.isEmpty {
            lines += ["", "options:"] + columns(command.options.map { (label($0), $0.summary) })
        }
        lines += ["", "options of every command:"] + columns(table.globals.map { (label($0), $0.summary) })
        if !command.examples.isEmpty { lines += ["", "examples:"] + command.examples.map { "  \($0)" } }
        lines += ["", "exit status:"] + columns(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
        return lines.joined(separator: "\n")
    }

    private static func label(_ option: OptionDefinition) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + option.spelling
    }

    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    /// Two columns: a label, and a text beside it or, after a long label, below it.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let indent = min(26, (rows.map(\.0.count).max() ?? 0) + 4)
        return rows.flatMap { label, text -> [String] in
            let body = wrapped(text, indent: indent)
            guard label.count + 4 <= indent, let first = body.first else { return ["  \(label)"] + body }
            let gap = String(repeating: " ", count: indent - 2 - label.count)
            return ["  \(label)\(gap)\(first.dropFirst(indent))"] + body.dropFirst()
        }
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped(line: $0, indent: indent) }
    }

    private static func wrapped(line text: Substring, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            let isEmpty = line.count == indent
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = margin + word
            } else {
                line += (isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
