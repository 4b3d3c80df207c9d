// SPDX-License-Identifier: Apache-2.0

/// Makes text that came from elsewhere safe to show: it can neither move the cursor nor reorder the line.
enum Display {
    /// `text` with each control, line break, bidi control and invisible mark written as `\u{…}`.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `escaped`, cut to a length that fits a sentence, in single quotes.
    static func quoted(_ text: String) -> String {
        let limit = 120
        let shown = escaped(text)
        return shown.count <= limit ? "'\(shown)'" : "'\(shown.prefix(limit))…'"
    }

    /// `text` at the right end of a column.
    static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
