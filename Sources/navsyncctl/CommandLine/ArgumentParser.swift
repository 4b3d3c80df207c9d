// SPDX-License-Identifier: Apache-2.0

/// What a command line asks for.
enum Invocation: Sendable {
    case command(CommandDefinition, ParsedArguments)
    /// Help for one command, or for the program.
    case help(CommandDefinition?)
    case version
}

/// Reads a command line against a command table.
///
/// Options may stand before the command, after it and between operands; `--` ends them; `-` is an operand. A value
/// follows its option as the next word or after "=" (`-o` takes it without a gap too). The last of two wins.
struct ArgumentParser {
    private let table: CommandTable

    init(_ table: CommandTable) { self.table = table }

    func parse(_ words: [String]) throws(CommandFailure) -> Invocation {
        var reading = Reading(words: words)
        while let word = reading.next() {
            try read(word, &reading)
        }
        if reading.parsed.isSet("version") { return .version }
        if reading.parsed.isSet("help") { return .help(reading.command) }
        guard let command = reading.command else {
            throw .usage("no command was given", hint: "'navsyncctl help' lists the commands")
        }
        try checkOperands(reading.parsed.operands, of: command)
        return .command(command, reading.parsed)
    }

    /// What --color says, found before the rest is read: what is wrong with the rest is coloured by it too.
    static func color(in words: [String]) -> String? {
        let options = words.prefix { $0 != "--" }
        let name = "--color"
        let values = options.indices.compactMap { index -> String? in
            if options[index] == name { return index + 1 < options.endIndex ? options[index + 1] : nil }
            return options[index].hasPrefix(name + "=") ? String(options[index].dropFirst(name.count + 1)) : nil
        }
        return values.last
    }

    private struct Reading {
        let words: [String]
        var index = 0
        var command: CommandDefinition?
        var parsed = ParsedArguments()
        var onlyOperands = false

        init(words: [String]) { self.words = words }

        mutating func next() -> String? {
            guard index < words.count else { return nil }
            defer { index += 1 }
            return words[index]
        }
    }

    private func read(_ word: String, _ reading: inout Reading) throws(CommandFailure) {
        if reading.onlyOperands || word == "-" || !word.hasPrefix("-") {
            try readOperand(word, &reading)
        } else if word == "--" {
            reading.onlyOperands = true
        } else if word.hasPrefix("--") {
            try readLongOption(word.dropFirst(2), &reading)
        } else {
            try readShortOptions(word.dropFirst(), &reading)
        }
    }

    private func readOperand(_ word: String, _ reading: inout Reading) throws(CommandFailure) {
        if reading.command != nil {
            reading.parsed.operands.append(word)
            return
        }
        guard let command = table.command(named: word) else { throw unknownCommand(word) }
        reading.command = command
    }

    func unknownCommand(_ word: String) -> CommandFailure {
        .usage(
            "unknown command \(Display.quoted(word))",
            hint: suggestion(for: word, among: table.commands.map(\.name)) ?? "'navsyncctl help' lists the commands")
    }

    private func readLongOption(_ text: Substring, _ reading: inout Reading) throws(CommandFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let known = available(reading.command)
        guard let option = known.first(where: { $0.name == name }) else {
            throw unknownOption("--\(name)", &reading, among: known.map { "--\($0.name)" })
        }
        try store(option, "--\(name)", attached: parts.count > 1 ? String(parts[1]) : nil, &reading)
    }

    private func readShortOptions(_ text: Substring, _ reading: inout Reading) throws(CommandFailure) {
        var rest = text
        while let letter = rest.popFirst() {
            guard let option = available(reading.command).first(where: { $0.short == letter }) else {
                throw unknownOption("-\(letter)", &reading, among: [])
            }
            guard option.value.placeholder != nil else {
                reading.parsed.options[option.name] = ""
                continue
            }
            try store(option, "-\(letter)", attached: rest.isEmpty ? nil : String(rest), &reading)
            return
        }
    }

    private func store(
        _ option: OptionDefinition, _ spelling: String, attached: String?, _ reading: inout Reading
    ) throws(CommandFailure) {
        guard let placeholder = option.value.placeholder else {
            guard attached == nil else { throw .usage("\(spelling) takes no value") }
            reading.parsed.options[option.name] = ""
            return
        }
        guard let value = attached ?? reading.next() else {
            throw .usage("\(spelling) needs a value: \(spelling) \(placeholder)")
        }
        if case .choice(_, let words) = option.value, !words.contains(value) {
            throw .usage(
                "\(spelling) \(Display.quoted(value)): one of \(words.joined(separator: ", ")) is needed",
                hint: suggestion(for: value, among: words))
        }
        reading.parsed.options[option.name] = value
        reading.parsed.repeated[option.name, default: []].append(value)
    }

    private func available(_ command: CommandDefinition?) -> [OptionDefinition] {
        command.map { $0.options + table.globals } ?? table.globals
    }

    private func unknownOption(
        _ spelling: String, _ reading: inout Reading, among known: [String]
    ) -> CommandFailure {
        let help = reading.command.map { "'navsyncctl help \($0.name)' lists its options" }
        let place = reading.command.map { " for '\($0.name)'" } ?? " before the command"
        return .usage(
            "unknown option \(Display.quoted(spelling))\(place)",
            hint: suggestion(for: spelling, among: known) ?? help ?? "options of a command stand after its name")
    }

    private func suggestion(for word: String, among known: [String]) -> String? {
        Suggestion.nearest(to: word, among: known).map { "did you mean '\($0)'?" }
    }

    private func checkOperands(_ operands: [String], of command: CommandDefinition) throws(CommandFailure) {
        let required = command.operands.filter(\.isRequired).count
        guard operands.count >= required else {
            throw .usage("\(command.operands[operands.count].name) is missing", hint: "usage: \(command.usage)")
        }
        guard operands.count <= command.operands.count || command.operands.last?.isRepeated == true else {
            throw .usage(
                "\(Display.quoted(operands[command.operands.count])) is one operand too many",
                hint: "usage: \(command.usage)")
        }
    }
}
