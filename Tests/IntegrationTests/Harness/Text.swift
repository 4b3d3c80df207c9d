// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The reference reading of a path: Foundation's own JSON parser at both levels.
enum PathText {
    /// Fails unless both are paths of the same tags and the same item values, in the same order.
    static func expectSamePath(
        _ left: [UInt8], _ right: [UInt8], at place: SourceLocation = #_sourceLocation
    ) throws {
        let (left, right) = (try strings(left), try strings(right))
        #expect(left.count == right.count, sourceLocation: place)
        for (index, (a, b)) in zip(left, right).enumerated() {
            #expect(isSame(a, b, isItem: index % 2 == 1), "at \(index): \(a) and \(b)", sourceLocation: place)
        }
    }

    private static func strings(_ json: [UInt8]) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(json))
    }

    private static func isSame(_ a: String, _ b: String, isItem: Bool) -> Bool {
        guard isItem, let left = value(a), let right = value(b) else { return Array(a.utf8) == Array(b.utf8) }
        return left.isEqual(right)
    }

    private static func value(_ item: String) -> NSObject? {
        try? JSONSerialization.jsonObject(with: Data(item.utf8), options: .fragmentsAllowed) as? NSObject
    }
}

enum Text {
    /// The text of a field of a flat JSON object.
    static func field(_ name: String, of json: String) -> String? {
        guard let start = json.firstRange(of: "\"\(name)\":\"") else { return nil }
        return String(json[start.upperBound...].prefix { $0 != "\"" })
    }
}
