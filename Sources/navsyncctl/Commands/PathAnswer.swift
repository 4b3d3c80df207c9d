// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Writes a path as SwiftUI's JSON, and notes what is unusual about its elements.
enum PathAnswer {
    static func json(
        _ elements: [PathElement], as form: PathForm = .swiftUI, source: String
    ) throws(CommandFailure) -> [UInt8] {
        do throws(NavWireError) {
            return form == .swiftCrossUI
                ? try PathJSON.encodeSwiftCrossUI(elements) : try SwiftUIJSON.encode(elements)
        } catch {
            throw CommandFailure(error, in: source)
        }
    }

    static func write(
        _ elements: [PathElement], as form: PathForm = .swiftUI, source: String, _ arguments: ParsedArguments,
        _ console: Console
    ) throws(CommandFailure) {
        let json = try json(elements, as: form, source: source)
        if let file = arguments.text("output"), file != "-" {
            try OutputFile.write(json + [UInt8(ascii: "\n")], to: file)
        } else {
            try console.writeLine(console.isOutputTerminal ? JSONText.safeForTerminal(json) : json)
        }
        noteOddities(of: elements, console)
    }

    /// One note for each element that another program may not understand; nothing about it was changed.
    static func noteOddities(of elements: [PathElement], _ console: Console) {
        let limit = 20
        let odd = elements.enumerated().compactMap { index, element in element.oddity.map { (index, element.tag, $0) } }
        for (index, tag, oddity) in odd.prefix(limit) {
            console.note("element \(index) \(Display.quoted(tag)): \(oddity)")
        }
        if odd.count > limit { console.note("and \(odd.count - limit) more") }
    }
}

/// Writes bytes that no terminal should get.
enum BinaryAnswer {
    static func write(
        _ bytes: [UInt8], called what: String = "an envelope", _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        if let file = arguments.text("output"), file != "-" { return try OutputFile.write(bytes, to: file) }
        guard !console.isOutputTerminal || arguments.text("output") == "-" else {
            throw .usage(
                "\(what) is binary and this is a terminal",
                hint: "write it to a file with -o FILE, or force it with -o -")
        }
        try console.write(bytes)
    }
}
