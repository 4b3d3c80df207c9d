// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// The many ways in which code of an app lets a set or dictionary write itself, or goes through it.
@Suite struct HashOrderFormsTests {
    // MARK: Forms

    struct Eraser: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    struct More: Encodable {
        var note = "first"
        var tags: Set<Int>
        var rest = [1, 2]
        func encode(to encoder: any Encoder) throws { try tags.encode(to: encoder) }
    }

    enum Choice: Encodable {
        case none
        case tags(Set<Int>)
        case names([String: Int])
        case both(Set<Int>, String)
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .none: break
            case .tags(let set), .both(let set, _): try set.encode(to: encoder)
            case .names(let names): try names.values.map(\.self).encode(to: encoder)
            }
        }
    }

    struct Inner: Encodable {
        var tags: Set<Int>
        func encode(to encoder: any Encoder) throws { try tags.encode(to: encoder) }
    }

    struct Maybe: Encodable {
        var inner: Inner?
        func encode(to encoder: any Encoder) throws { try inner?.encode(to: encoder) }
    }

    struct Pair: Encodable {
        var pair: (Set<Int>, Void)
        func encode(to encoder: any Encoder) throws { try pair.0.encode(to: encoder) }
    }

    struct Box<Content: Encodable>: Encodable {
        var content: Content
        func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
    }

    struct Loop: Encodable {
        enum Way: CaseIterable { case keys, values, flat, arrays, keyed, nestedKeyed }
        var way: Way
        var members: [Int: Int]

        func encode(to encoder: any Encoder) throws {
            if way == .keyed {
                var container = encoder.container(keyedBy: AnyKey.self)
                for (key, value) in members { try container.encode(value, forKey: AnyKey(stringLiteral: "key \(key)")) }
                return
            }
            var container = encoder.unkeyedContainer()
            for (key, value) in members {
                switch way {
                case .keys: try container.encode(key)
                case .values: try container.encode(value)
                case .flat:
                    try container.encode(key)
                    try container.encode(value)
                case .arrays: try container.encode([key, value])
                default:
                    var inner = container.nestedContainer(keyedBy: AnyKey.self)
                    try inner.encode(key, forKey: "key")
                    try inner.encode(value, forKey: "value")
                }
            }
        }
    }

    /// Some properties, and further keys beside them.
    struct Extra: Encodable {
        var id = 7
        var extra: [String: Int]
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(id, forKey: "id")
            for (key, value) in extra { try container.encode(value, forKey: AnyKey(stringLiteral: key)) }
        }
    }

    static func deep(_ levels: Int, _ set: Set<Int>) -> any Encodable {
        func wrap(_ content: some Encodable) -> any Encodable { Box(content: content) }
        var value: any Encodable = set
        for _ in 0..<levels { value = wrap(value) }
        return value
    }

    typealias Make = @Sendable (Set<Int>, [Int: Int]) -> any Encodable

    static let values: [(name: String, make: Make)] = [
        ("an eraser", { set, _ in Eraser(value: set) }),
        ("an eraser of a dictionary", { _, map in Eraser(value: map) }),
        ("an eraser of a wrapper", { set, _ in Eraser(value: Inner(tags: set)) }),
        ("more properties", { set, _ in More(tags: set) }),
        ("a case", { set, _ in Choice.tags(set) }),
        ("a case of two", { set, _ in Choice.both(set, "a text that is long enough to lie elsewhere") }),
        ("values in a case", { _, map in Choice.names(texts(map)) }),
        ("an optional", { set, _ in Maybe(inner: Inner(tags: set)) }),
        ("a tuple", { set, _ in Pair(pair: (set, ())) }),
        ("twelve wrappers", { set, _ in deep(12, set) }),
        ("further keys", { _, map in Extra(extra: texts(map)) }),
    ]

    static let loops: [(name: String, make: Make)] = Loop.Way.allCases.map { way in
        ("a loop: \(way)", { _, map in Loop(way: way, members: map) })
    }

    static let forms = values + loops

    private static func texts(_ map: [Int: Int]) -> [String: Int] {
        var texts: [String: Int] = [:]
        for (key, value) in map { texts["\(key)"] = value }
        return texts
    }

    /// Items of three types.
    struct Pages: Encodable {
        let before: any Encodable
        let page: any Encodable
        let after: any Encodable
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for item in [before, page, after] { try container.encode(item) }
        }
    }

    private static func listed(_ value: some Encodable) throws -> NativeValue {
        try NativeValue(encoding: [value, value])
    }
    private static func named(_ value: some Encodable) throws -> NativeValue { try NativeValue(encoding: ["a": value]) }

    /// One set or dictionary in many orders.
    static func collections(_ count: Int) -> (Set<Int>, [Int: Int]) {
        let members = (0..<count).shuffled()
        var set = Set<Int>(minimumCapacity: count << Int.random(in: 0...4))
        var map = [Int: Int](minimumCapacity: count << Int.random(in: 0...4))
        for member in members {
            set.insert(member * 31)
            map[member] = 1000 - member
        }
        return (set, map)
    }

    @Test(arguments: forms.indices) func equalValuesHaveEqualBytes(_ index: Int) throws {
        let (name, make) = Self.forms[index]
        for around in 0..<4 {
            var payloads: Set<[UInt8]> = []
            for _ in 0..<25 {
                let (set, map) = Self.collections(12)
                let value = make(set, map)
                let node: NativeValue =
                    switch around {
                    case 0: try NativeValue(encoding: value)
                    case 1: try NativeValue(encoding: Pages(before: 1, page: value, after: "x"))
                    case 2: try Self.listed(value)
                    default: try Self.named(value)
                    }
                payloads.insert(node.payload)
            }
            #expect(payloads.count == 1, "\(name), \(around): \(payloads.count) payloads")
        }
    }

    @Test func whatIsWrittenIsWhatJSONEncoderWrites() throws {
        for (name, make) in Self.forms {
            let (set, map) = Self.collections(5)
            let value = make(set, map)
            let native = try NativeValue(encoding: value).node().jsonValue()
            let reference = try JSONScanner.value(of: Array(JSONEncoder().encode(Eraser(value: value))))
            #expect(native.sortedDeeply == reference.sortedDeeply, "\(name)")
        }
    }

    /// Keys that are made up, at every level.
    struct Folder: Encodable {
        var folders: [String: Folder] = [:]
        var leaf = 0
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            if folders.isEmpty { try container.encode(leaf, forKey: "leaf") }
            for (name, folder) in folders { try container.encode(folder, forKey: AnyKey(stringLiteral: name)) }
        }

        init(depth: Int) {
            leaf = depth
            guard depth > 0 else { return }
            for number in (0..<3).shuffled() { folders["\(number)"] = Folder(depth: number == 1 ? depth - 1 : 0) }
        }
    }

    struct Tree: Hashable, Encodable {
        var kids: Set<Tree> = []
        var leaf = 0
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if kids.isEmpty { try container.encode(leaf) }
            for kid in kids { try container.encode(kid) }
        }

        init(depth: Int, leaf: Int) {
            self.leaf = leaf
            if depth > 0 {
                for number in (0..<4).shuffled() { kids.insert(Tree(depth: number == 1 ? depth - 1 : 0, leaf: number)) }
            }
        }
    }

    @Test(arguments: [1, 2, 5, 8, 14]) func equalValuesHaveEqualBytesAtEveryDepth(_ depth: Int) throws {
        var folders: Set<[UInt8]> = []
        var trees: Set<[UInt8]> = []
        for _ in 0..<10 {
            folders.insert(try NativeValue(encoding: Folder(depth: depth)).payload)
            trees.insert(try NativeValue(encoding: Tree(depth: depth, leaf: 0)).payload)
        }
        #expect(folders.count == 1)
        #expect(trees.count == 1)
    }

    /// The usual value of any JSON.
    enum JSONLike: Encodable {
        case number(Int)
        case list([JSONLike])
        case object([String: JSONLike])
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let number):
                var container = encoder.singleValueContainer()
                try container.encode(number)
            case .list(let list): try list.encode(to: encoder)
            case .object(let members):
                var container = encoder.container(keyedBy: AnyKey.self)
                for (key, value) in members { try container.encode(value, forKey: AnyKey(stringLiteral: key)) }
            }
        }
    }

    /// Follows one of its two tables, whose members are half as many as the other's, or twice.
    struct Two: Encodable {
        var names: Set<String>
        var numbers: Set<Int>
        func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
    }

    @Test func ofSeveralTablesTheOneThatIsFollowedCounts() throws {
        for (names, numbers) in [(2, 4), (3, 6), (4, 2), (6, 3)] {
            var payloads: Set<[UInt8]> = []
            for _ in 0..<200 {
                let two = Two(
                    names: Set((0..<names).shuffled().map { "name \($0)" }), numbers: Set((0..<numbers).shuffled()))
                payloads.insert(try NativeValue(encoding: two).payload)
            }
            #expect(payloads.count == 1, "\(names), \(numbers)")
        }
        var payloads: Set<[UInt8]> = []
        for _ in 0..<40 {
            var members: [String: JSONLike] = [:]
            for number in (0..<12).shuffled() { members["k\(number)"] = .number(number) }
            let list = JSONLike.list([.number(1), .object(members)])
            payloads.insert(try NativeValue(encoding: JSONLike.object(["a": list, "b": .object(members)])).payload)
        }
        #expect(payloads.count == 1)
    }

    /// Holds members and writes some of them, or none.
    struct Chosen: Encodable {
        var members: Set<Int>
        var least: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for member in members.sorted() where member >= least { try container.encode(member) }
        }
    }

    @Test func aSetOfWhichNothingIsWrittenIsAnEmptyArray() throws {
        for (members, least) in [([1, 2], 9), ([1, 2, 3, 4], 9), ([1, 2], 2), ([1, 2, 3, 4], 3)] {
            let value = Chosen(members: Set(members), least: least)
            for value in [value, value] {
                let node = try NativeValue(encoding: value).node()
                #expect(node == .array(members.filter { $0 >= least }.map { NativeNode($0) }))
            }
            #expect(
                try NativeValue(encoding: [Eraser(value: value)]).node()
                    == .array([NativeValue(encoding: value).node()]))
        }
    }

    // MARK: Orders that were chosen

    struct Descending: Encodable {
        var note = ""
        var members: Set<Int>
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for member in members.sorted(by: >) { try container.encode(member) }
        }
    }

    enum Ranked: Encodable {
        case by([Int: String])
        func encode(to encoder: any Encoder) throws {
            guard case .by(let names) = self else { return }
            var container = encoder.unkeyedContainer()
            for (key, name) in names.sorted(by: { $0.key > $1.key }) { try container.encode("\(key) \(name)") }
        }
    }

    /// Chooses its order, and holds others of its kind.
    struct Forest: Encodable {
        var trees: [String: Forest] = [:]
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for key in trees.keys.sorted(by: >) {
                try container.encode(key)
                try container.encode(trees[key] ?? Forest())
            }
        }
    }

    @Test func anOrderThatWasChosenStays() throws {
        let expected = NativeNode.array((0..<9).reversed().map { NativeNode($0) })
        for _ in 0..<20 {
            let members = Set((0..<9).shuffled())
            #expect(try NativeValue(encoding: Descending(members: members)).node() == expected)
            #expect(try NativeValue(encoding: Eraser(value: Descending(members: members))).node() == expected)
            let ranked = Ranked.by(Dictionary(uniqueKeysWithValues: members.map { ($0, "n") }))
            #expect(
                try NativeValue(encoding: ranked).node()
                    == .array((0..<9).reversed().map { .string("\($0) n") }))
        }
    }

    @Test func anOrderThatWasChosenStaysAtAnyDepth() throws {
        var forest = Forest()
        for _ in 0..<12 { forest = Forest(trees: ["a": forest, "b": Forest()]) }
        let reference = try JSONScanner.value(of: Array(JSONEncoder().encode(forest)))
        #expect(try NativeValue(encoding: forest).node().jsonValue() == reference)
        #expect(try NativeValue(encoding: Eraser(value: forest)).node().jsonValue() == reference)
    }

    // MARK: Members that are written alike

    struct Named: Hashable, Encodable {
        let id: Int
        let name: String
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        }
    }

    @Test func membersThatAreWrittenAlikeHideNoOrder() throws {
        for names in [["aa", "aa", "bb"], ["a", "b", "b", "b", "b"], ["x", "x"], ["p", "q", "p", "q", "r"]] {
            var payloads: Set<[UInt8]> = []
            for _ in 0..<150 {
                let members = names.enumerated().map { Named(id: $0.offset, name: $0.element) }.shuffled()
                var set = Set<Named>(minimumCapacity: Int.random(in: 1...40))
                for member in members { set.insert(member) }
                payloads.insert(try NativeValue(encoding: [Box(content: set)]).payload)
            }
            #expect(payloads.count == 1, "\(names)")
        }
    }
}

extension JSONValue {
    /// With the items of all arrays in an order by what they say.
    var sortedDeeply: String {
        switch self {
        case .array(let items): "[\(items.map(\.sortedDeeply).sorted().joined(separator: ","))]"
        case .object(let object):
            "{\(object.members.map { "\($0.key):\($0.value.sortedDeeply)" }.sorted().joined(separator: ","))}"
        default: "\(self)"
        }
    }
}
