// SPDX-License-Identifier: Apache-2.0
import NavPosix

/// The text of a config file: sections of `key = value` lines.
///
///     # a comment, on a line of its own; so is ; a comment
///     [section]
///     key = value          spaces around both are dropped; the value goes to the end of the line
///
/// Any line that is none of these makes the whole file refused: a file that is half understood is not obeyed.
struct ConfigurationFile: Sendable {
    struct Entry: Hashable, Sendable {
        let section: String
        let key: String
        let value: String
        let line: Int
    }

    let entries: [Entry]
    /// The sections in their order, those without entries too, and where they begin.
    let sections: [(name: String, line: Int)]

    static let maximumByteCount = 1 << 20

    init(parsing bytes: [UInt8], path: String) throws(ConfigurationError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ConfigurationError(place: path, reason: "the file is not valid UTF-8")
        }
        var entries: [Entry] = []
        var sections: [(name: String, line: Int)] = []
        var line = 0
        // As bytes: to Swift a carriage return and the line feed after it are one character.
        for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            let place = "\(path):\(line)"
            let content = Self.trimmed(String(decoding: raw, as: UTF8.self)[...])
            if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
            try Self.checkCharacters(content, place: place)
            if content.hasPrefix("[") {
                sections.append((try Self.section(content, place: place), line))
                continue
            }
            guard let section = sections.last?.name else {
                throw ConfigurationError(place: place, reason: "'\(content)' stands before the first [section]")
            }
            entries.append(try Self.entry(content, section: section, line: line, place: place))
        }
        self.entries = entries
        self.sections = sections
    }

    /// Reads a file; nil when there is none.
    static func read(_ path: String) throws(ConfigurationError) -> ConfigurationFile? {
        let bytes: [UInt8]?
        do throws(PosixError) {
            bytes = try AtomicFile.read(path, limit: maximumByteCount)
        } catch {
            throw ConfigurationError(place: path, reason: "\(error)")
        }
        guard let bytes else { return nil }
        return try ConfigurationFile(parsing: bytes, path: path)
    }

    private static func section(_ content: Substring, place: String) throws(ConfigurationError) -> String {
        guard content.hasSuffix("]"), content.count > 2 else {
            throw ConfigurationError(place: place, reason: "'\(content)' is not a [section]")
        }
        return String(trimmed(content.dropFirst().dropLast()))
    }

    private static func entry(
        _ content: Substring, section: String, line: Int, place: String
    ) throws(ConfigurationError) -> Entry {
        guard let equals = content.firstIndex(of: "=") else {
            throw ConfigurationError(place: place, reason: "'\(content)' is not 'key = value'")
        }
        let key = trimmed(content[..<equals])
        let value = trimmed(content[content.index(after: equals)...])
        guard !key.isEmpty else { throw ConfigurationError(place: place, reason: "there is no key before =") }
        guard !value.isEmpty else { throw ConfigurationError(place: place, reason: "'\(key)' has no value") }
        return Entry(section: section, key: String(key), value: String(value), line: line)
    }

    private static func checkCharacters(_ content: Substring, place: String) throws(ConfigurationError) {
        for scalar in content.unicodeScalars where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F {
            throw ConfigurationError(
                place: place,
                reason: "the line holds the control character U+\(String(scalar.value, radix: 16, uppercase: true))")
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while let first = rest.first, first == " " || first == "\t" || first == "\r" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" || last == "\r" { rest.removeLast() }
        return rest
    }
}
