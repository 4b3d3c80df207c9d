// SPDX-License-Identifier: Apache-2.0
import NavClient

enum RemoveCommand {
    static let definition = CommandDefinition(
        name: "rm",
        summary: "remove a stack, here and on every peer",
        details: "",
        operands: [.stack],
        options: [.json],
        examples: ["navsyncctl rm shop/cart"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let receipt = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.remove(name, deadline: deadline)
        }
        try ReceiptAnswer.write(receipt, done: "removed", arguments, console)
    }
}
