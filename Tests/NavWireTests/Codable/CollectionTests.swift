// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct CollectionTests {
    enum Colour: String, Codable, Hashable, CaseIterable { case red, green, blue }
    enum Plain: Codable, Hashable { case one, two(Int) }
    struct Key: Hashable, Codable, CodingKeyRepresentable {
        var text: String
        var codingKey: any CodingKey { AnyKey(stringLiteral: text) }
        init(_ text: String) { self.text = text }
        init?(codingKey: some CodingKey) { text = codingKey.stringValue }
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8, 11, 12, 15, 16, 127, 128, 255, 256, 4095, 65535])
    func arraysOfEveryLengthComeBack(count: Int) throws {
        let ints = (0..<count).map { $0 * 7 % 1000 }
        #expect(try roundTrip(ints) == ints)
        let flags = ints.map { $0 % 3 == 0 }
        #expect(try roundTrip(flags) == flags)
        let same = [Int](repeating: 500, count: count)
        #expect(try roundTrip(same) == same)
        let pairs = (0..<min(count, 300)).map { Pair(x: $0, y: -$0) }
        #expect(try roundTrip(pairs) == pairs)
        let bytes = ints.map { UInt8(truncatingIfNeeded: $0) }
        #expect(try roundTrip(bytes) == bytes)
    }

    @Test func anArrayIsTheSameHoweverItIsWritten() throws {
        let byHand = Writes {
            var container = $0.unkeyedContainer()
            for value in [100, 101, 102, 103, 104] { try container.encode(UInt16(value)) }
        }
        #expect(try NativeValue(encoding: byHand) == NativeValue(encoding: [100, 101, 102, 103, 104]))
    }

    @Test func dictionariesOfEveryKindOfKeyComeBack() throws {
        #expect(try roundTrip(["b": 1, "a": 2, "": 3]) == ["b": 1, "a": 2, "": 3])
        #expect(try roundTrip([3: "c", -1: "a", 20: "b"]) == [3: "c", -1: "a", 20: "b"])
        #expect(try roundTrip([Colour.red: 1, .blue: 2]) == [.red: 1, .blue: 2])
        #expect(try roundTrip([Plain.one: 1, .two(5): 2]) == [.one: 1, .two(5): 2])
        #expect(try roundTrip([Key("x"): 1, Key("y"): 2]) == [Key("x"): 1, Key("y"): 2])
        #expect(try roundTrip([Pair(x: 1, y: 2): "p"]) == [Pair(x: 1, y: 2): "p"])
        let ids = Dictionary(
            uniqueKeysWithValues: (0..<9).map { (UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5\($0)"), $0) })
        #expect(try roundTrip(ids) == ids)
        #expect(try roundTrip(["a": ["b": Set([1, 2])]]) == ["a": ["b": Set([1, 2])]])
    }

    /// The seed of a hash table differs from instance to instance as well as from process to process.
    @Test func equalCollectionsHaveEqualBytes() throws {
        for round in 0..<50 {
            let words = (0..<30).map { "word\($0 * 7919 % 1000)" }
            func shuffledSet() -> Set<String> {
                var set = Set<String>(minimumCapacity: round * 40)
                for word in words.shuffled() { set.insert(word) }
                return set
            }
            func shuffledMap() -> [Plain: [String: Int]] {
                var map: [Plain: [String: Int]] = [:]
                for number in (0..<20).shuffled() { map[.two(number)] = ["x": number, "y": 1] }
                map.reserveCapacity(round * 30)
                return map
            }
            #expect(try NativeValue(encoding: shuffledSet()) == NativeValue(encoding: shuffledSet()))
            #expect(try NativeValue(encoding: shuffledMap()) == NativeValue(encoding: shuffledMap()))
        }
    }

    @Test func aSetGivenAsItemsIsInOrder() throws {
        var payloads: Set<[UInt8]> = []
        for count in 0..<40 {
            let words = Set((0..<12).shuffled().map { "word\($0)" })
            let pairs = Set<Pair>((0..<12).shuffled().map { Pair(x: $0, y: count &- count) })
            let value = Writes {
                var container = $0.unkeyedContainer()
                try container.encode("first")
                try container.encode(contentsOf: words)
                try container.encode(contentsOf: [3, 1, 2])
                try container.encode(contentsOf: pairs)
            }
            let native = try NativeValue(encoding: value)
            payloads.insert(native.payload)
            guard case .array(let items) = try native.node(), items.count == 28 else {
                Issue.record("not as many items")
                continue
            }
            #expect(Array(items[1...12]) == words.sorted().map(NativeNode.string))
            #expect(Array(items[13...15]) == [NativeNode(3), NativeNode(1), NativeNode(2)])
        }
        #expect(payloads.count == 1)
    }

    /// Says more of an object the first time that it is asked, as whoever writes a graph does.
    private struct Remembering: Encodable, Hashable {
        final class Seen { var numbers: Set<Int> = [] }
        static let key = CodingUserInfoKey(rawValue: "seen")!
        let number: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            let seen = try #require(encoder.userInfo[Self.key] as? Seen)
            if seen.numbers.insert(number).inserted { try container.encode("whole") }
        }
    }

    /// Writes where it stands.
    private struct Standing: Encodable, Hashable {
        let number: Int
        func encode(to encoder: any Encoder) throws {
            let place = encoder.codingPath.map(\.stringValue).joined(separator: "/")
            var container = encoder.singleValueContainer()
            try container.encode("\(number) at \(place)")
        }
    }

    /// The place in the hash table is another in each process.
    @Test func whereAMemberStandsIsTheSameForAll() throws {
        let members = Set((0..<9).map(Standing.init))
        let texts = { (place: String) in (0..<9).map { NativeNode.string("\($0) at \(place)") } }
        #expect(try NativeValue(encoding: members).node() == .set(texts("Index 0")))
        let items = Writes {
            var container = $0.unkeyedContainer()
            try container.encode(true)
            try container.encode(contentsOf: members)
        }
        #expect(try NativeValue(encoding: items).node() == .array([.bool(true)] + texts("Index 1")))
        let pairs = Dictionary(uniqueKeysWithValues: members.map { ($0, $0) })
        let expected = zip(texts("Index 0"), texts("Index 1")).flatMap { [$0, $1] }
        #expect(try NativeValue(encoding: pairs).node() == .pairs(expected))
    }

    @Test func membersGivenAsItemsAreAskedOnce() throws {
        let value = Writes {
            var container = $0.unkeyedContainer()
            try container.encode(contentsOf: Set([Remembering(number: 1), Remembering(number: 2)]))
        }
        let content = try NativeValue(encoding: value, userInfo: [Remembering.key: Remembering.Seen()]).node()
        let members = [1, 2].map { NativeNode.array([NativeNode(exactly: $0), .string("whole")]) }
        #expect(content == .array(members))
    }

    @Test func aDictionaryThatEncodesItselfIsInOrderToo() throws {
        let map = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key\($0)", $0) })
        let itself = Writes { try map.encode(to: $0) }
        #expect(try NativeValue(encoding: itself) == NativeValue(encoding: map))
    }

    @Test func aDictionaryDecodesAsAStructAndAStructAsADictionary() throws {
        let map = try NavWireEncoder().encode(["y": 2, "x": 1])
        #expect(try NavWireDecoder().decode(Pair.self, from: map) == Pair(x: 1, y: 2))
        let pair = try NavWireEncoder().encode(Pair(x: 1, y: 2))
        #expect(try NavWireDecoder().decode([String: Int].self, from: pair) == ["x": 1, "y": 2])
    }

    @Test func valuesOfDifferentTypesStandInOneArray() throws {
        let value = Writes {
            var container = $0.unkeyedContainer()
            for index in 0..<3 {
                try container.encode("k\(index)")
                try container.encode(index)
            }
        }
        let bytes = try NavWireEncoder().encode(value)
        let found = try NavWireDecoder().decode(
            Reads<[String: Int]>.self, from: bytes,
            by: {
                var container = try $0.unkeyedContainer()
                var map: [String: Int] = [:]
                while !container.isAtEnd { map[try container.decode(String.self)] = try container.decode(Int.self) }
                return map
            })
        #expect(found == ["k0": 0, "k1": 1, "k2": 2])
    }

    @Test func theSameEncoderServesManyThreads() async throws {
        let encoder = NavWireEncoder()
        let expected = try encoder.encode([Pair(x: 1, y: 2), Pair(x: 3, y: 4)])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let bytes = try encoder.encode([Pair(x: 1, y: 2), Pair(x: 3, y: 4)])
                        guard bytes == expected, try NavWireDecoder().decode([Pair].self, from: bytes).count == 2 else {
                            return false
                        }
                    }
                    return true
                }
            }
            for try await same in group { #expect(same) }
        }
    }
}
