// SPDX-License-Identifier: Apache-2.0

/// Swift's mangled type names, as some libraries write them for tags: `Si`, `11nav_codable4UserV`, `SaySiG`.
///
/// They are read here as text. Nothing that came from outside is ever given to the runtime's type lookup, which
/// crafted names have crashed.
enum MangledName {
    /// Whether a tag is a mangled name. A readable name never begins with a digit.
    static func isMangled(_ tag: String) -> Bool {
        let startsWithDigit = tag.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
        return startsWithDigit || typeName(tag) != nil
    }

    /// The readable name of a mangled one; nil when it is none, or one of a kind that no element of a path has.
    static func typeName(_ mangled: String) -> TypeName? {
        guard mangled.utf8.count <= NavWireLimits.default.maximumTagByteCount else { return nil }
        var parser = MangledNameParser(mangled)
        return parser.readWhole()
    }

    /// Standard types whose mangled name is `S` and a letter.
    static let standardTypes: [UInt8: String] = [
        UInt8(ascii: "a"): "Array", UInt8(ascii: "b"): "Bool", UInt8(ascii: "D"): "Dictionary",
        UInt8(ascii: "d"): "Double", UInt8(ascii: "f"): "Float", UInt8(ascii: "h"): "Set", UInt8(ascii: "i"): "Int",
        UInt8(ascii: "J"): "Character", UInt8(ascii: "N"): "ClosedRange", UInt8(ascii: "n"): "Range",
        UInt8(ascii: "q"): "Optional", UInt8(ascii: "S"): "String", UInt8(ascii: "s"): "Substring",
        UInt8(ascii: "u"): "UInt",
    ]
}

/// A stack machine over a mangled name: operands are pushed, an operator takes what it needs from the top.
///
/// Only what a nominal type needs is known: identifiers with word substitutions, back references, structures, enums and
/// classes in modules, types and anonymous contexts, and generic arguments. Back references and words make a name longer
/// than its text, so every name carries its size, and what is done counts: a name that would explode is given up before
/// it is made.
struct MangledNameParser {
    private enum Node {
        /// What has a dot in it, or is an address, is no name: `TypeName` would not read it back.
        case identifier(String, isName: Bool)
        case type(TypeName, Size)
        case emptyList
        case firstElement
    }

    /// How large the text of a name is, and how deep its generic arguments nest.
    private struct Size {
        var byteCount: Int
        var depth = 0
    }

    /// A readable name, or one identifier, has no more bytes; a tag has far fewer.
    static let maximumByteCount = 2048
    /// Operands pushed, components and bytes copied, for each byte of the text.
    static let maximumWorkPerByte = 32
    private static let maximumWordCount = 26

    /// What was done so far.
    private(set) var work = 0
    private let bytes: [UInt8]
    private var index = 0
    private var stack: [Node] = []
    private var substitutions: [Node] = []
    private var words: [String] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func readWhole() -> TypeName? {
        while index < bytes.count {
            guard step() else { return nil }
        }
        guard stack.count == 1, case .type(let name, _) = stack[0], name.components.count > 1 else { return nil }
        return name
    }

    private mutating func step() -> Bool {
        let byte = bytes[index]
        if isDigit(byte) { return readIdentifier() }
        index += 1
        switch byte {
        case UInt8(ascii: "s"): return push(.identifier("Swift", isName: true))
        case UInt8(ascii: "S"): return readStandard()
        case UInt8(ascii: "A"): return readSubstitutions()
        case UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "C"): return makeNominal()
        case UInt8(ascii: "y"): return push(.emptyList)
        case UInt8(ascii: "_"): return push(.firstElement)
        case UInt8(ascii: "G"): return bindGenericArguments()
        case UInt8(ascii: "X"): return skip(UInt8(ascii: "Z")) && makeAnonymous()
        default: return false
        }
    }

    private mutating func push(_ node: Node) -> Bool {
        guard spend(1) else { return false }
        stack.append(node)
        return true
    }

    private mutating func pushNew(_ node: Node) -> Bool {
        substitutions.append(node)
        return push(node)
    }

    /// Whether so much may still be done.
    private mutating func spend(_ amount: Int) -> Bool {
        guard work + amount <= Self.maximumWorkPerByte * bytes.count else { return false }
        work += amount
        return true
    }

    // MARK: Operators

    /// `context identifier V`: a type in a module, in another type or in an anonymous context.
    private mutating func makeNominal() -> Bool {
        guard case .identifier(let name, isName: true)? = stack.popLast(), let context = popContext() else {
            return false
        }
        guard let type = joined(context, .named(name, arguments: []), byteCount: name.utf8.count) else { return false }
        return pushNew(type)
    }

    /// `context identifier y XZ`: a private or local context, whose identifier is `$` and an address.
    private mutating func makeAnonymous() -> Bool {
        guard case .emptyList? = stack.popLast(), case .identifier(let text, _)? = stack.popLast(),
            let context = popContext(), spend(text.utf8.count)
        else { return false }
        let address = text.hasPrefix("$") ? String(text.dropFirst()) : nil
        if let address, !TypeName.isAddress(address) { return false }
        let byteCount = "(unknown context at )".utf8.count + text.utf8.count
        guard let type = joined(context, .anonymous(address: address), byteCount: byteCount) else { return false }
        return push(type)
    }

    private mutating func popContext() -> (name: TypeName, size: Size)? {
        switch stack.popLast() {
        case .identifier(let module, isName: true):
            (TypeName(components: [.named(module, arguments: [])]), Size(byteCount: module.utf8.count))
        case .type(let name, let size): (name, size)
        default: nil
        }
    }

    /// `type y argument* ( _ argument* )* G`: the lists belong to the components from the outermost generic one inwards.
    private mutating func bindGenericArguments() -> Bool {
        // Everything is popped from its end.
        var lists: [[TypeName]] = [[]]
        var size = Size(byteCount: 0)
        collect: while true {
            switch stack.popLast() {
            case .type(let argument, let its):
                lists[lists.count - 1].append(argument)
                // The comma and the space, or the angle brackets.
                size.byteCount += its.byteCount + 2
                size.depth = max(size.depth, its.depth + 1)
            case .firstElement: lists.append([])
            case .emptyList: break collect
            default: return false
            }
        }
        guard case .type(var name, let own)? = stack.popLast(), lists.count <= name.components.count,
            lists.contains(where: { !$0.isEmpty }), spend(name.components.count)
        else {
            return false
        }
        // The first list that was popped is the innermost component's.
        for (offset, list) in lists.enumerated() where !list.isEmpty {
            let place = name.components.count - 1 - offset
            guard place > 0, case .named(let text, []) = name.components[place] else { return false }
            name.components[place] = .named(text, arguments: list.reversed())
        }
        size.byteCount += own.byteCount
        size.depth = max(size.depth, own.depth)
        return type(name, size).map { pushNew($0) } ?? false
    }

    /// The type with a component more than `context` has, of so many bytes.
    private mutating func joined(
        _ context: (name: TypeName, size: Size), _ component: TypeName.Component, byteCount: Int
    ) -> Node? {
        var size = context.size
        size.byteCount += 1 + byteCount
        guard spend(context.name.components.count) else { return nil }
        return type(TypeName(components: context.name.components + [component]), size)
    }

    private func type(_ name: TypeName, _ size: Size) -> Node? {
        size.byteCount <= Self.maximumByteCount && size.depth <= TypeName.maximumDepth ? .type(name, size) : nil
    }

    // MARK: Operands

    /// `S` and a letter; `Sg` makes the type before it optional; `S2S` is `SSSS`.
    private mutating func readStandard() -> Bool {
        guard let count = readRepetition(), index < bytes.count else { return false }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "g"), count == 1 {
            guard case .type(let name, var size)? = stack.popLast() else { return false }
            size.byteCount += "Swift.Optional<>".utf8.count
            size.depth += 1
            return type(Self.swift("Optional", [name]), size).map { pushNew($0) } ?? false
        }
        if byte == UInt8(ascii: "o"), count == 1 { return push(.identifier("__C", isName: true)) }
        guard let name = MangledName.standardTypes[byte] else { return false }
        let type = Node.type(Self.swift(name, []), Size(byteCount: "Swift.".utf8.count + name.utf8.count))
        return (0..<count).allSatisfy { _ in push(type) }
    }

    private static func swift(_ name: String, _ arguments: [TypeName]) -> TypeName {
        TypeName(components: [.named("Swift", arguments: []), .named(name, arguments: arguments)])
    }

    /// `A`, then back references: a small letter and more follow, a capital letter is the last; `A3_` is the 30th.
    private mutating func readSubstitutions() -> Bool {
        while true {
            let start = index
            guard let count = readRepetition(), index < bytes.count else { return false }
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                guard pushSubstitution(Int(byte - UInt8(ascii: "a")), count) else { return false }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): return pushSubstitution(Int(byte - UInt8(ascii: "A")), count)
            case UInt8(ascii: "_"): return pushSubstitution(index - 1 == start ? 26 : count + 27, 1)
            default: return false
            }
        }
    }

    private mutating func pushSubstitution(_ place: Int, _ count: Int) -> Bool {
        guard substitutions.indices.contains(place) else { return false }
        return (0..<count).allSatisfy { _ in push(substitutions[place]) }
    }

    /// How often the next letter counts; 1 without a number.
    private mutating func readRepetition() -> Int? {
        guard index < bytes.count, isDigit(bytes[index]) else { return 1 }
        return readNumber().flatMap { 1...32 ~= $0 || $0 == 0 ? $0 : nil }
    }

    private mutating func readNumber() -> Int? {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return index - start <= 3 ? Int(String(decoding: bytes[start..<index], as: UTF8.self)) : nil
    }

    /// A length and so many bytes. After `0` words that were seen before may stand in front of each piece, `a` for the
    /// first; a capital letter is the last word, and one more piece, or `0`, ends the identifier.
    private mutating func readIdentifier() -> Bool {
        var text = ""
        var mayHaveWords = skip(UInt8(ascii: "0"))
        repeat {
            while mayHaveWords, index < bytes.count, isLetter(bytes[index]) {
                mayHaveWords = !isCapital(bytes[index])
                guard let word = readWord(), append(word, to: &text) else { return false }
            }
            if skip(UInt8(ascii: "0")) { break }
            guard let length = readNumber(), let piece = readPiece(length), append(piece, to: &text) else {
                return false
            }
        } while mayHaveWords
        return text.isEmpty ? false : pushNew(.identifier(text, isName: TypeName.isIdentifier(text)))
    }

    private mutating func append(_ piece: String, to text: inout String) -> Bool {
        let byteCount = piece.utf8.count
        guard text.utf8.count + byteCount <= Self.maximumByteCount, spend(byteCount) else { return false }
        text += piece
        return true
    }

    private mutating func readWord() -> String? {
        let byte = bytes[index]
        index += 1
        let place = Int(byte - (isCapital(byte) ? UInt8(ascii: "A") : UInt8(ascii: "a")))
        return words.indices.contains(place) ? words[place] : nil
    }

    private mutating func readPiece(_ length: Int) -> String? {
        guard length > 0, length <= bytes.count - index else { return nil }
        let piece = bytes[index..<index + length]
        index += length
        noteWords(Array(piece))
        return String(validating: piece, as: UTF8.self)
    }

    /// Notes the words of a piece: one ends before `_` and before a capital that follows no capital; none begins with a
    /// digit, and one letter is none.
    private mutating func noteWords(_ piece: [UInt8]) {
        var start: Int?
        for place in 0...piece.count {
            let byte = place < piece.count ? piece[place] : 0
            if let begin = start, !isWordPart(byte) || (!isCapital(piece[place - 1]) && isCapital(byte)) {
                if place - begin >= 2, words.count < Self.maximumWordCount {
                    words.append(String(decoding: piece[begin..<place], as: UTF8.self))
                }
                start = nil
            }
            if start == nil, isWordPart(byte), !isDigit(byte) { start = place }
        }
    }

    private func isWordPart(_ byte: UInt8) -> Bool { byte != 0 && byte != UInt8(ascii: "_") }
    private func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private func isLetter(_ byte: UInt8) -> Bool { isCapital(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
