// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

enum PushCommand {
    static let definition = CommandDefinition(
        name: "push",
        summary: "write a path to a stack",
        details: "Reads the JSON that SwiftUI's NavigationPath.CodableRepresentation encodes to, or an envelope; which"
            + " of the two is told from the content. Returns when the path is on the daemon's disk.",
        operands: [.stack, .input],
        options: [
            OptionDefinition(
                "expect", .text("STAMP"),
                "write only if the stack still has STAMP (see pull --meta), or only if there is none: 'none'"),
            .json,
        ],
        examples: ["navsyncctl push shop/cart path.json", "my-app | navsyncctl push shop/cart"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let expected = try expected(arguments.text("expect"))
        let input = try PathInput.read(arguments.operand(1))
        let envelope = try input.envelope()
        let receipt = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.push(envelope, to: name, expecting: expected, deadline: deadline)
        }
        try ReceiptAnswer.write(receipt, done: "pushed", arguments, console)
        if !input.isEnvelope { PathAnswer.noteOddities(of: try input.elements(), console) }
    }

    private static func expected(_ text: String?) throws(CommandFailure) -> ExpectedStack {
        switch text {
        case nil: .anything
        case "none": .absent
        case .some(let text):
            try DaemonCall.asking { () throws(NavClientError) in .stamp(try StackStamp(text)) }
        }
    }
}
