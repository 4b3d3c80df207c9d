// SPDX-License-Identifier: Apache-2.0
import NavWire

/// A path that the user gave: SwiftUI's JSON or an envelope, told apart by content.
struct PathInput {
    let bytes: [UInt8]
    /// What to call it in messages: a file name in quotes, or "standard input".
    let source: String
    let isEnvelope: Bool

    static func read(_ path: String?) throws(CommandFailure) -> PathInput {
        let bytes = try InputFile.read(path)
        let source = path.flatMap { $0 == "-" ? nil : Display.quoted($0) } ?? "standard input"
        guard !bytes.isEmpty else {
            throw CommandFailure(
                .badInput, "\(source) is empty", hint: "an empty path is written []")
        }
        return PathInput(bytes: bytes, source: source, isEnvelope: PathEnvelope.isEnvelope(bytes))
    }

    /// Whether the first character is one that JSON text begins with.
    var looksLikeJSON: Bool {
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return !isEnvelope && first.map { "[{\"ntf-0123456789".utf8.contains($0) } ?? false
    }

    /// The path's elements, root-most first.
    func elements(_ dictionaries: DictionaryFiles = DictionaryFiles()) throws(CommandFailure) -> [PathElement] {
        do throws(NavWireError) {
            return isEnvelope
                ? try PathEnvelope.decode(bytes, dictionary: dictionaries.fitting(bytes))
                : try SwiftUIJSON.decode(bytes)
        } catch {
            throw CommandFailure(error, in: source)
        }
    }

    /// The path as an envelope that everybody can read: the given one, once every byte of it is checked, or one made
    /// from the JSON.
    func envelope() throws(CommandFailure) -> [UInt8] {
        do throws(NavWireError) {
            guard isEnvelope else { return try PathEnvelope.encode(SwiftUIJSON.decode(bytes)) }
            _ = try PathEnvelope.verifiedPayload(of: bytes)
            return bytes
        } catch {
            guard error.code != .unknownDictionary else {
                throw CommandFailure(
                    .badInput, "\(source): \(error.reason), and stacks hold only what every machine can read",
                    hint: "push the path as JSON, or encode it without --dictionary")
            }
            throw CommandFailure(error, in: source)
        }
    }
}
