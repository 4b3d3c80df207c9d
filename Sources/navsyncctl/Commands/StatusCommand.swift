// SPDX-License-Identifier: Apache-2.0
import NavClient

enum StatusCommand {
    static let definition = CommandDefinition(
        name: "status",
        summary: "show how the daemon and its links are",
        details: "With --json, one object whose fields are all texts; a key never changes its meaning.",
        operands: [],
        options: [.json],
        examples: [],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let facts = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.status(deadline: deadline)
        }
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.object(facts.map { ($0.key, .text($0.value)) }))
        }
        let width = facts.map(\.key.count).max() ?? 0
        for fact in facts {
            let gap = String(repeating: " ", count: width - fact.key.count)
            try console.writeLine("\(Display.escaped(fact.key))\(gap)  \(Display.escaped(fact.value))")
        }
    }
}
