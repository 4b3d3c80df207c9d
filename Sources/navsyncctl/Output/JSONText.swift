// SPDX-License-Identifier: Apache-2.0

/// Writes the small, flat JSON of the command line's answers.
///
/// Whatever `Display` calls unsafe is written as `\uXXXX`, so JSON is safe on a terminal too.
enum JSONText {
    enum Value {
        case text(String)
        case number(UInt64)
        case boolean(Bool)
        case null
        /// JSON that is already written.
        case raw([UInt8])
    }

    /// An object with the fields in the given order.
    static func object(_ fields: [(String, Value)]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, (name, value)) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    static func array(_ items: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// Valid JSON, unchanged in value, in which no character can disturb a terminal.
    static func safeForTerminal(_ json: [UInt8]) -> [UInt8] {
        guard let text = String(validating: json, as: UTF8.self), text.unicodeScalars.contains(where: needsEscape)
        else { return json }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            // Outside strings JSON is ASCII, and white space there must stay as it is.
            if needsEscape(scalar) { appendEscape(scalar, to: &bytes) } else { bytes += UTF8.encode(scalar) ?? .init() }
        }
        return bytes
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x7F && Display.isUnsafe(scalar)
    }

    private static func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes += String(number).utf8
        case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .raw(let json): bytes += json
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\t": bytes += "\\t".utf8
            default:
                if Display.isUnsafe(scalar) {
                    appendEscape(scalar, to: &bytes)
                } else {
                    bytes += UTF8.encode(scalar) ?? .init()
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: true)
            bytes += "\\u".utf8
            bytes += String(repeating: "0", count: 4 - digits.count).utf8
            bytes += digits.utf8
        }
    }
}
