// SPDX-License-Identifier: Apache-2.0

/// What an option takes after its name.
enum OptionValue: Sendable {
    /// Nothing: the option is there or not.
    case none
    /// Any text, shown in help as the placeholder.
    case text(String)
    /// A file name: shells complete it.
    case file(String)
    /// One of a few words.
    case choice(String, [String])

    /// The word that stands for the value in help; nil when there is none.
    var placeholder: String? {
        switch self {
        case .none: nil
        case .text(let name), .file(let name), .choice(let name, _): name
        }
    }
}

/// One option: described once, here; parsing, help, manual and completions follow from it.
struct OptionDefinition: Sendable {
    let name: String
    let short: Character?
    let value: OptionValue
    let summary: String

    init(_ name: String, short: Character? = nil, _ value: OptionValue, _ summary: String) {
        self.name = name
        self.short = short
        self.value = value
        self.summary = summary
    }

    /// An option without a value.
    init(_ name: String, short: Character? = nil, _ summary: String) {
        self.init(name, short: short, .none, summary)
    }

    /// As a user types it: "--output FILE".
    var spelling: String { "--\(name)" + (value.placeholder.map { " \($0)" } ?? "") }
}

/// One operand of a command, in order.
struct OperandDefinition: Sendable {
    enum Kind: Sendable { case stack, file, command, word([String]) }

    let name: String
    let kind: Kind
    let isRequired: Bool
    /// Whether more of the same may follow; only the last operand of a command may say so.
    let isRepeated: Bool
    let summary: String

    init(_ name: String, _ kind: Kind, isRequired: Bool, isRepeated: Bool = false, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.isRepeated = isRepeated
        self.summary = summary
    }

    var spelling: String {
        let word = isRepeated ? "\(name)…" : name
        return isRequired ? word : "[\(word)]"
    }
}

/// One command: its words, and what it does.
struct CommandDefinition: Sendable {
    let name: String
    let summary: String
    /// Further sentences of the help.
    let details: String
    let operands: [OperandDefinition]
    let options: [OptionDefinition]
    let examples: [String]
    let run: @Sendable (ParsedArguments, Console) throws(CommandFailure) -> Void

    var usage: String {
        let words = ["navsyncctl", name] + (options.isEmpty ? [] : ["[OPTION…]"]) + operands.map(\.spelling)
        return words.joined(separator: " ")
    }
}
