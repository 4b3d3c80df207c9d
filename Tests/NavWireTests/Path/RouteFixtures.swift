// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

/// Types as apps have them.
enum App {
    struct Pic: Codable, Hashable { var n: Int }
    struct Spot: Codable, Hashable { var id: Int }
    struct Park: Codable, Hashable {
        var name: String
        init(_ name: String) { self.name = name }
    }
    struct User: Codable, Hashable { var id: Int, name: String }
    /// Encodes nothing at all, which JSONEncoder refuses.
    struct Empty: Codable, Hashable {
        init() {}
        init(from decoder: any Decoder) {}
        func encode(to encoder: any Encoder) {}
    }
    enum Screen: Codable, Hashable {
        case home, article(String), detail(id: Int, note: String?), pair(Int, Int)
    }
    enum Tab: String, Codable, Hashable { case top, new }
    struct Tabbed: Codable, Hashable { var tab: Tab }
    struct Volatile: Hashable { var id = 0 }
    class Animal: Codable, Hashable {
        static func == (lhs: Animal, rhs: Animal) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    final class Dog: Animal {}
    struct Generic<Value: Codable & Hashable>: Codable, Hashable { var value: Value }
}

/// What fixtures' names begin with when SwiftUI's rule makes them.
let module = "NavWireTests"

func representation(_ json: String) throws -> NavigationPath.CodableRepresentation {
    try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: Data(json.utf8))
}

func decodedPath(_ json: String) throws -> NavigationPath { NavigationPath(try representation(json)) }

func issue(_ code: PathIssue.Code, _ index: Int, _ tag: String) -> PathIssue {
    PathIssue(code: code, index: index, tag: tag, reason: "")
}
