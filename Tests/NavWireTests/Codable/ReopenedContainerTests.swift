// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// A nested container that is asked for again goes on, as with `JSONEncoder`.
@Suite struct ReopenedContainerTests {
    class Base: Encodable {
        enum Keys: String, CodingKey { case id, data, list }
        enum Inner: String, CodingKey { case a }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(7, forKey: .id)
            var data = container.nestedContainer(keyedBy: Inner.self, forKey: .data)
            try data.encode(1, forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("x")
        }
    }

    final class Derived: Base {
        enum MoreKeys: String, CodingKey { case data, list, last }
        enum MoreInner: String, CodingKey { case b }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: MoreKeys.self)
            try container.encode(true, forKey: .last)
            var data = container.nestedContainer(keyedBy: MoreInner.self, forKey: .data)
            try data.encode(2, forKey: .b)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            #expect(list.count == 1)
            try list.encode(Pair(x: 1, y: 2))
        }
    }

    @Test func aSubclassGoesOnInTheContainersOfItsSuperclass() throws {
        #expect(
            try node(of: Derived())
                == .object([
                    .init(key: "id", value: 7),
                    .init(key: "data", value: .object([.init(key: "a", value: 1), .init(key: "b", value: 2)])),
                    .init(key: "list", value: .array([.string("x"), Pair(x: 1, y: 2).node])),
                    .init(key: "last", value: .bool(true)),
                ]))
        for value in [[Derived()], [Derived(), Derived()]] { try expectJSONEncoders(value, "in an array") }
        try expectJSONEncoders(["k": Derived()], "in a dictionary")
        try expectJSONEncoders([["k": Derived()], ["k": Base()]], "deeper")
    }

    private typealias Container = KeyedEncodingContainer<AnyKey>

    private static func keyed(_ container: inout Container, _ key: AnyKey, _ value: Int) throws {
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "d")
        try nested.encode(value, forKey: key)
    }

    private static func unkeyed(_ container: inout Container, _ value: Int) throws {
        var nested = container.nestedUnkeyedContainer(forKey: "d")
        try nested.encode(value)
    }

    /// What a key may have had, each of a kind that goes on.
    private static var earlier: [(String, (inout Container) throws -> Void)] {
        [
            ("a structure", { try $0.encode(Pair(x: 1, y: 2), forKey: "d") }),
            ("a dictionary", { try $0.encode(["z": 1, "b": 3], forKey: "d") }),
            ("strings", { try $0.encode(["z": "1"], forKey: "d") }),
            ("by integers", { try $0.encode([1: 1], forKey: "d") }),
            ("nothing", { try $0.encode(Writes { _ in }, forKey: "d") }),
            ("super", { try Pair(x: 3, y: 4).encode(to: $0.superEncoder(forKey: "d")) }),
            (
                "one that was replaced",
                {
                    try $0.encode(1, forKey: "d"); try $0.encode(Pair(x: 5, y: 6), forKey: "d")
                }
            ),
        ]
    }

    private static var earlierArrays: [(String, (inout Container) throws -> Void)] {
        [
            ("integers", { try $0.encode([7, 300, 301, 302, 303], forKey: "d") }),
            ("Booleans", { try $0.encode([Bool](repeating: true, count: 9), forKey: "d") }),
            ("structures", { try $0.encode([Pair(x: 1, y: 2), Pair(x: 3, y: 4)], forKey: "d") }),
            ("a set", { try $0.encode(Set([7]), forKey: "d") }), ("pairs", { try $0.encode([[1]: 1], forKey: "d") }),
            ("none", { try $0.encode([Int](), forKey: "d") }),
            ("super", { try [1].encode(to: $0.superEncoder(forKey: "d")) }),
        ]
    }

    @Test(arguments: [false, true]) func aKeyGoesOnWhateverWroteIt(_ inTree: Bool) throws {
        for (name, write) in Self.earlier + [("keyed", { try Self.keyed(&$0, "first", 0) })] {
            try expectJSONEncoders(
                Self.object(inTree) {
                    try write(&$0)
                    try $0.encode("between", forKey: "m")
                    try Self.keyed(&$0, "a", 1)
                    try Self.keyed(&$0, "b", 2)
                }, name)
        }
        for (name, write) in Self.earlierArrays + [("unkeyed", { try Self.unkeyed(&$0, 0) })] {
            try expectJSONEncoders(
                Self.object(inTree) {
                    try write(&$0)
                    try $0.encode("between", forKey: "m")
                    try Self.unkeyed(&$0, 1)
                    try Self.unkeyed(&$0, 2)
                }, name)
        }
    }

    @Test(arguments: [false, true]) func theFirstHandleGoesOnToo(_ inTree: Bool) throws {
        try expectJSONEncoders(
            Self.object(inTree) {
                var first = $0.nestedContainer(keyedBy: AnyKey.self, forKey: "d")
                try Self.keyed(&$0, "a", 1)
                try first.encode(3, forKey: "l")
                try Self.keyed(&$0, "b", 1)
                try first.encode([1], forKey: "m")
                try $0.encode(1, forKey: "last")
            }, "keyed")
        try expectJSONEncoders(
            Self.object(inTree) {
                var first = $0.nestedUnkeyedContainer(forKey: "d")
                try first.encode(1)
                try Self.unkeyed(&$0, 2)
                try first.encode(3)
                #expect(first.count == 3)
                #expect($0.nestedUnkeyedContainer(forKey: "d").count == 3)
                try first.encode([4])
            }, "unkeyed")
    }

    @Test(arguments: [false, true]) func encodingAndSuperEncodersReplace(_ inTree: Bool) throws {
        for value in [Pair(x: 1, y: 2)] {
            try expectJSONEncoders(
                Self.object(inTree) {
                    var first = $0.nestedContainer(keyedBy: AnyKey.self, forKey: "d")
                    try first.encode(1, forKey: "a")
                    try $0.encode(value, forKey: "d")
                    try first.encode(2, forKey: "lost")
                }, "encode")
            try expectJSONEncoders(
                Self.object(inTree) {
                    try Self.keyed(&$0, "a", 1)
                    try value.encode(to: $0.superEncoder(forKey: "d"))
                }, "superEncoder")
        }
    }

    /// `JSONEncoder` traps.
    @Test(arguments: [false, true]) func whatCannotGoOnIsReplaced(_ inTree: Bool) throws {
        let scalars: [(inout Container) throws -> Void] = [
            { try $0.encode(5, forKey: "d") }, { try $0.encodeNil(forKey: "d") }, { try $0.encode("x", forKey: "d") },
            { try $0.encode(Data([1]), forKey: "d") },
        ]
        for write in scalars + Self.earlierArrays.map(\.1) {
            let value = Self.object(inTree) {
                try write(&$0)
                try Self.keyed(&$0, "a", 1)
            }
            #expect(try member("d", of: value) == .object([.init(key: "a", value: 1)]))
        }
        for write in scalars + Self.earlier.map(\.1) {
            let value = Self.object(inTree) {
                try write(&$0)
                try Self.unkeyed(&$0, 1)
            }
            #expect(try member("d", of: value) == .array([1]))
        }
        let twoKinds = Self.object(inTree) {
            var first = $0.nestedUnkeyedContainer(forKey: "d")
            try Self.keyed(&$0, "a", 1)
            try first.encode(2)
            try Self.keyed(&$0, "b", 2)
        }
        #expect(
            try member("d", of: twoKinds) == .object([.init(key: "a", value: 1), .init(key: "b", value: 2)]))
    }

    @Test func oneEncoderGoesOnWithWhatWasWrittenToIt() throws {
        for (value, name) in [
            (
                Writes {
                    var place = $0.singleValueContainer()
                    try place.encode([1, 2])
                    var items = $0.unkeyedContainer()
                    try items.encode(3)
                }, "an array"
            ),
            (
                Writes {
                    var place = $0.singleValueContainer()
                    try place.encode(Set([1]))
                    var items = $0.unkeyedContainer()
                    try items.encode(3)
                }, "a set"
            ),
            (
                Writes {
                    var place = $0.singleValueContainer()
                    try place.encode(["a": 2])
                    var members = $0.container(keyedBy: AnyKey.self)
                    try members.encode(3, forKey: "b")
                }, "a dictionary"
            ),
            (
                Writes {
                    var place = $0.singleValueContainer()
                    try place.encode(Pair(x: 1, y: 2))
                    var members = $0.container(keyedBy: AnyKey.self)
                    try members.encode(3, forKey: "b")
                }, "a structure"
            ),
        ] {
            try expectJSONEncoders(value, name)
            try expectJSONEncoders([value], name)
            try expectJSONEncoders(Self.object(true) { try $0.encode(value, forKey: "v") }, name)
            try expectJSONEncoders(Self.object(true) { try value.encode(to: $0.superEncoder(forKey: "v")) }, name)
        }
    }

    /// Each key is looked for among those before it, up to a number.
    @Test func manyNestedContainersInOneObject() throws {
        for count in [511, 512, 513, 514, 20_000] {
            let value = Writes { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for number in 0..<count {
                    var nested = container.nestedUnkeyedContainer(forKey: AnyKey(stringLiteral: "k\(number)"))
                    try nested.encode(number)
                }
                var again = container.nestedUnkeyedContainer(forKey: "k1")
                try again.encode("again")
            }
            guard case .object(let members) = try node(of: value) else {
                Issue.record("the root is keyed")
                return
            }
            #expect(members.count == count)
            #expect(members[1] == .init(key: "k1", value: .array([1, .string("again")])))
            #expect(members.last?.value == .array([NativeNode(exactly: count - 1)]))
        }
    }

    // MARK: What they share

    /// An object, which is part of a tree already or is none yet.
    private static func object(_ inTree: Bool, _ body: @escaping (inout Container) throws -> Void) -> Writes {
        Writes { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            if inTree {
                let first = container.superEncoder(forKey: "first")
                try container.encode(2, forKey: "second")
                try 1.encode(to: first)
            }
            try body(&container)
        }
    }

    private func member(_ key: String, of value: some Encodable) throws -> NativeNode? {
        guard case .object(let members) = try node(of: value) else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// Expects the JSON of `JSONEncoder`, cold and warm, and that what was encoded can be read.
func expectJSONEncoders(
    _ value: some Encodable, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let theirs = try JSONScanner.value(of: Array(encoder.encode(value)))
    let envelopes = try (0..<2).map { _ in try NavWireEncoder().encode(value) }
    #expect(envelopes[0] == envelopes[1], "\(what)", sourceLocation: sourceLocation)
    let native = try NativeValue(encoding: value)
    let ours = try native.node().jsonValue()
    #expect(ours == theirs, "\(what)", sourceLocation: sourceLocation)
    _ = try PathEnvelope.decode(PathEnvelope.encode([PathElement(tag: "T", value: .native(native))]))
}
