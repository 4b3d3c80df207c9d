// SPDX-License-Identifier: Apache-2.0
import NavWire

enum InspectCommand {
    static let definition = CommandDefinition(
        name: "inspect",
        summary: "explain an envelope part by part",
        details: "Needs no daemon and none of the app's types. A damaged envelope is explained up to where it stops"
            + " making sense; the exit status then says that it is bad input. Given SwiftUI's path JSON, explains the"
            + " envelope that it becomes.",
        operands: [.input],
        options: [DictionaryFiles.option, .json],
        examples: ["navsyncctl encode path.json | navsyncctl inspect", "navsyncctl inspect cart.nav"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let input = try PathInput.read(arguments.operand(0))
        let envelope = input.looksLikeJSON ? try input.envelope() : input.bytes
        let dictionaries = try DictionaryFiles.read(arguments)
        let inspection = EnvelopeInspection.inspect(envelope, dictionary: dictionaries.fitting(envelope))
        if arguments.isSet("json") {
            try console.writeLine(object(inspection, byteCount: envelope.count))
        } else {
            try writeTable(inspection, byteCount: envelope.count, console)
        }
        if let fault = inspection.fault { throw CommandFailure(fault, in: input.source) }
    }

    private static func writeTable(
        _ inspection: EnvelopeInspection, byteCount: Int, _ console: Console
    ) throws(CommandFailure) {
        let width = max(6, String(byteCount).count)
        let labels = min(24, inspection.lines.map(\.label.count).max() ?? 0)
        try console.writeLine("envelope of \(byteCount) bytes")
        try console.writeLine("\(padded("OFFSET", width))  \(padded("BYTES", width))  PART")
        for line in inspection.lines {
            let gap = String(repeating: " ", count: max(0, labels - line.label.count))
            let place = "\(padded(String(line.offset), width))  \(padded(String(line.byteCount), width))"
            try console.writeLine("\(place)  \(Display.escaped(line.label))\(gap)  \(Display.escaped(line.text))")
        }
    }

    private static func object(_ inspection: EnvelopeInspection, byteCount: Int) -> [UInt8] {
        let parts = inspection.lines.map { line in
            JSONText.object([
                ("part", .text(line.label)), ("offset", .number(UInt64(max(0, line.offset)))),
                ("size", .number(UInt64(max(0, line.byteCount)))), ("text", .text(line.text)),
            ])
        }
        return JSONText.object([
            ("size", .number(UInt64(byteCount))), ("fault", inspection.fault.map { .text($0.reason) } ?? .null),
            ("parts", .raw(JSONText.array(parts))),
        ])
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
