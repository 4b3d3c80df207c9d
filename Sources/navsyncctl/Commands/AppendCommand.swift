// SPDX-License-Identifier: Apache-2.0
import NavWire

enum AppendCommand {
    static let definition = CommandDefinition(
        name: "append",
        summary: "put an element on top of a stack's path",
        details: "Makes the stack where there is none. One atomic write: if the stack changes meanwhile, nothing is"
            + " written and the exit status is \(ExitStatus.staleBase.rawValue).",
        operands: [
            .stack,
            OperandDefinition(
                "TAG", .word([]), isRequired: true, "the name of the element's type, such as Swift.Int"),
            OperandDefinition("JSON", .file, isRequired: true, "its value as JSON text; '-': standard input"),
        ],
        options: [PathChange.expect, .json],
        examples: ["navsyncctl append shop/cart Shop.Product '{\"id\":7}'"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let element = try element(arguments)
        try PathChange.run(arguments, console, done: "appended", absent: []) { $0 + [element] }
        if let oddity = element.oddity { console.note("\(Display.quoted(element.tag)): \(oddity)") }
    }

    private static func element(_ arguments: ParsedArguments) throws(CommandFailure) -> PathElement {
        let tag = arguments.operand(1) ?? ""
        var item = arguments.operand(2) ?? ""
        if item == "-" {
            guard let text = String(validating: try InputFile.read(nil), as: UTF8.self) else {
                throw CommandFailure(.badInput, "standard input: not UTF-8 text")
            }
            item = text
        }
        do throws(NavWireError) {
            let element = try PathElement(checkingTag: tag, item: item)
            guard case .verbatim = element.value else { return element }
        } catch {
            throw CommandFailure(error, in: "the element")
        }
        var why = "not JSON"
        if case .itemIsNotJSON(let reason)? = PathElement(tag: tag, value: .verbatim(item)).oddity { why = reason }
        throw CommandFailure(
            .badInput, "the value is \(why)",
            hint: "quote it for the shell; a text needs quotes of its own: '\"text\"'")
    }
}
