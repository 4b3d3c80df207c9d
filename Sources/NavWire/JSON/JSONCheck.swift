// SPDX-License-Identifier: Apache-2.0

/// Whether a text is one that JSON import would take: what `JSONScanner` accepts within the default limits, found
/// without making a value of it, without recursion and in time that grows with the text.
///
/// The limits are those of the format, not of a reader: what an element may be kept as is the same to everyone.
@safe
struct JSONCheck {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    private var valueCount = 0
    private var depth = 0
    /// A bit for each open container, the innermost lowest: whether it is an object.
    private var objects: UInt64 = 0

    /// `text` is well-formed UTF-8.
    static func isImportable(_ text: UnsafeRawBufferPointer) -> Bool {
        var check = unsafe JSONCheck(text: text)
        return check.readWhole()
    }

    private init(text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
    }

    private mutating func readWhole() -> Bool {
        while true {
            guard readValueStart() else { return false }
            // Something that takes a value is open, or a value has just ended.
            if isExpectingValue { continue }
            while depth > 0, readEnd() {}
            if depth == 0 {
                skipWhitespace()
                return unsafe index == text.count
            }
            guard readComma() else { return false }
        }
    }

    /// Whether the container on top was begun by what was read last, and is not empty.
    private var isExpectingValue = false

    private mutating func readValueStart() -> Bool {
        isExpectingValue = false
        skipWhitespace()
        valueCount += 1
        guard valueCount <= NavWireLimits.importedValueCount, let byte = peek() else { return false }
        switch byte {
        case UInt8(ascii: "{"): return open(isObject: true)
        case UInt8(ascii: "["): return open(isObject: false)
        case UInt8(ascii: "\""): return readString()
        case UInt8(ascii: "t"): return skip("true")
        case UInt8(ascii: "f"): return skip("false")
        case UInt8(ascii: "n"): return skip("null")
        default: return readNumber()
        }
    }

    private mutating func open(isObject: Bool) -> Bool {
        index += 1
        guard depth < NavWireLimits.importedDepth else { return false }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        skipWhitespace()
        guard peek() != end else { return true }
        isExpectingValue = true
        return isObject ? readKey() : true
    }

    private var end: UInt8 { objects & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    private mutating func readEnd() -> Bool {
        skipWhitespace()
        guard skip(end) else { return false }
        depth -= 1
        objects >>= 1
        return true
    }

    private mutating func readComma() -> Bool {
        guard skip(UInt8(ascii: ",")) else { return false }
        skipWhitespace()
        return objects & 1 == 1 ? readKey() : true
    }

    private mutating func readKey() -> Bool {
        guard readString() else { return false }
        skipWhitespace()
        return skip(UInt8(ascii: ":"))
    }

    // MARK: Numbers

    private mutating func readNumber() -> Bool {
        _ = skip(UInt8(ascii: "-"))
        var zerosAtEnd = 0
        var isZero = true
        let startsWithZero = peek() == UInt8(ascii: "0")
        let whole = readDigits(&zerosAtEnd, &isZero)
        guard whole == 1 || (whole > 1 && !startsWithZero) else { return false }
        var exponent = 0
        if skip(UInt8(ascii: ".")) {
            let count = readDigits(&zerosAtEnd, &isZero)
            guard count > 0 else { return false }
            exponent = -count
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            let isSmall = skip(UInt8(ascii: "-"))
            if !isSmall { _ = skip(UInt8(ascii: "+")) }
            guard let power = readPower() else { return false }
            exponent += isSmall ? -power : power
        }
        return isZero || (exponent + zerosAtEnd).magnitude <= UInt(JSONNumber.maximumExponent)
    }

    private mutating func readDigits(_ zerosAtEnd: inout Int, _ isZero: inout Bool) -> Int {
        let start = index
        while let byte = peek(), byte &- UInt8(ascii: "0") < 10 {
            index += 1
            zerosAtEnd = byte == UInt8(ascii: "0") ? zerosAtEnd + 1 : 0
            if byte != UInt8(ascii: "0") { isZero = false }
        }
        return index - start
    }

    /// The power of ten, or some other one that is far beyond all bounds too.
    private mutating func readPower() -> Int? {
        let start = index
        var power = 0
        while let byte = peek(), byte &- UInt8(ascii: "0") < 10 {
            index += 1
            power = min(power * 10 + Int(byte - UInt8(ascii: "0")), 1 << 40)
        }
        return index > start ? power : nil
    }

    // MARK: Strings

    private mutating func readString() -> Bool {
        guard skip(UInt8(ascii: "\"")) else { return false }
        while let byte = peek() {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard readEscape() else { return false }
            case 0..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func readEscape() -> Bool {
        guard let byte = peek() else { return false }
        index += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        guard let first = readHexadecimal() else { return false }
        guard 0xD800...0xDFFF ~= first else { return true }
        guard first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), let second = readHexadecimal() else {
            return false
        }
        return 0xDC00...0xDFFF ~= second
    }

    private mutating func readHexadecimal() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    // MARK: Bytes

    private func peek() -> UInt8? { unsafe index < text.count ? text[index] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        for offset in 0..<word.utf8CodeUnitCount {
            guard unsafe skip(word.utf8Start[offset]) else { return false }
        }
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }
}
