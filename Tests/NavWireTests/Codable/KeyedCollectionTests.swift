// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Dictionaries with every kind of key, hierarchies, and lists that are not of one type.
@Suite struct KeyedCollectionTests {
    enum Plain: String, Codable, Hashable { case north, south }
    enum Keyed: String, Codable, Hashable, CodingKeyRepresentable { case north, south }
    struct Place: Codable, Hashable { var row: Int; var column: Int }

    @Test func everyKindOfKeyComesBack() throws {
        #expect(try roundTrip(["b": 1, "a": 2, "": 3]) == ["b": 1, "a": 2, "": 3])
        #expect(try roundTrip([3: "c", -1: "m", 0: "z"]) == [3: "c", -1: "m", 0: "z"])
        #expect(try roundTrip([Plain.north: 1, .south: 2]) == [.north: 1, .south: 2])
        #expect(try roundTrip([Keyed.north: 1, .south: 2]) == [.north: 1, .south: 2])
        let places = [Place(row: 1, column: 2): ["x"], Place(row: 0, column: 9): []]
        #expect(try roundTrip(places) == places)
        let ids = Dictionary(uniqueKeysWithValues: (0..<40).map { (UUID(), $0) })
        #expect(try roundTrip(ids) == ids)
        #expect(try roundTrip(Set(ids.keys)) == Set(ids.keys))
        #expect(try roundTrip([1.5: Set(["a", "b"])]) == [1.5: Set(["a", "b"])])
        #expect(try roundTrip([UInt64.max: [Int8: Bool]()]) == [UInt64.max: [:]])
    }

    @Test func aDictionaryIsReadAfterItsKeysBecameOrCeasedToBeCodingKeys() throws {
        let plain = try NavWireEncoder().encode([Plain.north: ["v"], .south: []])
        #expect(try NavWireDecoder().decode([Keyed: [String]].self, from: plain) == [.north: ["v"], .south: []])
        #expect(try NavWireDecoder().decode([String: [String]].self, from: plain) == ["north": ["v"], "south": []])
        let keyed = try NavWireEncoder().encode([Keyed.north: ["v"], .south: []])
        #expect(try NavWireDecoder().decode([Plain: [String]].self, from: keyed) == [.north: ["v"], .south: []])
        let texts = try NavWireEncoder().encode([Plain.north: "v"])
        #expect(try NavWireDecoder().decode([String: String].self, from: texts) == ["north": "v"])
        let unknown = try NavWireEncoder().encode(["west": 1])
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode([Plain: Int].self, from: unknown) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode([Plain: String].self, from: keyed) }
    }

    @Test func aDictionaryThatIsReadInItsOtherFormKeepsItsNils() throws {
        let plain = try NavWireEncoder().encode([Plain.north: 1, .south: nil] as [Plain: Int?])
        #expect(try NavWireDecoder().decode([Keyed: Int?].self, from: plain) == [.north: 1, .south: nil])
        let keyed = try NavWireEncoder().encode([Keyed.north: nil, .south: 2] as [Keyed: Int?])
        #expect(try NavWireDecoder().decode([Plain: Int?].self, from: keyed) == [.north: nil, .south: 2])
        let nested: [Plain: Int??] = [.north: .some(nil), .south: .none]
        let deep = try NavWireEncoder().encode(nested)
        #expect(try NavWireDecoder().decode([Keyed: Int??].self, from: deep) == [.north: .some(nil), .south: .none])
        let inner = try NavWireEncoder().encode([Plain.north: [Plain.south: nil]] as [Plain: [Plain: Bool?]])
        let read = try NavWireDecoder().decode([Keyed: [Keyed: Bool?]].self, from: inner)
        #expect(read == [.north: [.south: nil]])
    }

    @Test func keysAndValuesCanAlternateInAList() throws {
        let bytes = try NavWireEncoder().encode(
            Writes { encoder in
                var container = encoder.unkeyedContainer()
                for (key, value) in [("b", 2), ("a", 1)] {
                    try container.encode(key)
                    try container.encode(value)
                }
            })
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(container.count == 4)
            #expect(try container.decode(String.self) == "b")
            #expect(try container.decode(Int.self) == 2)
            #expect(try container.decode(String.self) == "a")
            #expect(try container.decode(Int.self) == 1)
        }
    }

    @Test func twoSetsOfKeysOnOneEncoderMakeOneObject() throws {
        enum First: String, CodingKey { case a, shared }
        enum Second: String, CodingKey { case b, shared }
        let value = Writes { encoder in
            var first = encoder.container(keyedBy: First.self)
            try first.encode(1, forKey: .a)
            var second = encoder.container(keyedBy: Second.self)
            try second.encode(2, forKey: .b)
            try first.encode(3, forKey: .shared)
        }
        let bytes = try NavWireEncoder().encode(value)
        #expect(try NavWireDecoder().decode([String: Int].self, from: bytes) == ["a": 1, "b": 2, "shared": 3])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let first = try decoder.container(keyedBy: First.self)
            #expect(first.allKeys == [.a, .shared])
            let second = try decoder.container(keyedBy: Second.self)
            #expect(try second.decode(Int.self, forKey: .b) == 2)
        }
    }

    class Bottom: Codable {
        var one = 1
        init() {}
    }

    class Middle: Bottom {
        var two = "two"
        private enum CodingKeys: String, CodingKey { case two }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try super.init(from: container.superDecoder())
            two = try container.decode(String.self, forKey: .two)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(two, forKey: .two)
            try super.encode(to: container.superEncoder())
        }
    }

    final class Top: Middle {
        var three: [Double] = [3]
        private enum CodingKeys: String, CodingKey { case three }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try super.init(from: container.superDecoder())
            three = try container.decode([Double].self, forKey: .three)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
            try container.encode(three, forKey: .three)
        }
    }

    @Test func aHierarchyOfThreeLevelsNestsItsSuperclasses() throws {
        let value = Top()
        (value.one, value.two, value.three) = (10, "20", [30, 31.5])
        let back = try roundTrip(value)
        #expect((back.one, back.two, back.three) == (10, "20", [30, 31.5]))
        let json = try JSONEncoder().encode(value)
        #expect(try NativeValue(encoding: value).node().jsonValue() == JSONScanner.value(of: Array(json)))
    }

    /// Two keys that differ, with one string.
    /// Lets a dictionary encode itself.
    struct Forwarding<Content: Encodable & Hashable>: Encodable, Hashable {
        var content: Content
        func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
    }

    struct Twin: Codable, Hashable, CodingKeyRepresentable {
        var number: Int
        var codingKey: any CodingKey { AnyKey(stringLiteral: "twin") }
        init(_ number: Int) { self.number = number }
        init?<Key: CodingKey>(codingKey: Key) { nil }
    }

    @Test func ofKeysWithOneStringItIsAlwaysTheSameMember() throws {
        var payloads: Set<[UInt8]> = []
        for capacity in 2..<60 {
            var twins = [Twin: Int](minimumCapacity: capacity * 5)
            for number in 0..<8 { twins[Twin(number)] = number }
            payloads.insert(try NativeValue(encoding: twins).payload)
        }
        #expect(payloads == [try NativeValue(encoding: ["twin": 0]).payload])
        var forwarded: Set<[UInt8]> = []
        for capacity in 1...40 {
            var twins = [Twin: Int](minimumCapacity: capacity * 5)
            for number in 0..<8 { twins[Twin(number)] = number }
            forwarded.insert(try NativeValue(encoding: [Forwarding(content: twins)]).payload)
        }
        #expect(forwarded == [try NativeValue(encoding: [["twin": 0]]).payload])
    }

    // MARK: Dictionaries that write themselves to an object

    private static let merges: [(name: String, body: @Sendable (any Encoder) throws -> Void)] = [
        (
            "after members",
            { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(5, forKey: "id")
                try ["x": 1, "id": 9].encode(to: encoder)
            }
        ),
        (
            "before a member",
            { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try ["x": 1, "id": 3].encode(to: encoder)
                try container.encode(5, forKey: "id")
            }
        ),
        (
            "before a member of another container",
            { encoder in
                try ["x": 1, "id": 3].encode(to: encoder)
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(["five"], forKey: "id")
            }
        ),
        (
            "two dictionaries",
            { encoder in
                try ["x": 1, "y": 2].encode(to: encoder)
                try ["x": 7, "z": 3].encode(to: encoder)
            }
        ),
        (
            "beside a key that stands twice",
            { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(2, forKey: "id")
                try container.encode(35, forKey: "id")
                try ["p": 1].encode(to: encoder)
            }
        ),
        (
            "three of several types",
            { encoder in
                try ["a": ["z"], "b": ["a"]].encode(to: encoder)
                try [1: "one", 2: "two"].encode(to: encoder)
                try ["b": [0: 1], "1": [:]].encode(to: encoder)
            }
        ),
    ]

    @Test(arguments: merges.indices) func whatIsWrittenLastToAKeyCounts(_ index: Int) throws {
        let value = Writes(Self.merges[index].body)
        let reference = try JSONScanner.value(of: Array(JSONEncoder().encode(value)))
        let name = Self.merges[index].name
        for around in [value, Writes { try [value].encode(to: $0) }] {
            let found = try NativeValue(encoding: around).node().jsonValue()
            #expect(found == reference || found == .array([reference]), "\(name)")
        }
        #expect(try Set((0..<20).map { _ in try NativeValue(encoding: value).payload }).count == 1, "\(name)")
    }

    @Test func whatATwinHoldsKnowsItsKey() throws {
        struct Unwritable: Encodable, Hashable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(0, .init(codingPath: encoder.codingPath, debugDescription: ""))
            }
        }
        let error = #expect(throws: EncodingError.self) {
            try NavWireEncoder().encode(["x": [Twin(1): Unwritable(), Twin(2): Unwritable()]])
        }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["x", "twin"])
    }

    @Test func ofTwinsWhoseValuesWriteThemselvesOneStays() throws {
        var payloads: Set<[UInt8]> = []
        for capacity in 1..<40 {
            var twins = [Twin: Forwarding<[String: Int]>](minimumCapacity: capacity * 5)
            for number in (0..<6).shuffled() {
                let members = (0..<5).shuffled().map { ("key \($0)", $0 + number) }
                twins[Twin(number)] = Forwarding(content: Dictionary(uniqueKeysWithValues: members))
            }
            payloads.insert(try NativeValue(encoding: [Forwarding(content: twins)]).payload)
        }
        #expect(payloads.count == 1)
    }

    /// Differs from others of its key.
    struct Labelled: Hashable, Encodable, CodingKeyRepresentable {
        var number: Int
        var codingKey: any CodingKey { AnyKey(stringLiteral: "a") }
        init(_ number: Int) { self.number = number }
        init?(codingKey: some CodingKey) { return nil }
    }

    indirect enum Branch: Encodable {
        case leaf
        case members([Labelled: Branch], encodesItself: Bool)
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .leaf:
                var container = encoder.singleValueContainer()
                try container.encode(1)
            case .members(let members, true): try members.encode(to: encoder)
            case .members(let members, false):
                var container = encoder.singleValueContainer()
                try container.encode(members)
            }
        }
    }

    @Test(arguments: [true, false]) func twinsInsideEachOtherAreWrittenInAMoment(_ encodesItself: Bool) throws {
        var branch = Branch.leaf
        for _ in 0..<60 {
            branch = .members(
                [Labelled(1): branch, Labelled(2): .members([Labelled(3): .leaf], encodesItself: encodesItself)],
                encodesItself: encodesItself)
        }
        // Two encodings of each at every level would take longer than anybody waits.
        #expect(
            try NativeValue(encoding: branch).node()
                == .map([.init(key: "a", value: .map([.init(key: "a", value: NativeNode(1))]))]))
    }
}
