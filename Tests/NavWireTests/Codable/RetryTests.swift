// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// A value that does not decode as one type may decode as another, and a bad item need not cost the others.
@Suite struct RetryTests {
    enum Kind: String, Codable, Hashable { case a, b }

    /// Keeps what it can read.
    struct Lossy<Item: Codable & Hashable>: Codable, Hashable {
        var items: [Item]

        init(items: [Item]) { self.items = items }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            items = []
            while !container.isAtEnd {
                if let item = try? container.decode(Item.self) { items.append(item) }
            }
        }

        func encode(to encoder: any Encoder) throws { try items.encode(to: encoder) }
    }

    @Test func aLoopThatSkipsWhatItCannotReadComesToAnEnd() throws {
        let bytes = try NavWireEncoder().encode(["a", "?", "b", "?", "?"])
        #expect(try NavWireDecoder().decode(Lossy<Kind>.self, from: bytes).items == [.a, .b])
        let pairs = try NavWireEncoder().encode([["x": 1, "y": 2], ["x": 1], ["x": 3, "y": 4]])
        #expect(
            try NavWireDecoder().decode(Lossy<Pair>.self, from: pairs).items == [Pair(x: 1, y: 2), Pair(x: 3, y: 4)])
    }

    @Test func aSecondTryOfTheWholeMeetsTheSameFailure() throws {
        let bytes = try NavWireEncoder().encode(["list": [1, 300, 3]])
        struct First: Decodable { var list: [Int8]; var name: String }
        struct Second: Decodable { var list: [Int8] }
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let container = try decoder.singleValueContainer()
            #expect(throws: DecodingError.self) { try container.decode(First.self) }
            #expect(throws: DecodingError.self) { try container.decode(Second.self) }
            #expect(throws: DecodingError.self) { try container.decode([String: [Int8]].self) }
            #expect(try container.decode([String: [Int16]].self) == ["list": [1, 300, 3]])
        }
        // A loop of one try does not disturb the next.
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.decode(Lossy<Int8>.self, forKey: "list").items == [1, 3])
            #expect(throws: DecodingError.self) { try container.decode([Int8].self, forKey: "list") }
            #expect(try container.decode(Lossy<Int8>.self, forKey: "list").items == [1, 3])
        }
    }

    @Test func anItemThatFailedIsStillThereForAnotherType() throws {
        let bytes = try NavWireEncoder().encode([Mixed.text("x"), .number(2)])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(throws: DecodingError.self) { try container.decode(Int8.self) }
            #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
            #expect(container.currentIndex == 0)
            #expect(try !container.decodeNil())
            #expect(try container.decode(String.self) == "x")
            #expect(throws: DecodingError.self) { try container.decode(String.self) }
            #expect(try container.decode(Int8.self) == 2)
            #expect(container.isAtEnd)
            #expect(throws: DecodingError.self) { try container.decode(Int8.self) }
        }
    }

    @Test func aFailedKeyCanBeReadAsAnotherType() throws {
        let bytes = try NavWireEncoder().encode(["k": "x"])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for _ in 0..<3 {
                #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: "k") }
                #expect(throws: DecodingError.self) { try container.decodeIfPresent(Pair.self, forKey: "k") }
                #expect(try container.decode(String.self, forKey: "k") == "x")
            }
        }
    }
}
