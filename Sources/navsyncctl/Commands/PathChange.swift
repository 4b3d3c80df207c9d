// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

/// Reads a stack, changes its path and writes it back, only if nobody else wrote meanwhile: one atomic write with the
/// stamp it was based on.
enum PathChange {
    static let expect = OptionDefinition(
        "expect", .text("STAMP"), "change only the stack that still has STAMP (see pull --meta)")

    /// `absent` is the path to start from where there is no stack; nil refuses.
    static func run(
        _ arguments: ParsedArguments, _ console: Console, done: String, absent: [PathElement]?,
        _ change: ([PathElement]) throws(CommandFailure) -> [PathElement]
    ) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let expected = try arguments.text("expect").map { text throws(CommandFailure) in
            try DaemonCall.asking { () throws(NavClientError) in try StackStamp(text) }
        }
        let call = try DaemonCall(arguments)
        let stack = try found(name, call, isRequired: absent == nil || expected != nil)
        let old = try stack.map { stack throws(CommandFailure) in
            try DaemonCall.asking { () throws(NavClientError) in try stack.elements() }
        }
        let elements = try change(old ?? absent ?? [])
        let base = (expected ?? stack?.stamp).map(ExpectedStack.stamp) ?? .absent
        let envelope = try envelope(elements)
        let receipt = try call.ask { session, deadline throws(NavClientError) in
            try session.push(envelope, to: name, expecting: base, deadline: deadline)
        }
        try ReceiptAnswer.write(receipt, done: done, arguments, console)
    }

    private static func found(
        _ name: String, _ call: DaemonCall, isRequired: Bool
    ) throws(CommandFailure) -> PulledStack? {
        do throws(CommandFailure) {
            return try call.ask { session, deadline throws(NavClientError) in
                try session.pull(name, deadline: deadline)
            }
        } catch  where error.status == .notFound && !isRequired {
            return nil
        }
    }

    private static func envelope(_ elements: [PathElement]) throws(CommandFailure) -> [UInt8] {
        do throws(NavWireError) {
            return try PathEnvelope.encode(elements)
        } catch {
            throw CommandFailure(error, in: "the new path")
        }
    }
}
