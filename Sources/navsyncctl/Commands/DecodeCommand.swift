// SPDX-License-Identifier: Apache-2.0
import NavWire

enum DecodeCommand {
    static let definition = CommandDefinition(
        name: "decode",
        summary: "turn an envelope into SwiftUI's path JSON",
        details: "Needs no daemon. Unusual elements are kept verbatim and named in notes on standard error.",
        operands: [.input],
        options: [
            .output, DictionaryFiles.option,
            OptionDefinition(
                "module", .text("OLD=NEW,…"),
                "write the module NEW in place of OLD in tags: an app's builds are often modules of different names"),
            OptionDefinition(
                "to", .choice("FORM", [PathForm.swiftUI.rawValue, PathForm.swiftCrossUI.rawValue]),
                "the form to write: SwiftUI's unless given, or swift-cross-ui's"),
        ],
        examples: ["navsyncctl decode path.nav", "navsyncctl decode --module Shop=ShopPhone path.nav"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let input = try PathInput.read(arguments.operand(0))
        guard input.isEnvelope else {
            throw CommandFailure(
                .badInput, "\(input.source): this is not an envelope",
                hint: "'navsyncctl encode' makes one from SwiftUI's path JSON")
        }
        let renames = try renames(arguments.text("module"))
        let elements = try input.elements(DictionaryFiles.read(arguments)).map { element in
            renames.reduce(element) { $0.renamingModule($1.old, to: $1.new) }
        }
        let form = arguments.text("to").flatMap(PathForm.init) ?? .swiftUI
        try PathAnswer.write(elements, as: form, source: input.source, arguments, console)
    }

    private static func renames(_ text: String?) throws(CommandFailure) -> [(old: String, new: String)] {
        var renames: [(old: String, new: String)] = []
        for pair in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let names = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard names.count == 2, names.allSatisfy(PathElement.isModuleName) else {
                throw .usage(
                    "--module \(Display.quoted(String(pair))): two module names with '=' between are needed",
                    hint: "such as --module Shop=ShopPhone")
            }
            renames.append((names[0], names[1]))
        }
        return renames
    }
}
