// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text, strictly by RFC 8259: UTF-8 only, no byte order mark, no comments, no trailing comma, nothing
/// after the value.
///
/// Errors carry the offset of the byte at fault. Nesting is limited before it is entered, so no input can exhaust the
/// call stack; and values are counted, since each takes more memory than its text.
struct JSONScanner {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let maximumValueCount: Int
    private var valueCount = 0
    private var index = 0

    private init(_ bytes: [UInt8], limits: NavWireLimits) {
        self.bytes = bytes
        maximumDepth = limits.maximumDepth
        maximumValueCount = limits.maximumValueCount
    }

    /// The value of a whole text.
    static func value(of bytes: [UInt8], limits: NavWireLimits = .default) throws(NavWireError) -> JSONValue {
        try refuseForeignEncoding(bytes)
        if let offset = firstInvalidUTF8(in: bytes) {
            throw .notJSON("bytes that are not UTF-8", at: offset)
        }
        var scanner = JSONScanner(bytes, limits: limits)
        let value = try scanner.readValue(depth: 0)
        scanner.skipWhitespace()
        guard scanner.index == bytes.count else { throw .notJSON("text after the end of the value", at: scanner.index) }
        return value
    }

    /// Texts in UTF-16 or with a byte order mark are common enough to be called by name.
    private static func refuseForeignEncoding(_ bytes: [UInt8]) throws(NavWireError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw .notJSON("a byte order mark before the text; save it as UTF-8 without one", at: 0)
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
            throw .notJSON("text in UTF-16 or UTF-32; save it as UTF-8", at: 0)
        }
    }

    private static func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
        // The whole is checked with one fast call; the slow walk only finds the place to report.
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }

    // MARK: Values

    private mutating func readValue(depth: Int) throws(NavWireError) -> JSONValue {
        skipWhitespace()
        guard index < bytes.count else { throw .notJSON("the text ends where a value was expected", at: index) }
        valueCount += 1
        guard valueCount <= maximumValueCount else {
            throw .tooLarge("JSON of more than \(maximumValueCount) values, the limit")
        }
        switch bytes[index] {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: throw .notJSON("\(found()) where a value was expected", at: index)
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(NavWireError) -> JSONValue {
        let expected = Array("\(word)".utf8)
        guard bytes[index...].starts(with: expected) else {
            throw .notJSON("\(found()) where a value was expected", at: index)
        }
        index += expected.count
        return value
    }

    private mutating func readArray(depth: Int) throws(NavWireError) -> [JSONValue] {
        try enter(depth)
        var elements: [JSONValue] = []
        if try !readIsEmpty(closedBy: UInt8(ascii: "]")) {
            repeat {
                elements.append(try readValue(depth: depth))
            } while try readSeparator(orEnd: UInt8(ascii: "]"), of: "an array")
        }
        return elements
    }

    private mutating func readObject(depth: Int) throws(NavWireError) -> JSONObject {
        try enter(depth)
        var members: [JSONObject.Member] = []
        if try !readIsEmpty(closedBy: UInt8(ascii: "}")) {
            repeat {
                members.append(try readMember(depth: depth))
            } while try readSeparator(orEnd: UInt8(ascii: "}"), of: "an object")
        }
        return JSONObject(members)
    }

    private mutating func readMember(depth: Int) throws(NavWireError) -> JSONObject.Member {
        skipWhitespace()
        guard peek() == UInt8(ascii: "\"") else { throw .notJSON("\(found()) where a key was expected", at: index) }
        let key = try readString()
        skipWhitespace()
        guard peek() == UInt8(ascii: ":") else { throw .notJSON("\(found()) where a colon was expected", at: index) }
        index += 1
        return JSONObject.Member(key: key, value: try readValue(depth: depth))
    }

    private mutating func enter(_ depth: Int) throws(NavWireError) {
        guard depth <= maximumDepth else {
            throw NavWireError(
                code: .tooDeep, reason: "JSON nests deeper than \(maximumDepth) levels, the limit", offset: index)
        }
        index += 1
    }

    private mutating func readIsEmpty(closedBy end: UInt8) throws(NavWireError) -> Bool {
        skipWhitespace()
        guard peek() == end else { return false }
        index += 1
        return true
    }

    /// Whether another member follows; false after the closing bracket was read.
    private mutating func readSeparator(orEnd end: UInt8, of what: StaticString) throws(NavWireError) -> Bool {
        skipWhitespace()
        switch peek() {
        case UInt8(ascii: ","): break
        case end:
            index += 1
            return false
        default:
            throw .notJSON("\(found()) in \(what), where a comma or its end was expected", at: index)
        }
        index += 1
        skipWhitespace()
        guard peek() != end else { throw .notJSON("a comma before the end of \(what)", at: index) }
        return true
    }

    // MARK: Numbers

    private mutating func readNumber() throws(NavWireError) -> JSONNumber {
        let start = index
        let isNegative = skip(UInt8(ascii: "-"))
        var digits = try readDigits()
        if digits.count > 1, digits[0] == UInt8(ascii: "0") {
            throw .notJSON("a number with a leading zero", at: start)
        }
        var exponent = 0
        if skip(UInt8(ascii: ".")) {
            let fraction = try readDigits()
            digits += fraction
            exponent = -fraction.count
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            let isSmall = skip(UInt8(ascii: "-"))
            if !isSmall { _ = skip(UInt8(ascii: "+")) }
            // Exponents of more digits than Int has are far out of bounds whatever their value.
            let power = Int(String(decoding: try readDigits(), as: UTF8.self)) ?? .max / 2
            exponent += isSmall ? -min(power, .max / 2) : min(power, .max / 2)
        }
        guard let number = JSONNumber(isNegative: isNegative, digits: digits, exponent: exponent) else {
            throw .notJSON("a number with an exponent beyond ±\(JSONNumber.maximumExponent)", at: start)
        }
        return number
    }

    private mutating func readDigits() throws(NavWireError) -> [UInt8] {
        let start = index
        while let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
        guard index > start else { throw .notJSON("\(found()) where a digit was expected", at: index) }
        return Array(bytes[start..<index])
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    // MARK: Strings

    private mutating func readString() throws(NavWireError) -> String {
        index += 1
        let start = index
        var unescaped: [UInt8]?
        while true {
            guard let byte = peek() else { throw .notJSON("a string without an end", at: start - 1) }
            switch byte {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return String(decoding: unescaped ?? Array(bytes[start..<index]), as: UTF8.self)
            case UInt8(ascii: "\\"):
                if unescaped == nil { unescaped = Array(bytes[start..<index]) }
                unescaped?.append(contentsOf: try readEscape())
            case 0..<0x20:
                throw .notJSON("\(found()) inside a string, where it must be escaped", at: index)
            default:
                unescaped?.append(byte)
                index += 1
            }
        }
    }

    private mutating func readEscape() throws(NavWireError) -> [UInt8] {
        let start = index
        index += 1
        guard let byte = peek() else { throw .notJSON("a string without an end", at: start) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try readEscapedScalar(from: start))).utf8)
        default: throw .notJSON("an escape that JSON does not have", at: start)
        }
    }

    /// The scalar of `\uXXXX`, or of a pair of them; the first `\u` was read.
    private mutating func readEscapedScalar(from start: Int) throws(NavWireError) -> Unicode.Scalar {
        let first = try readHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
            throw .notJSON("half of a surrogate pair", at: start)
        }
        let second = try readHexadecimal()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .notJSON("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func readHexadecimal() throws(NavWireError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw .notJSON("\(found()) where four hexadecimal digits were expected", at: index)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    // MARK: Bytes

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// What stands at the index, for a message.
    private func found() -> String {
        guard let byte = peek() else { return "the end of the text" }
        return 0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    }
}

extension NavWireError {
    static func notJSON(_ what: String, at offset: Int) -> Self {
        Self(code: .notJSON, reason: "not JSON: \(what)", offset: offset)
    }
}
