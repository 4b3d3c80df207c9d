// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Types that write themselves, around `Codable` values and inside them.
@Suite struct DirectPathPlacesTests {
    // MARK: A value that is all that a direct one is

    private func expectEverywhere<Value: Encodable>(_ value: Value, _ what: String) throws {
        let encoder = NavWireEncoder()
        for (direct, plain) in [
            (try encoder.encode(direct: DirectWhole(program: value)), try encoder.encode(Whole(value: value))),
            (try encoder.encode(DirectWhole(program: value)), try encoder.encode(Whole(value: value))),
            (
                try encoder.encode([DirectWhole(program: value), .init(program: value)]),
                try encoder.encode([value, value])
            ),
            (try encoder.encode(["k": DirectWhole(program: value)]), try encoder.encode(["k": value])),
            (
                try encoder.encode(Optional(Optional(DirectWhole(program: value)))),
                try encoder.encode(Optional(Optional(Whole(value: value))))
            ),
            (
                try encoder.encode(Holder(first: DirectWhole(program: value), last: 1)),
                try encoder.encode(Holder(first: value, last: 1))
            ),
            (
                try encoder.encode([DirectWhole(program: DirectWhole(program: DirectWhole(program: value)))]),
                try encoder.encode([value])
            ),
            (
                try encoder.encode(
                    direct: DirectObject(program: DirectWhole(program: value), next: [DirectWhole(program: value)])),
                try encoder.encode(NotDirect(value: DirectObject(program: value, next: [value])))
            ),
            (
                try encoder.encode(
                    direct: DirectItems(programs: [DirectWhole(program: value), .init(program: value)])),
                try encoder.encode([value, value])
            ),
        ] {
            #expect(direct == plain, "\(what)")
        }
        #expect(
            try NativeValue(encoding: [DirectWhole(program: value)]) == NativeValue(encoding: [value]), "\(what)")
    }

    /// To `JSONEncoder` what encodes nothing is an empty object here.
    private struct Whole<Value: Encodable>: Encodable {
        var value: Value
        func encode(to encoder: any Encoder) throws {
            var place = encoder.singleValueContainer()
            try place.encode(value)
        }
    }

    private struct Holder<Value: Encodable>: Encodable {
        var first: Value
        var last: Int
    }

    @Test func aDirectValueMayBeNothingButAnEncodedOne() throws {
        try expectEverywhere(5, "a number")
        try expectEverywhere("title", "a string")
        try expectEverywhere(UUID(), "a UUID")
        try expectEverywhere([1, 2, 3, 400], "numbers")
        try expectEverywhere(Set([1, 2]), "a set")
        try expectEverywhere(["a": [1]], "a dictionary")
        try expectEverywhere(Optional<Int>.none, "nil")
        try expectEverywhere(Pair(x: 1, y: 2), "a structure")
        try expectEverywhere([Pair(x: 1, y: 2)], "structures")
        try expectEverywhere(Writes { _ in }, "nothing")
        try expectEverywhere(Headers(values: ["a": 1]), "a forwarded dictionary")
    }

    @Test func anErrorInSuchAValueIsTakenBack() throws {
        struct Failure: Error {}
        let failing = DirectWhole(
            program: Writes {
                var items = $0.unkeyedContainer()
                try items.encode(1)
                throw Failure()
            })
        let value = Writes { encoder in
            var items = encoder.unkeyedContainer()
            #expect(throws: Failure.self) { try items.encode(failing) }
            try items.encode(DirectWhole(program: 2))
        }
        #expect(try node(of: value) == .array([2]))
    }

    // MARK: Values that are not written straight

    /// Each needs a tree.
    private static var crooked: [(String, any Encodable)] {
        [
            ("a dictionary that is forwarded", Headers(values: ["b": 1, "a": 2])),
            ("in a class", Shared(values: ["b": 1, "a": 2])), ("by turns", Crooked { try byTurns($0) }),
            (
                "a key twice",
                Crooked {
                    var container = $0.container(keyedBy: AnyKey.self)
                    try container.encode(1, forKey: "a")
                    try container.encode(2, forKey: "b")
                    try container.encode([3], forKey: "a")
                }
            ),
            (
                "a container asked for again",
                Crooked {
                    var container = $0.container(keyedBy: AnyKey.self)
                    for value in [1, 2] {
                        var nested = container.nestedUnkeyedContainer(forKey: "n")
                        try nested.encode(value)
                    }
                }
            ),
            (
                "one that fails inside",
                Crooked {
                    var items = $0.unkeyedContainer()
                    try? items.encode(Crooked { _ in throw RandomProgram.Failure() })
                    try items.encode(DirectObject(program: Crooked { try byTurns($0) }, next: 2))
                }
            ),
        ]
    }

    private static func byTurns(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        var left = container.nestedUnkeyedContainer(forKey: "left")
        var right = container.nestedUnkeyedContainer(forKey: "right")
        try left.encode(1)
        try right.encode("title")
        try left.encode([3])
    }

    private func expectCodables<Value: Encodable>(_ value: Value, _ what: String) throws {
        let object = DirectObject(program: value, next: [value])
        let expected = try NavWireEncoder().encode(NotDirect(value: object))
        // The type is unknown the first time.
        for _ in 0..<3 {
            #expect(try NavWireEncoder().encode(direct: object) == expected, "\(what)")
            #expect(try NavWireEncoder().encode(object) == expected, "\(what)")
            #expect(try NavWireEncoder().encode(direct: DirectWhole(program: object)) == expected, "\(what)")
        }
        let items = DirectItems(programs: [object, object])
        #expect(try NavWireEncoder().encode(direct: items) == NavWireEncoder().encode([object, object]), "\(what)")
        try expectJSONEncoders(items, what)
        try expectJSONEncoders(["k": [DirectObject(program: object, next: items)]], what)
        try expectJSONEncoders([DirectWhole(program: DirectWhole(program: value))], what)
    }

    @Test func aValueThatNeedsATreeMayStandInADirectOne() throws {
        for (name, value) in Self.crooked { try expectCodables(value, name) }
    }

    @Test func anErrorKnowsItsPlace() throws {
        let value = DirectObject(
            program: Writes { encoder in
                try Self.byTurns(encoder)
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(
                    Writes {
                        throw EncodingError.invalidValue(0, .init(codingPath: $0.codingPath, debugDescription: "no"))
                    }, forKey: "z")
            }, next: 1)
        for _ in 0..<2 {
            do {
                _ = try NavWireEncoder().encode(["k": [value]])
                Issue.record("the value fails")
            } catch EncodingError.invalidValue(_, let context) {
                #expect(context.codingPath.map(\.stringValue) == ["k", "Index 0", "program", "z"])
            }
        }
    }

    @Test func aCodableValueTakesBackADirectOneThatFails() throws {
        let failing = DirectObject(
            program: Writes {
                try Self.byTurns($0)
                throw RandomProgram.Failure()
            }, next: 1)
        let value = Writes { encoder in
            var items = encoder.unkeyedContainer()
            try items.encode("first")
            try? items.encode(failing)
            try items.encode("last")
        }
        for _ in 0..<2 { try expectJSONEncoders(value, "in an array") }
    }

    @Test func depthIsCountedFromTheTop() throws {
        func nested(_ levels: Int) -> any Encodable & Sendable {
            (0..<levels).reduce(Crooked { try Self.byTurns($0) } as any Encodable & Sendable) { value, _ in
                Crooked { encoder in
                    var items = encoder.unkeyedContainer()
                    try items.encode(DirectItems(programs: [Boxed(value: value)]))
                }
            }
        }
        // Two containers for each level, and at the bottom three.
        _ = try NavWireEncoder().encode(Boxed(value: nested(30)))
        #expect(throws: NavWireError.tooDeep(limit: 64)) { try NavWireEncoder().encode(Boxed(value: nested(31))) }
    }

    private struct Boxed: Encodable {
        let value: any Encodable & Sendable
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private final class Shared: Encodable, Sendable {
        let values: [String: Int]
        init(values: [String: Int]) { self.values = values }
        func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
    }

    private struct Crooked: Encodable, Sendable {
        let body: @Sendable (any Encoder) throws -> Void
        init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    // MARK: One key twice

    @Test func theLastValueOfAKeyCounts() throws {
        struct Twice: NavWireEncodable, Encodable {
            static let keys = NavWireKeys("a", "b")
            func write(to writer: inout NavWireWriter) throws {
                try writer.object(Self.keys) {
                    $0.write(1, 0)
                    $0.write(2, 1)
                    $0.write("three", 0)
                }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                try container.encode(2, forKey: "b")
                try container.encode("three", forKey: "a")
            }
        }
        let expected = try NavWireEncoder().encode(NotDirect(value: Twice()))
        #expect(try NavWireEncoder().encode(direct: Twice()) == expected)
        #expect(try NavWireEncoder().encode(Twice()) == expected)
        #expect(
            try node(of: Twice()) == .object([.init(key: "a", value: .string("three")), .init(key: "b", value: 2)]))
    }
}
