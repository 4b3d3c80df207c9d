// SPDX-License-Identifier: Apache-2.0
import NavClient

enum UndoCommand {
    static let definition = CommandDefinition(
        name: "undo",
        summary: "put an earlier version of a stack back",
        details:
            "Writes the content of the version before the live one, or of the one that --to names, as a new version,"
            + " here and on every peer. The one before is that with the next lower stamp: what was overwritten, what was"
            + " removed, or the write that lost when two were made at once; see history. Where that is a removal the stack"
            + " is removed. A second undo takes back the first. If the stack changes meanwhile, nothing is written and the"
            + " exit status is \(ExitStatus.staleBase.rawValue).",
        operands: [.stack],
        options: [OptionDefinition("to", .text("VERSION"), "the number of the version, as history shows it"), .json],
        examples: ["navsyncctl undo shop/cart", "navsyncctl undo shop/cart --to 312"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let version = try arguments.version("to")
        let receipt = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.undo(name, to: version, deadline: deadline)
        }
        if arguments.isSet("json") {
            let fields: [(String, JSONText.Value)] =
                [("name", .text(receipt.name))] + StampText.fields(receipt.stamp) + [
                    ("version", .number(receipt.version)), ("removed", .boolean(receipt.isRemoved)),
                ]
            return try console.writeLine(JSONText.object(fields))
        }
        try console.writeLine("undone \(Display.escaped(receipt.name)) \(receipt.stamp)")
        console.note("as in version \(receipt.version)\(receipt.isRemoved ? ", which is a removal" : "")")
    }
}
