// SPDX-License-Identifier: Apache-2.0
import NavClient

/// The stack's name as given, checked before anything is read or sent.
enum StackOperand {
    static func name(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
        let name = arguments.operand(0) ?? ""
        try DaemonCall.asking { () throws(NavClientError) in try ClientSession.checkName(name) }
        return name
    }
}

/// The answer of a command that wrote: the name and the stamp that the write got.
enum ReceiptAnswer {
    static func write(
        _ receipt: WriteReceipt, done: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        if arguments.isSet("json") {
            let fields: [(String, JSONText.Value)] = [("name", .text(receipt.name))] + StampText.fields(receipt.stamp)
            try console.writeLine(JSONText.object(fields))
        } else {
            try console.writeLine("\(done) \(Display.escaped(receipt.name)) \(receipt.stamp)")
        }
    }
}
