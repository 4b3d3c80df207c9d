// SPDX-License-Identifier: Apache-2.0
import NavWire

enum DecodeCommand {
    static let definition = CommandDefinition(
        name: "decode",
        summary: "turn an envelope into SwiftUI's path JSON",
        details: "Needs no daemon. Unusual elements are kept verbatim and named in notes on standard error.",
        operands: [CommandTable.input],
        options: [CommandTable.output],
        examples: ["navsyncctl decode path.nav"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let input = try PathInput.read(arguments.operand(0))
        guard input.isEnvelope else {
            throw CommandFailure(
                .badInput, "\(input.source): this is not an envelope",
                hint: "'navsyncctl encode' makes one from SwiftUI's path JSON")
        }
        let elements = try input.elements()
        try PathAnswer.write(elements, source: input.source, arguments, console)
    }
}
