// SPDX-License-Identifier: Apache-2.0
import NavWire

enum EncodeCommand {
    static let definition = CommandDefinition(
        name: "encode",
        summary: "turn an app's path JSON into an envelope",
        details: "Needs no daemon. Reads SwiftUI's form and those of NavigationBackport, swift-navigation, FlowStacks"
            + " and swift-cross-ui. Elements of unknown types are kept as they are. With --dictionary a path of less than"
            + " 16 KiB is compressed with that dictionary; such an envelope cannot be read without it, nor be pushed.",
        operands: [.input],
        options: [
            .output, DictionaryFiles.option,
            OptionDefinition(
                "from", .choice("FORM", PathForm.allCases.map(\.rawValue)),
                "the form of the JSON; without it the content tells, except that a plain array must be named"),
            OptionDefinition("tag", .text("TYPE"), "with --from plain: the name of the type of its elements"),
        ],
        examples: [
            "navsyncctl encode path.json -o path.nav", "navsyncctl encode --from flowpath old.json -o path.nav",
        ],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let input = try PathInput.read(arguments.operand(0))
        guard !input.isEnvelope else {
            throw CommandFailure(
                .badInput, "\(input.source): this is an envelope already",
                hint: "'navsyncctl decode' turns it into JSON")
        }
        let form = arguments.text("from").flatMap(PathForm.init)
        try BinaryAnswer.write(envelope(input, form, arguments, console), arguments, console)
    }

    private static func envelope(
        _ input: PathInput, _ form: PathForm?, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> [UInt8] {
        if form == .plain, arguments.text("tag") == nil {
            throw .usage("--from plain needs the name of the elements' type", hint: "add --tag TYPE, such as Swift.Int")
        }
        let dictionary = try DictionaryFiles.read(arguments).last
        do throws(NavWireError) {
            let path = try PathJSON.decode(input.bytes, form: form, plainTag: arguments.text("tag"))
            if form == nil, path.form != .swiftUI { console.note("read as the form of \(path.form.libraries)") }
            for note in path.notes { console.note(note) }
            return try PathEnvelope.encode(path.elements, options: .init(dictionary: dictionary))
        } catch {
            throw CommandFailure(error, in: input.source)
        }
    }
}
