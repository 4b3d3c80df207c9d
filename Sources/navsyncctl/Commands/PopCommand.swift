// SPDX-License-Identifier: Apache-2.0
import NavWire

enum PopCommand {
    static let definition = CommandDefinition(
        name: "pop",
        summary: "take elements from the top of a stack's path",
        details: "One atomic write: if the stack changes meanwhile, nothing is written and the exit status is"
            + " \(ExitStatus.staleBase.rawValue). Taking more than there are is refused.",
        operands: [.stack],
        options: [
            OptionDefinition("count", short: "n", .text("K"), "how many to take (1)"), PathChange.expect,
            .json,
        ],
        examples: ["navsyncctl pop shop/cart", "navsyncctl pop shop/cart -n 2"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let count = try arguments.number("count", default: 1, in: 1...NavWireLimits.default.maximumElementCount)
        try PathChange.run(arguments, console, done: "popped", absent: nil) { elements throws(CommandFailure) in
            guard count <= elements.count else {
                throw CommandFailure(
                    .badInput, "cannot take \(count) of \(elements.count) elements",
                    hint: "'navsyncctl show' lists them; 'navsyncctl rm' removes the stack")
            }
            return Array(elements.dropLast(count))
        }
    }
}
