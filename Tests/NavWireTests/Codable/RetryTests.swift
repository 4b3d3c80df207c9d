// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

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

    @Test func whatACopyTriedIsNoTryOfTheContainer() throws {
        let items = [Mixed.text("x"), .number(5), .text("y"), .number(6)]
        let bytes = try NavWireEncoder().encode(items)
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            for hasFailedBefore in [false, true] {
                if hasFailedBefore { #expect(throws: DecodingError.self) { try container.decode(Bool.self) } }
                var copy = container
                #expect(throws: DecodingError.self) { try copy.decode(Int.self) }
                #expect(throws: DecodingError.self) { try container.decode(Int.self) }
                #expect(container.currentIndex == (hasFailedBefore ? 2 : 0))
                // The copy's own second try goes on, and so does the container's.
                #expect(try copy.decode(Int.self) == (hasFailedBefore ? 6 : 5))
                #expect(try container.decode(Int.self) == (hasFailedBefore ? 6 : 5))
                #expect(copy.currentIndex == container.currentIndex)
            }
            #expect(container.isAtEnd)
        }
    }

    @Test func aCopyKnowsWhatWasTriedBeforeItWasMade() throws {
        let bytes = try NavWireEncoder().encode([Mixed.text("x"), .number(5)])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            var copy = container
            #expect(throws: DecodingError.self) { try copy.decode(Double.self) }
            #expect(try copy.decode(Int.self) == 5)
            #expect(throws: DecodingError.self) { try container.decode(Double.self) }
            #expect(try container.decode(String.self) == "x")
        }
    }

    @Test func anItemKeepsItsIndexThroughAnyNumberOfFailures() throws {
        let bytes = try NavWireEncoder().encode(Array(repeating: Mixed.text("x"), count: 1_000) + [.number(1)])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var (container, copies) = (try decoder.unkeyedContainer(), 0)
            var first = container
            #expect(throws: DecodingError.self) { try first.decode(Int.self) }
            for index in 0..<1_000 {
                #expect(throws: DecodingError.self) { try container.decode(Int.self) }
                #expect(container.currentIndex == index && !container.isAtEnd)
                var copy = container
                if (try? copy.decode(Int.self)) == 1 { copies += 1 }
            }
            #expect(copies == 1)
            #expect(try container.decode(Int.self) == 1)
            #expect(container.isAtEnd && container.currentIndex == 1_001)
            #expect(first.currentIndex == 0)
            #expect(try first.decode(String.self) == "x")
        }
    }

    private struct Named: Decodable { let inside: Lossy<Int>, name: String }
    private struct Titled: Decodable { let inside: Lossy<Int>, title: String }
    private struct Written: Encodable {
        var inside: [String], name: String? = nil, title: String? = nil
    }

    @Test(arguments: [1, 255, 300, 5_000]) func aLoopOfTwoTypesEndsHoweverMuchFailsInside(_ count: Int) throws {
        let bad = Array(repeating: "x", count: count)
        let bytes = try NavWireEncoder().encode([
            Written(inside: ["1"], name: "a"), Written(inside: bad), Written(inside: bad, title: "b"),
            Written(inside: bad),
        ])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            var (found, rounds) = ([String](), 0)
            while !container.isAtEnd, rounds < 20 {
                rounds += 1
                if let item = try? container.decode(Named.self) {
                    found.append(item.name)
                } else if let item = try? container.decode(Titled.self) {
                    found.append(item.title)
                }
            }
            #expect(found == ["a", "b"])
            #expect(container.isAtEnd && rounds <= 6)
        }
    }

    /// Gives the container of some items, where rows of types that were tried have filled all that there is for them.
    private func withRowsFull(
        of items: some Encodable, _ body: (inout any UnkeyedDecodingContainer, () -> Void) throws -> Void
    ) throws {
        let state = UnsafeMutablePointer<DecoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecoderState())
        unsafe try state.pointee.open(NavWireEncoder().encode(items), limits: .default, dictionary: nil)
        func fill() {
            var number: UInt32?
            for _ in 0..<1 << 16 { number = unsafe state.pointee.tries.row(number, and: Bool.self) }
        }
        fill()
        var container = try unsafe state.root.unkeyedContainer()
        try body(&container, fill)
        unsafe state.pointee.end()
    }

    @Test func nothingIsLostWhenNoMoreRowsOfTypesAreKept() throws {
        try withRowsFull(of: [1, 2, 3]) { container, fill in
            var found: [String] = []
            while !container.isAtEnd {
                if let text = try? container.decode(String.self) {
                    found.append(text)
                } else {
                    // What is tried in between forgets that of this container, and makes other rows of the same numbers.
                    if found.count == 1 { fill() }
                    if let number = try? container.decode(Int.self) { found.append("\(number)") }
                }
            }
            #expect(found == ["1", "2", "3"])
        }
    }

    @Test func aLoopEndsWhoseEveryTryFillsAllRows() throws {
        var tries = Tries(rowCount: 2, forgettingCount: 3)
        var given: [UInt32?] = []
        for _ in 0..<5 {
            let number = tries.row(nil, and: Int.self)
            given.append(number)
            #expect(number.map { tries.has(Int.self, in: $0) } == true)
            _ = tries.row(tries.row(number, and: Int8.self), and: Int16.self)
        }
        // Each number means one row only, and in the end no more are made.
        let expected: [UInt32] = [0, 0x1_0001, 0x3_0000, 0x3_0000, 0x3_0000]
        #expect(given == expected)
        for number in expected.prefix(2) { #expect(!tries.has(Int.self, in: number)) }
        #expect(tries.row(nil, and: Double.self) == nil)
        tries.removeAll()
        #expect(tries.isEmpty && tries.row(nil, and: Int.self) == 0)
    }

    @Test func aLoopOfTwoTypesEndsWhenRowsAreForgottenInIt() throws {
        try withRowsFull(of: Array(repeating: "x", count: 100)) { container, _ in
            var rounds = 0
            while !container.isAtEnd, rounds < 1_000 {
                rounds += 1
                if (try? container.decode(Int8.self)) == nil { _ = try? container.decode(Int16.self) }
            }
            #expect(container.isAtEnd)
        }
    }

    @Test func containersReadByTurnsFailEachForItself() throws {
        let bytes = try NavWireEncoder().encode([
            Array(repeating: "x", count: 2_000), Array(repeating: "y", count: 2_000),
        ])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var lists = try decoder.unkeyedContainer()
            var (one, other) = (try lists.nestedUnkeyedContainer(), try lists.nestedUnkeyedContainer())
            for index in 0..<2_000 {
                #expect(throws: DecodingError.self) { try one.decode(Int.self) }
                #expect(throws: DecodingError.self) { try other.decode(Int.self) }
                #expect(one.currentIndex == index && other.currentIndex == index)
            }
            #expect(throws: DecodingError.self) { try other.decode(Int.self) }
            #expect(other.isAtEnd && !one.isAtEnd)
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
