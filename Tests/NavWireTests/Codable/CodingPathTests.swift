// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Where a value was, what it was told, and what a failure says about it.
@Suite struct CodingPathTests {
    struct Leaf: Codable { var b: Int }
    struct Root: Codable { var a: [Leaf] }

    private func path(_ error: any Error) -> [String] {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        case EncodingError.invalidValue(_, let context):
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        default: ["\(error)"]
        }
    }

    private func failure<Value: Decodable>(_ type: Value.Type, _ value: some Encodable) throws -> [String] {
        let bytes = try NavWireEncoder().encode(value)
        return path(
            try #require(throws: (any Error).self) { _ = try NavWireDecoder().decode(type, from: bytes) })
    }

    @Test func aFailureDeepInsideNamesItsPlace() throws {
        let good: [String: Mixed] = ["b": .number(1)]
        #expect(
            try failure(Root.self, ["a": [good, good, ["b": .text("x")]]]) == ["a", "[2]", "b"])
        #expect(try failure(Root.self, ["a": [good, [:]]]) == ["a", "[1]"])
        #expect(try failure([[[Int8]]].self, [[[1], [1, 300]]]) == ["[0]", "[1]", "[1]"])
        #expect(try failure([String: [Int8]].self, ["k": [1, 300]]) == ["k", "[1]"])
        let deep: [[[[[[Int?]]]]]] = [[], [[[[[], [nil, 5]]]]]]
        #expect(
            try failure([[[[[[String?]]]]]].self, deep) == ["[1]", "[0]", "[0]", "[0]", "[1]", "[1]"])
        let eight: [[[[[[[[Int]?]?]?]?]?]?]?] = [nil, [nil, [[[nil, [[nil, [1, 2]]]]]]]]
        #expect(
            try failure([[[[[[[[UUID]?]?]?]?]?]?]?].self, eight)
                == ["[1]", "[1]", "[0]", "[0]", "[1]", "[0]", "[1]", "[0]"])
    }

    /// Asks for a decoder of a key that is not there, at each level.
    private struct Missing: Decodable {
        enum Key: CodingKey { case n, zz }
        var paths: [[String]] = []
        var failure: [any CodingKey] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self).nestedContainer(keyedBy: Key.self, forKey: .n)
            let found = [try container.superDecoder(), try container.superDecoder(forKey: .zz)]
            paths = found.map { $0.codingPath.map(\.stringValue) }
            do {
                _ = try found[1].singleValueContainer().decode(Int.self)
            } catch DecodingError.valueNotFound(_, let context) {
                failure = context.codingPath
            }
            for _ in 0..<2_000 {
                guard try container.superDecoder().singleValueContainer().decodeNil() else { throw CancellationError() }
            }
        }
    }

    @Test func aDecoderForNothingKnowsItsPlace() throws {
        struct Objects: Encodable { var n = Leaf(b: 1) }
        let maps = ["n": ["b": 1]]
        let json = try JSONDecoder().decode(Missing.self, from: JSONEncoder().encode(maps))
        #expect(json.paths == [["n", "super"], ["n", "zz"]])
        for bytes in [try NavWireEncoder().encode(maps), try NavWireEncoder().encode(Objects())] {
            let read = try NavWireDecoder().decode(Missing.self, from: bytes)
            #expect(read.paths == json.paths)
            #expect(read.failure.map(\.stringValue) == ["n", "zz"])
        }
    }

    /// A path is found from the one before it, which must not matter.
    @Test func pathsAreRightInWhateverOrderTheyAreAskedFor() throws {
        let value = (0..<5).map { a in [[["k\(a)": [1, 2, 3]]], [["x": [4], "y": [5, 6]], ["z": []]], []] }
        let bytes = try NavWireEncoder().encode(value)
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var places: [(decoder: any Decoder, path: [String])] = []
            func visit(_ decoder: any Decoder, _ path: [String]) throws {
                places.append((decoder, path))
                if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
                    for key in keyed.allKeys {
                        try visit(keyed.superDecoder(forKey: key), path + [key.stringValue])
                    }
                } else if var list = try? decoder.unkeyedContainer() {
                    while !list.isAtEnd {
                        let index = list.currentIndex
                        try visit(list.superDecoder(), path + ["Index \(index)"])
                    }
                }
            }
            try visit(decoder, [])
            #expect(places.count > 50)
            for order in [places, places.reversed(), places.shuffled(), places.shuffled()] {
                for place in order { #expect(place.decoder.codingPath.map(\.stringValue) == place.path) }
            }
        }
    }

    @Test func aMissingKeyAndAnEndNameTheContainer() throws {
        let bytes = try NavWireEncoder().encode(["outer": [[1]]])
        let error = try #require(throws: DecodingError.self) {
            try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
                var list = try decoder.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "outer")
                var inner = try list.nestedUnkeyedContainer()
                #expect(inner.codingPath.map(\.stringValue).count == 2)
                _ = try inner.decode(Int.self)
                _ = try inner.decode(Int.self)
            }
        }
        #expect(path(error) == ["outer", "[0]", "[1]"])
    }

    /// Notes where its encoder says it is.
    private final class Places {
        var found: [[String]] = []

        func here(_ codingPath: [any CodingKey]) {
            found.append(codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue })
        }
    }

    private func document(_ places: Places) -> Writes {
        let leaf = Writes { encoder in
            places.here(encoder.codingPath)
            var container = encoder.singleValueContainer()
            places.here(container.codingPath)
            try container.encode(1)
        }
        return Writes { encoder in
            places.here(encoder.codingPath)
            var outer = encoder.container(keyedBy: AnyKey.self)
            places.here(outer.codingPath)
            try outer.encode(leaf, forKey: "leaf")
            var list = outer.nestedUnkeyedContainer(forKey: "list")
            places.here(list.codingPath)
            try list.encode(leaf)
            try list.encode(leaf)
            var nested = list.nestedContainer(keyedBy: AnyKey.self)
            places.here(nested.codingPath)
            try nested.encode([leaf, leaf], forKey: "in")
            try leaf.encode(to: list.superEncoder())
            try leaf.encode(to: outer.superEncoder())
            try leaf.encode(to: outer.superEncoder(forKey: "own"))
        }
    }

    @Test func anEncoderKnowsItsPlace() throws {
        let places = Places()
        _ = try NavWireEncoder().encode(document(places))
        // Each leaf says it twice, as an encoder and as a container.
        #expect(
            places.found == [
                [], [], ["leaf"], ["leaf"], ["list"], ["list", "[0]"], ["list", "[0]"], ["list", "[1]"],
                ["list", "[1]"], ["list", "[2]"], ["list", "[2]", "in", "[0]"], ["list", "[2]", "in", "[0]"],
                ["list", "[2]", "in", "[1]"], ["list", "[2]", "in", "[1]"], ["list", "[3]"], ["list", "[3]"],
                ["super"], ["super"], ["own"], ["own"],
            ])
    }

    @Test func aMemberOfADictionaryOrSetKnowsItsPlace() throws {
        let places = Places()
        let leaf = Writes { encoder in
            places.here(encoder.codingPath)
            try 1.encode(to: encoder)
        }
        struct Key: Codable, Hashable { var id: Int }
        _ = try NavWireEncoder().encode(["a": ["k": [3: leaf]], "b": ["k": [4: leaf]]])
        _ = try NavWireEncoder().encode(["a": [Key(id: 1): ["z": leaf]]])
        _ = try NavWireEncoder().encode(["a": [leaf]])
        #expect(places.found == [["a", "k", "[3]"], ["b", "k", "[4]"], ["a", "[1]", "z"], ["a", "[0]"]])
    }

    @Test func anEncodingErrorNamesItsPlace() throws {
        let broken = Writes { encoder in
            throw EncodingError.invalidValue(0, .init(codingPath: encoder.codingPath, debugDescription: "no"))
        }
        let value = Writes { encoder in
            var outer = encoder.container(keyedBy: AnyKey.self)
            var list = outer.nestedUnkeyedContainer(forKey: "a")
            try list.encode(1)
            try list.encode(["b": broken])
        }
        let error = try #require(throws: EncodingError.self) { try NavWireEncoder().encode(value) }
        #expect(path(error) == ["a", "[1]", "b"])
    }

    @Test func userInfoReachesEveryDepthOnBothSides() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "v"))
        nonisolated(unsafe) var seen: [Int] = []
        func told(_ userInfo: [CodingUserInfoKey: Any]) { seen.append(userInfo[key] as? Int ?? -1) }
        let leaf = Writes {
            told($0.userInfo)
            try 1.encode(to: $0)
        }
        var encoder = NavWireEncoder()
        encoder.userInfo[key] = 2
        let value = Writes { encoder in
            told(encoder.userInfo)
            var outer = encoder.container(keyedBy: AnyKey.self)
            try outer.encode(["k": [leaf]], forKey: "x")
            try outer.encode([7: leaf], forKey: "y")
            told(outer.superEncoder().userInfo)
        }
        let bytes = try encoder.encode(value)
        #expect(seen == [2, 2, 2, 2])
        seen = []
        var decoder = NavWireDecoder()
        decoder.userInfo[key] = 2
        try decoder.decode(Reads<Void>.self, from: bytes) { decoder in
            told(decoder.userInfo)
            let outer = try decoder.container(keyedBy: AnyKey.self)
            told(try outer.superDecoder().userInfo)
            let inner = try outer.nestedContainer(keyedBy: AnyKey.self, forKey: "x")
            var list = try inner.nestedUnkeyedContainer(forKey: "k")
            told(try list.superDecoder().userInfo)
        }
        #expect(seen == [2, 2, 2])
    }
}
