// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// What types that write and read themselves share with their `Codable` conformances: every byte.
@Suite struct DirectPathTests {
    @Test func theBytesAreThoseOfCodable() throws {
        let encoder = NavWireEncoder()
        for card in Card.examples {
            let direct = try encoder.encode(direct: DirectCard(card))
            #expect(try encoder.encode(card) == direct)
            #expect(try NavWireDecoder().decode(direct: DirectCard.self, from: direct).card == card)
            #expect(try NavWireDecoder().decode(Card.self, from: direct) == card)
        }
    }

    @Test func aCodableTypeUsesItWhereverItMeetsIt() throws {
        let encoder = NavWireEncoder()
        let plain = try encoder.encode(Deck(name: "a", cards: Card.examples))
        let mixed = try encoder.encode(MixedDeck(name: "a", cards: Card.examples.map(DirectCard.init)))
        #expect(plain == mixed)
        #expect(try NavWireDecoder().decode(MixedDeck.self, from: plain).cards.map(\.card) == Card.examples)
    }

    @Test func itemsOfSeveralKindsAreWrittenAndReadOneByOne() throws {
        let envelope = try NavWireEncoder().encode(direct: Mixture())
        let plain = try NavWireEncoder().encode(PlainMixture())
        #expect(envelope == plain)
        let read = try NavWireDecoder().decode(direct: MixtureReader.self, from: envelope)
        #expect(read.found == ["3", "three", "[1, 2]", "true"])
        #expect(read.counts == [4, 3, 2, 1])
    }

    @Test(arguments: [("spades", 0), ("hearts", 1), ("clubs", nil), ("", nil)] as [(String, Int?)])
    func namesAreToldApart(_ name: String, _ place: Int?) throws {
        let envelope = try NavWireEncoder().encode(name)
        #expect(try NavWireDecoder().decode(direct: Suit.self, from: envelope).place == place)
    }

    @Test func aNameIsAString() throws {
        let envelope = try NavWireEncoder().encode(7)
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(direct: Suit.self, from: envelope) }
    }

    @Test func membersAreFoundInAnyOrderAndMissingOnesNamed() throws {
        let json = try NavWireEncoder().encode(["rank": 3, "id": 9])
        // A map is no object: it has no keys that a type declares.
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(direct: DirectCard.self, from: json) }

        let turned = try NavWireEncoder().encode(direct: TurnedCard())
        let card = try NavWireDecoder().decode(direct: DirectCard.self, from: turned).card
        #expect(card == Card(id: 5, name: "x", tags: [], note: nil))

        let short = try NavWireEncoder().encode(direct: ShortCard())
        do {
            _ = try NavWireDecoder().decode(direct: DirectCard.self, from: short)
            Issue.record("a member is missing")
        } catch DecodingError.keyNotFound(let key, let context) {
            #expect(key.stringValue == "name")
            #expect(context.codingPath.isEmpty)
        }
    }

    @Test func wrongValuesAreNamedByTheirPath() throws {
        let deck = Deck(name: "a", cards: [Card(id: 1, name: "b", tags: [], note: nil)])
        let envelope = try NavWireEncoder().encode(deck)
        do {
            _ = try NavWireDecoder().decode(direct: WrongDeck.self, from: envelope)
            Issue.record("a number is read from a string")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["cards", "Index 0", "name"])
        }
    }

    @Test(arguments: [Int64.min, -70_000, -1, 0, 63, 64, 255, 65_536, .max])
    func integersOfEveryWidth(_ value: Int64) throws {
        let envelope = try NavWireEncoder().encode(value)
        let read = try NavWireDecoder().decode(direct: Widths.self, from: envelope)
        #expect(read.int64 == value)
        #expect(read.int128 == Int128(value))
        #expect(read.int8 == Int8(exactly: value))
        #expect(read.uint64 == UInt64(exactly: value))
    }

    @Test func keysAreForgottenAndLearntAgain() throws {
        let encoder = NavWireEncoder()
        let card = DirectCard(Card.examples[0])
        let first = try encoder.encode(direct: card)
        // More keys than a coder remembers, so that all numbers are given out anew.
        let many = Dictionary(uniqueKeysWithValues: (0..<5000).map { (FreeKey(stringValue: "k\($0)"), $0) })
        let large = try encoder.encode(ManyKeys(values: many))
        _ = try NavWireDecoder().decode(ManyKeys.self, from: large)
        for _ in 0..<3 {
            #expect(try encoder.encode(direct: card) == first)
            #expect(try NavWireDecoder().decode(direct: DirectCard.self, from: first).card == card.card)
        }
    }

    @Test func depthIsLimitedAsItIsForCodable() {
        #expect(throws: NavWireError.self) { try NavWireEncoder().encode(direct: Nest(depth: 70)) }
        #expect(throws: Never.self) { try NavWireEncoder().encode(direct: Nest(depth: 64)) }
    }

    @Test(arguments: [Misuse.nothing, .swallowedInside, .swallowedInItem, .swallowedAround])
    private func misuseIsTold(
        _ misuse: Misuse
    ) {
        #expect(throws: NavWireError.self) { try NavWireEncoder().encode(direct: misuse) }
    }

    @Test func anItemThatIsNotWrittenIsTold() {
        #expect(throws: NavWireError(code: .notRepresentable, reason: "")) {
            try NavWireEncoder().encode(direct: MissingItems())
        }
    }

    @Test func aValueThatEncodesNothingIsAnEmptyObject() throws {
        let envelope = try NavWireEncoder().encode(direct: Markers())
        let plain = try NavWireEncoder().encode([Markers.Marker(), .init()])
        #expect(envelope == plain)
    }

    @Test func anItemOutsideAnArrayIsTheProgrammersMistake() async {
        await #expect(processExitsWith: .failure) { _ = try NavWireEncoder().encode(direct: StrayItem()) }
    }
}

// MARK: Types

private struct Card: Codable, Equatable {
    var id: UInt64
    var name: String
    var tags: [String]
    var note: String?

    static let examples = [
        Card(id: 1, name: "Größe", tags: [], note: nil),
        Card(id: .max, name: "ShopApp.Route", tags: ["a", "b", "b", "b"], note: "ShopApp.Route"),
        Card(id: 64, name: "", tags: ["title"], note: String(repeating: "long ", count: 20)),
    ]
}

private struct DirectCard: NavWireCodable, Codable {
    let card: Card
    static let keys = NavWireKeys("id", "name", "tags", "note")

    init(_ card: Card) { self.card = card }

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            $0.write(card.id, 0)
            $0.write(card.name, 1)
            try $0.write(card.tags, 2)
            if let note = card.note { $0.write(note, 3) }
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        card = Card(
            id: try object.read(0).integer(), name: try object.read(1).string(),
            tags: try object.read(2).array { try $0.string() }, note: try object.readIfPresent(3)?.string())
    }
}

private struct Deck: Codable {
    var name: String
    var cards: [Card]
}

private struct MixedDeck: Codable {
    var name: String
    var cards: [DirectCard]
}

private struct WrongDeck: NavWireCodable {
    static let keys = NavWireKeys("name", "cards")

    func write(to writer: inout NavWireWriter) throws {}

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        _ = try object.read(1).array { item in
            var card = try item.object(DirectCard.keys)
            _ = try card.read(1).int()
        }
    }
}

private struct TurnedCard: NavWireCodable {
    init() {}
    init(from reader: NavWireReader) throws {}

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(DirectCard.keys) {
            try $0.write([String](), 2)
            $0.writeKey(3)
            $0.writeNil()
            $0.write("x", 1)
            $0.write(5, 0)
        }
    }
}

private struct ShortCard: NavWireCodable {
    init() {}
    init(from reader: NavWireReader) throws {}

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(DirectCard.keys) { $0.write(5, 0) }
    }
}

private struct Mixture: NavWireCodable {
    init() {}
    init(from reader: NavWireReader) throws {}

    func write(to writer: inout NavWireWriter) throws {
        try writer.array { writer in
            try writer.item { $0.write(3) }
            try writer.item { $0.write("three") }
            try writer.item { try $0.array([1, 2]) { $0.write($1) } }
            try writer.item { $0.write(true) }
        }
    }
}

private struct PlainMixture: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(3)
        try container.encode("three")
        try container.encode([1, 2])
        try container.encode(true)
    }
}

private struct MixtureReader: NavWireCodable {
    var found: [String] = []
    var counts: [Int] = []

    func write(to writer: inout NavWireWriter) throws {}

    init(from reader: NavWireReader) throws {
        var items = try reader.items()
        while true {
            let count = items.underestimatedCount
            guard let item = items.next() else { break }
            counts.append(count)
            switch found.count {
            case 0: found.append("\(try item.int())")
            case 1: found.append(try item.string())
            case 2: found.append("\(try item.array { try $0.int() })")
            default: found.append("\(try item.bool())")
            }
        }
    }
}

private struct Suit: NavWireCodable {
    let place: Int?
    static let names = NavWireKeys("spades", "hearts")

    func write(to writer: inout NavWireWriter) throws {}
    init(from reader: NavWireReader) throws { place = try reader.place(among: Self.names) }
}

private struct Widths: NavWireCodable {
    let int64: Int64
    let int128: Int128
    let int8: Int8?
    let uint64: UInt64?

    func write(to writer: inout NavWireWriter) throws {}

    init(from reader: NavWireReader) throws {
        int64 = try reader.integer()
        int128 = try reader.integer()
        int8 = try? reader.integer(Int8.self)
        uint64 = try? reader.integer(UInt64.self)
    }
}

private struct FreeKey: CodingKey, Hashable {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct ManyKeys: Codable {
    var values: [FreeKey: Int]

    init(values: [FreeKey: Int]) { self.values = values }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FreeKey.self)
        for (key, value) in values { try container.encode(value, forKey: key) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FreeKey.self)
        values = [:]
        for key in container.allKeys { values[key] = try container.decode(Int.self, forKey: key) }
    }
}

private struct Nest: NavWireCodable {
    let depth: Int
    init(depth: Int) { self.depth = depth }
    init(from reader: NavWireReader) throws { depth = 0 }

    func write(to writer: inout NavWireWriter) throws {
        guard depth > 0 else { return writer.write(1) }
        try writer.array { writer in try writer.item { try Nest(depth: depth - 1).write(to: &$0) } }
    }
}

private struct StrayItem: NavWireCodable {
    init() {}
    init(from reader: NavWireReader) throws {}
    func write(to writer: inout NavWireWriter) throws { try writer.item { $0.write(1) } }
}

private enum Misuse: NavWireCodable {
    case nothing, swallowedInside, swallowedInItem, swallowedAround

    private struct Broken: Encodable {
        struct Fault: Error {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode([Inner()])
        }
        struct Inner: Encodable {
            func encode(to encoder: any Encoder) throws { throw Fault() }
        }
    }

    init(from reader: NavWireReader) throws { self = .nothing }

    func write(to writer: inout NavWireWriter) throws {
        switch self {
        case .nothing: break
        case .swallowedInside:
            try writer.object(DirectCard.keys) { writer in
                try? writer.write(encodable: Broken(), 0)
                writer.write(1, 1)
            }
        case .swallowedInItem:
            try writer.array(0..<100) { writer, _ in try? writer.write(encodable: Broken()) }
        case .swallowedAround:
            try writer.object(DirectCard.keys) { writer in
                try? writer.object(DirectCard.keys, 0) { _ in throw Broken.Fault() }
                writer.write(1, 1)
            }
        }
    }
}

private struct MissingItems: NavWireCodable {
    init() {}
    init(from reader: NavWireReader) throws {}
    func write(to writer: inout NavWireWriter) throws { try writer.array(0..<1000) { _, _ in } }
}

private struct Markers: NavWireCodable {
    struct Marker: Encodable { func encode(to encoder: any Encoder) {} }

    init() {}
    init(from reader: NavWireReader) throws {}
    func write(to writer: inout NavWireWriter) throws {
        try writer.array([Marker(), Marker()]) { try $0.write(encodable: $1) }
    }
}
