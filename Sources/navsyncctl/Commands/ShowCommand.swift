// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

enum ShowCommand {
    static let definition = CommandDefinition(
        name: "show",
        summary: "show a stack's path, one element a line",
        details: "From the root down: the place, the tag and the value. With --json, one array of objects; the item of"
            + " an element that is not JSON is its text, and 'oddity' says why.",
        operands: [.stack],
        options: [.json],
        examples: ["navsyncctl show shop/cart"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let stack = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.pull(name, deadline: deadline)
        }
        let elements = try DaemonCall.asking { () throws(NavClientError) in try stack.elements() }
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.array(elements.enumerated().map { object($1, at: $0) }))
        }
        for line in lines(elements) { try console.writeLine(line) }
        if elements.isEmpty { console.note("the path is empty") }
        PathAnswer.noteOddities(of: elements, console)
    }

    /// Place, tag and value in columns.
    static func lines(_ elements: [PathElement]) -> [String] {
        let tags = elements.map { Display.escaped($0.tag) }
        // A very long tag does not push all values off the screen.
        let width = min(tags.map(\.count).max() ?? 0, 40)
        let places = String(max(0, elements.count - 1)).count
        return elements.indices.map { index in
            let place = String(repeating: " ", count: places - String(index).count) + String(index)
            let gap = String(repeating: " ", count: max(0, width - tags[index].count))
            return "\(place)  \(tags[index])\(gap)  \(Display.escaped(shown(elements[index])))"
        }
    }

    static func object(_ element: PathElement, at index: Int) -> [UInt8] {
        var fields: [(String, JSONText.Value)] = [("index", .number(UInt64(index))), ("tag", .text(element.tag))]
        switch element.value {
        case .verbatim(let text): fields.append(("item", .text(text)))
        default:
            let json = item(element).map { JSONText.safeForTerminal(Array($0.utf8)) }
            fields.append(("item", json.map(JSONText.Value.raw) ?? .null))
        }
        if let oddity = element.oddity { fields.append(("oddity", .text("\(oddity)"))) }
        return JSONText.object(fields)
    }

    private static func shown(_ element: PathElement) -> String {
        do {
            return try element.value.itemText()
        } catch {
            return error.code == .tooLarge ? "(too much JSON)" : "(no JSON form)"
        }
    }

    private static func item(_ element: PathElement) -> String? { try? element.value.itemText() }
}
