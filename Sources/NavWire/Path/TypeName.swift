// SPDX-License-Identifier: Apache-2.0

/// A readable type name such as `Swift.Array<App.Outer.Inner>`, parsed.
///
///     name      = [ extension ] component *( "." component )
///     extension = "(extension in " identifier "):"
///     component = identifier [ "<" argument *( ", " argument ) ">" ] | "(unknown context at $" hex ")"
///     argument  = name | [ "-" ] digits
///
/// The first component is the module, unless the name has only one. A context that the compiler cannot name carries a
/// memory address, which differs in every run: ``canonical`` drops it, so that names compare.
package struct TypeName: Hashable, Sendable {
    package enum Component: Hashable, Sendable {
        case named(String, arguments: [TypeName])
        /// A private or local context; its address in hexadecimal, where the text had one.
        case anonymous(address: String?)
    }

    package var components: [Component]
    /// The module of the extension in which a nested type was declared.
    package var extensionModule: String?

    /// How deep generic arguments may nest.
    static let maximumDepth = 32

    package init(components: [Component], extensionModule: String? = nil) {
        self.components = components
        self.extensionModule = extensionModule
    }

    /// The name in a text; nil when the text is no readable type name.
    package init?(_ text: String) {
        var parser = TypeNameParser(text)
        guard let name = parser.readWhole() else { return nil }
        self = name
    }

    /// Whether a text can be the name of a component.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy(isIdentifier)
    }

    /// Whether a text can be the address of a context.
    static func isAddress(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isHexadecimal) }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    fileprivate static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }

    /// ASCII letters, digits and `_`; and every byte of a scalar beyond ASCII, since identifiers may be in any script.
    fileprivate static func isIdentifier(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte >= 0x80 || byte == UInt8(ascii: "_")
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Whether a private or local type takes part anywhere in the name.
    package var isPrivate: Bool {
        components.contains { component in
            switch component {
            case .anonymous: true
            case .named(_, let arguments): arguments.contains(where: \.isPrivate)
            }
        }
    }

    /// The module; nil for a bare name.
    package var module: String? {
        guard components.count > 1, case .named(let name, let arguments) = components[0], arguments.isEmpty else {
            return nil
        }
        return name
    }
}

extension TypeName: CustomStringConvertible {
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Into one text: a name inside others would be copied once for each of them.
    private func write(to text: inout String) {
        if let extensionModule { text += "(extension in \(extensionModule)):" }
        for (index, component) in components.enumerated() {
            if index > 0 { text += "." }
            switch component {
            case .anonymous(let address): text += address.map { "(unknown context at $\($0))" } ?? "(unknown context)"
            case .named(let name, let arguments):
                text += name
                if arguments.isEmpty { continue }
                for (place, argument) in arguments.enumerated() {
                    text += place == 0 ? "<" : ", "
                    argument.write(to: &text)
                }
                text += ">"
            }
        }
    }
}

/// A recursive descent over the bytes of a name, depth-limited.
private struct TypeNameParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func readWhole() -> TypeName? {
        guard let name = readName(depth: 0), index == bytes.count else { return nil }
        return name
    }

    private mutating func readName(depth: Int) -> TypeName? {
        guard depth <= TypeName.maximumDepth else { return nil }
        var extensionModule: String?
        if skip("(extension in ") {
            guard let module = readIdentifier(), skip("):") else { return nil }
            extensionModule = module
        }
        var components: [TypeName.Component] = []
        repeat {
            guard let component = readComponent(depth: depth) else { return nil }
            components.append(component)
        } while skip(".")
        return TypeName(components: components, extensionModule: extensionModule)
    }

    private mutating func readComponent(depth: Int) -> TypeName.Component? {
        if skip("(unknown context") {
            var address: String?
            if skip(" at $") {
                address = readHexadecimal()
                if address == nil { return nil }
            }
            return skip(")") ? .anonymous(address: address) : nil
        }
        guard let name = readIdentifier() else { return nil }
        guard skip("<") else { return .named(name, arguments: []) }
        var arguments: [TypeName] = []
        repeat {
            guard let argument = readInteger() ?? readName(depth: depth + 1) else { return nil }
            arguments.append(argument)
        } while skip(", ")
        return skip(">") ? .named(name, arguments: arguments) : nil
    }

    /// A generic argument may be a number: `Swift.InlineArray<4, Swift.Int>`.
    private mutating func readInteger() -> TypeName? {
        let start = index
        _ = skip("-")
        let digits = index
        while let byte = peek(), TypeName.isDigit(byte) { index += 1 }
        guard index > digits else {
            index = start
            return nil
        }
        let number = String(decoding: bytes[start..<index], as: UTF8.self)
        return TypeName(components: [.named(number, arguments: [])])
    }

    private mutating func readHexadecimal() -> String? {
        let start = index
        while let byte = peek(), TypeName.isHexadecimal(byte) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    private mutating func readIdentifier() -> String? {
        let start = index
        guard let first = peek(), TypeName.isIdentifier(first), !TypeName.isDigit(first) else { return nil }
        while let byte = peek(), TypeName.isIdentifier(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }
}
