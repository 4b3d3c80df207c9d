// SPDX-License-Identifier: Apache-2.0

/// One line of `key=value` words, safe to print whatever the values hold.
struct LogLine {
    private(set) var text = ""

    mutating func add(_ key: LogKey, _ value: some CustomStringConvertible) {
        if !text.isEmpty { text += " " }
        text += key.rawValue
        text += "="
        text += Self.quoted(value.description)
    }

    /// The value itself, or in quotes when it holds a space, a quote, an equals sign or what must be escaped.
    static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
        if isPlain, !value.isEmpty { return value }
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                // What a terminal obeys instead of showing, and what reorders the text around it.
                if isHarmful(scalar) {
                    quoted += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
