// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files in `Tests/Samples`. Fails when the folder has none, since a suite that reads nothing proves nothing.
enum SampleFile {
    struct Missing: Error { let what: String }

    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Samples")

    /// Samples in SwiftUI's form that hold nothing odd.
    static let paths = ["reader", "shop", "fragments", "deep-folders", "mail-long", "empty"]
    /// Samples in SwiftUI's form with an element that must be kept although it is odd.
    static let oddPaths = ["broken-item", "private-type", "crafted-tags"]

    static func bytes(_ name: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name + ".json")))
        guard !bytes.isEmpty else { throw Missing(what: name) }
        return bytes
    }

    static func allNames() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        guard !names.isEmpty else { throw Missing(what: folder.path) }
        return names
    }
}

/// JSON as Foundation reads it, to compare our reading with.
enum ReferenceJSON {
    static func strings(_ bytes: [UInt8]) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(bytes))
    }

    /// Equal as JSON values. Numbers are compared as `NSNumber` reads them; other tests prove that every digit is kept.
    static func areEqual(_ left: String, _ right: String) throws -> Bool {
        let options: JSONSerialization.ReadingOptions = [.fragmentsAllowed]
        let first = try JSONSerialization.jsonObject(with: Data(left.utf8), options: options)
        let second = try JSONSerialization.jsonObject(with: Data(right.utf8), options: options)
        return (first as? NSObject) == (second as? NSObject)
    }
}
