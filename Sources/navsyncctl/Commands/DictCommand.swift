// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Makes dictionaries from a user's own paths.
enum DictCommand {
    private static let actions = ["train", "id"]
    private static let goodCount = 100

    static let definition = CommandDefinition(
        name: "dict",
        summary: "train a dictionary on your own paths, for smaller envelopes",
        details: """
            train [FILE…]  makes a dictionary from paths: files, and directories with everything in them
            id FILE…       tells the ids of dictionaries

            A file holds an envelope, a path as SwiftUI's JSON, or such a path on each line; a few hundred typical \
            paths are good. Needs no daemon. The id of a dictionary follows from its content, envelopes name it, and \
            they cannot be read without it: keep the file. A daemon stores no such envelopes; its stacks use the \
            dictionary that ships.
            """,
        operands: [
            OperandDefinition("ACTION", .word(actions), isRequired: true, actions.joined(separator: ", ")),
            OperandDefinition(
                "FILE", .file, isRequired: false, isRepeated: true, "what to read; '-' or nothing: standard input"),
        ],
        options: [
            .output,
            OptionDefinition("size", .text("BYTES"), "how large the dictionary becomes at most (32768)"),
        ],
        examples: ["navsyncctl dict train -o shop.dict paths/", "navsyncctl encode --dictionary shop.dict path.json"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let files = Array(arguments.operands.dropFirst())
        switch arguments.operand(0) ?? "" {
        case "train": try train(files.isEmpty ? ["-"] : files, arguments, console)
        case "id": try writeIDs(files.isEmpty ? ["-"] : files, arguments, console)
        case let action:
            throw .usage(
                "unknown action \(Display.quoted(action)): one of \(actions.joined(separator: ", ")) is needed",
                hint: Suggestion.nearest(to: action, among: actions).map { "did you mean '\($0)'?" })
        }
    }

    private static func train(
        _ files: [String], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let size = try arguments.number("size", default: 32_768, in: 256...1_048_576)
        let paths = try TrainingPaths.read(files)
        let dictionary: NavWireDictionary
        let (own, shipped): (Int, Int)
        do throws(NavWireError) {
            let samples = try paths.map { path throws(NavWireError) in try PathEnvelope.encode(path) }
            dictionary = try NavWireDictionary.train(on: samples, byteCount: size)
            own = try meanByteCount(paths, dictionary)
            shipped = samples.reduce(0) { $0 + $1.count } / samples.count
        } catch {
            throw CommandFailure(
                error.code == .tooLarge ? .tooLarge : .badInput, error.reason,
                hint: "give files and directories with a few hundred typical paths: navsyncctl dict train FILE…")
        }
        try BinaryAnswer.write(dictionary.bytes, called: "a dictionary", arguments, console)
        console.note("dictionary \(hex(dictionary)), \(dictionary.bytes.count) bytes, from \(paths.count) paths")
        console.note("these take \(own) bytes each with it, \(shipped) with the one that ships")
        if own >= shipped { console.note("so it gains nothing: use the one that ships") }
        if paths.count < goodCount { console.note("that is few: a few hundred typical paths make a better one") }
    }

    private static func meanByteCount(
        _ paths: [[PathElement]], _ dictionary: NavWireDictionary
    ) throws(NavWireError) -> Int {
        var total = 0
        for path in paths { total += try PathEnvelope.encode(path, options: .init(dictionary: dictionary)).count }
        return total / max(1, paths.count)
    }

    private static func writeIDs(
        _ files: [String], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        for option in ["output", "size"] where arguments.isSet(option) {
            throw .usage("--\(option) is for 'dict train' only")
        }
        for file in files {
            let dictionary = try DictionaryFiles.dictionary(in: file)
            try console.writeLine("\(hex(dictionary))  \(Display.escaped(file))")
        }
    }

    /// As errors and `inspect` name it.
    private static func hex(_ dictionary: NavWireDictionary) -> String { String(dictionary.id, radix: 16) }
}
