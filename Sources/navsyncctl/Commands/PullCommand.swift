// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

enum PullCommand {
    static let definition = CommandDefinition(
        name: "pull",
        summary: "read the path of a stack",
        details: "Writes SwiftUI's path JSON unless told otherwise. With --meta the stamp, the origin and the size come"
            + " first; with --meta and --json they and the path are the fields of one object. With --output the path"
            + " goes to the file and what --meta adds to standard output.",
        operands: [.stack],
        options: [
            .output,
            OptionDefinition("json", "the path as SwiftUI's JSON (what is written when nothing is asked for)"),
            OptionDefinition("envelope", "the path as it is stored: an envelope"),
            OptionDefinition("meta", "also the stamp, the origin and the size"),
            OptionDefinition("at", .text("VERSION"), "not the live version but this one, as history numbers them"),
        ],
        examples: ["navsyncctl pull shop/cart", "navsyncctl pull shop/cart --envelope -o cart.nav"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let isEnvelope = arguments.isSet("envelope")
        let isToFile = arguments.text("output").map { $0 != "-" } ?? false
        guard !(isEnvelope && arguments.isSet("json")) else { throw .usage("--envelope and --json exclude each other") }
        guard !(isEnvelope && arguments.isSet("meta")) || isToFile else {
            throw .usage("--meta with --envelope needs a file for the envelope", hint: "add -o FILE")
        }
        let version = try arguments.version("at")
        let stack = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            guard let version else { return try session.pull(name, deadline: deadline) }
            return try session.pull(name, version: version, deadline: deadline)
        }
        let elements = try DaemonCall.asking { () throws(NavClientError) in try stack.elements() }
        if arguments.isSet("meta"), arguments.isSet("json"), !isToFile {
            return try writeObject(stack, elements, arguments, console)
        }
        if !isToFile, arguments.isSet("meta") { try writeMeta(stack, elements, arguments, console) }
        if isEnvelope {
            try BinaryAnswer.write(stack.envelope, arguments, console)
        } else {
            try PathAnswer.write(elements, source: "the stack", arguments, console)
        }
        if isToFile, arguments.isSet("meta") { try writeMeta(stack, elements, arguments, console) }
    }

    private static func writeObject(
        _ stack: PulledStack, _ elements: [PathElement], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let path = JSONText.safeForTerminal(try PathAnswer.json(elements, source: "the stack"))
        try console.writeLine(JSONText.object(fields(stack, elements) + [("path", .raw(path))]))
        PathAnswer.noteOddities(of: elements, console)
    }

    private static func writeMeta(
        _ stack: PulledStack, _ elements: [PathElement], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.object(fields(stack, elements)))
        }
        try console.writeLine("name     \(Display.escaped(stack.name))")
        try console.writeLine("stamp    \(stack.stamp)")
        try console.writeLine("time     \(StampText.time(stack.stamp.milliseconds))")
        try console.writeLine("origin   \(stack.stamp.origin)")
        try console.writeLine("size     \(stack.envelope.count) bytes")
        try console.writeLine("elements \(elements.count)")
    }

    private static func fields(_ stack: PulledStack, _ elements: [PathElement]) -> [(String, JSONText.Value)] {
        [("name", .text(stack.name))] + StampText.fields(stack.stamp) + [
            ("size", .number(UInt64(stack.envelope.count))), ("elements", .number(UInt64(elements.count))),
        ]
    }
}
