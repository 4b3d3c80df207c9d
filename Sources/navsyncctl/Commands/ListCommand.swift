// SPDX-License-Identifier: Apache-2.0
import NavClient

enum ListCommand {
    static let definition = CommandDefinition(
        name: "list",
        summary: "list stacks",
        details: "One line for each stack, in the order of their names as bytes.",
        operands: [.prefix],
        options: [
            .json,
            OptionDefinition("names", "only the names, one a line"),
        ],
        examples: ["navsyncctl list shop/"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let prefix = arguments.operand(0) ?? ""
        let stacks = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.list(prefix: prefix, deadline: deadline)
        }
        if arguments.isSet("json") {
            try console.writeLine(JSONText.array(stacks.map(object)))
        } else if arguments.isSet("names") {
            for stack in stacks { try console.writeLine(Display.escaped(stack.name)) }
        } else {
            try writeTable(stacks, console)
        }
    }

    private static func object(_ stack: StackSummary) -> [UInt8] {
        JSONText.object(
            [("name", .text(stack.name))] + StampText.fields(stack.stamp) + [("size", .number(UInt64(stack.byteCount)))]
        )
    }

    private static func writeTable(_ stacks: [StackSummary], _ console: Console) throws(CommandFailure) {
        guard !stacks.isEmpty else { return console.note("no stacks") }
        let width = max(4, stacks.map { String($0.byteCount).count }.max() ?? 0)
        try console.writeLine("WRITTEN                   ORIGIN   \(Display.padded("SIZE", width))  NAME")
        for stack in stacks {
            // The name comes last: it may be long, and its width on a terminal is not ours to know.
            let time = StampText.time(stack.stamp.milliseconds)
            let size = Display.padded(String(stack.byteCount), width)
            try console.writeLine("\(time)  \(stack.stamp.shortOrigin)  \(size)  \(Display.escaped(stack.name))")
        }
    }
}
