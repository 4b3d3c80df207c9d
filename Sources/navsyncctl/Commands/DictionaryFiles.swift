// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The trained dictionaries that a user names with `--dictionary`.
struct DictionaryFiles {
    static let option = OptionDefinition(
        "dictionary", .file("FILE"), "a dictionary that 'dict train' made, beside the one that ships; may be repeated")

    private var dictionaries: [NavWireDictionary] = []

    static func read(_ arguments: ParsedArguments) throws(CommandFailure) -> DictionaryFiles {
        var files = DictionaryFiles()
        for path in arguments.texts(option.name) { files.dictionaries.append(try dictionary(in: path)) }
        return files
    }

    /// The one dictionary in a file.
    static func dictionary(in path: String) throws(CommandFailure) -> NavWireDictionary {
        let bytes = try InputFile.read(path)
        do throws(NavWireError) {
            return try NavWireDictionary(checking: bytes)
        } catch {
            throw CommandFailure(
                .badInput, "\(path == "-" ? "standard input" : Display.quoted(path)): \(error.reason)",
                hint: "'navsyncctl dict train' makes one")
        }
    }

    /// What is written with: the last of several wins, as with other options.
    var last: NavWireDictionary? { dictionaries.last }

    /// The one that an envelope was written with. Nil when it needs none, and when none fits: reading then says which
    /// one is missing.
    func fitting(_ envelope: [UInt8]) -> NavWireDictionary? {
        guard let id = try? PathEnvelope.dictionaryID(of: envelope) else { return nil }
        return dictionaries.first { $0.id == id }
    }
}
