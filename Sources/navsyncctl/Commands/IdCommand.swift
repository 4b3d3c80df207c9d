// SPDX-License-Identifier: Apache-2.0
import NavClient

/// The daemon's identity.
enum IdCommand {
    static let definition = CommandDefinition(
        name: "id",
        summary: "show the daemon's id, or renew its TLS key",
        details: """
            show    prints the permanent id of the daemon (this is the default)
            rotate  makes a new TLS key; the id, cursors and rights stay, and open links keep the old key until they end
            """,
        operands: [OperandDefinition("ACTION", .word(["show", "rotate"]), isRequired: false, "show or rotate")],
        options: [.json],
        examples: ["navsyncctl id"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let action = arguments.operand(0) ?? "show"
        guard action == "show" || action == "rotate" else {
            throw .usage("unknown action \(Display.quoted(action)): show or rotate is needed")
        }
        let answer = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.manage("id.\(action)", [], deadline: deadline)
        }
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.object(answer.map { ($0.key, .text($0.value)) }))
        }
        try console.writeLine(Display.escaped(answer.first { $0.key == "id" }?.value ?? ""))
    }
}
