// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text, value for value what `JSONEncoder` writes: no spaces, numbers in full digits where they are of a
/// usual size.
package struct JSONWriter: Sendable {
    /// The text so far, UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// About so many bytes are written at most: what is over it by then is left out.
    private let limit: Int

    package init(limit: Int = .max) { self.limit = limit }

    /// Whether the text is longer than the limit, and not whole.
    package var isTooLarge: Bool { bytes.count > limit }

    /// The text of one value.
    package static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }

    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeRaw("null")
        case .bool(let value): writeRaw(value ? "true" : "false")
        case .number(let number): write(number)
        case .string(let string): write(string: string)
        case .array(let elements): writeList(elements, "[", "]") { $0.write($1) }
        case .object(let object):
            writeList(object.members, "{", "}") {
                $0.write(string: $1.key)
                $0.writeRaw(":")
                $0.write($1.value)
            }
        }
    }

    /// Text that is JSON already: punctuation, a word, a number.
    package mutating func writeRaw(_ text: String) {
        if !isTooLarge { bytes.append(contentsOf: text.utf8) }
    }

    package mutating func write(string: String) {
        if isTooLarge { return }
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            if isTooLarge { return }
            switch byte {
            case UInt8(ascii: "\""): writeRaw("\\\"")
            case UInt8(ascii: "\\"): writeRaw("\\\\")
            case 0x08: writeRaw("\\b")
            case 0x09: writeRaw("\\t")
            case 0x0A: writeRaw("\\n")
            case 0x0C: writeRaw("\\f")
            case 0x0D: writeRaw("\\r")
            case 0..<0x20: writeRaw("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Plain digits up to forty (an Int128 has thirty-nine), otherwise with an exponent, so that `1e1000000` stays short.
    package mutating func write(_ number: JSONNumber) {
        let sign = number.isNegative ? "-" : ""
        let digits = number.digits
        let integerDigits = digits.utf8.count + number.exponent
        switch number.exponent {
        case 0... where integerDigits <= 40:
            writeRaw(sign + digits + String(repeating: "0", count: number.exponent))
        case ..<0 where integerDigits > 0:
            writeRaw(sign + digits.prefix(integerDigits) + "." + digits.dropFirst(integerDigits))
        case ..<0 where integerDigits > -6:
            writeRaw(sign + "0." + String(repeating: "0", count: -integerDigits) + digits)
        default: writeRaw(number.scientificText)
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element], _ start: String, _ end: String, _ writeElement: (inout JSONWriter, Element) -> Void
    ) {
        writeRaw(start)
        var isFirst = true
        for element in elements {
            if !isFirst { writeRaw(",") }
            isFirst = false
            if isTooLarge { return }
            writeElement(&self, element)
        }
        writeRaw(end)
    }
}
