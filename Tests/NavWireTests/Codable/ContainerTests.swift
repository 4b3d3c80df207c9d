// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

/// What an encoder is asked for in odd ways comes out as the standard library's coders have it.
@Suite struct ContainerTests {
    @Test func aClassHierarchySharesOneContainer() throws {
        let value = Derived(a: 1, b: "two")
        #expect(try node(of: value) == .object([.init(key: "b", value: .string("two")), .init(key: "a", value: 1)]))
        let back = try roundTrip(value)
        #expect((back.a, back.b) == (1, "two"))
    }

    @Test func twoUnkeyedRequestsGiveOneArray() throws {
        let value = Writes { encoder in
            var first = encoder.unkeyedContainer()
            try first.encode(1)
            var second = encoder.unkeyedContainer()
            try second.encode(2)
            try first.encode(3)
        }
        #expect(try node(of: value) == .array([1, 2, 3]))
    }

    @Test func superEncodersHaveTheirKeys() throws {
        let value = Writes { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(2, forKey: "b")
            try 1.encode(to: container.superEncoder())
            try "x".encode(to: container.superEncoder(forKey: "own"))
        }
        #expect(
            try node(of: value)
                == .object([
                    .init(key: "b", value: 2), .init(key: "super", value: 1), .init(key: "own", value: .string("x")),
                ]))
    }

    @Test func aSuperDecoderOfAMissingKeyIsNil() throws {
        let bytes = try NavWireEncoder().encode(["a": 1])
        let isNil = try NavWireDecoder().decode(
            Reads<Bool>.self, from: bytes,
            by: { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                return try container.superDecoder().singleValueContainer().decodeNil()
                    && container.superDecoder(forKey: "gone").singleValueContainer().decodeNil()
                    && !container.superDecoder(forKey: "a").singleValueContainer().decodeNil()
            })
        #expect(isNil)
    }

    @Test func superInAnArrayIsAnItem() throws {
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode("a")
            try [1, 2].encode(to: container.superEncoder())
            _ = container.superEncoder()
            #expect(container.count == 3)
            try container.encodeNil()
        }
        #expect(try node(of: value) == .array([.string("a"), .array([1, 2]), .object([]), .null]))
    }

    @Test func siblingsCanBeWrittenByTurns() throws {
        let value = Writes { encoder in
            var outer = encoder.container(keyedBy: AnyKey.self)
            var left = outer.nestedUnkeyedContainer(forKey: "left")
            var right = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "right")
            try left.encode(1)
            try right.encode("r1", forKey: "one")
            try left.encode(2)
            try right.encode(Pair(x: 1, y: 2), forKey: "two")
            try outer.encode(true, forKey: "last")
            try left.encode(Pair(x: 3, y: 4))
            #expect(left.count == 3)
        }
        #expect(
            try node(of: value)
                == .object([
                    .init(key: "left", value: .array([1, 2, Pair(x: 3, y: 4).node])),
                    .init(
                        key: "right",
                        value: .object([
                            .init(key: "one", value: .string("r1")), .init(key: "two", value: Pair(x: 1, y: 2).node),
                        ])),
                    .init(key: "last", value: .bool(true)),
                ]))
    }

    @Test func aSuperEncoderCanBeUsedLate() throws {
        let value = Writes { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            let late = container.superEncoder()
            try container.encode(1, forKey: "a")
            try Pair(x: 5, y: 6).encode(to: late)
            try container.encode(2, forKey: "b")
        }
        #expect(
            try node(of: value)
                == .object([
                    .init(key: "super", value: Pair(x: 5, y: 6).node), .init(key: "a", value: 1),
                    .init(key: "b", value: 2),
                ]))
    }

    @Test func aKeyThatIsEncodedTwiceKeepsTheLastValue() throws {
        let value = Writes { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            try container.encode(2, forKey: "b")
            try container.encode("three", forKey: "a")
        }
        #expect(try node(of: value) == .object([.init(key: "a", value: .string("three")), .init(key: "b", value: 2)]))
        let nested = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(value)
            try container.encode(value)
        }
        #expect(try NavWireDecoder().decode([[String: Mixed]].self, from: NavWireEncoder().encode(nested)).count == 2)
    }

    @Test func aValueThatFailsHalfWayIsTakenBack() throws {
        struct Failure: Error {}
        let fails = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode("half")
            throw Failure()
        }
        let value = Writes { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            #expect(throws: Failure.self) { try container.encode(fails, forKey: "bad") }
            try container.encode(2, forKey: "b")
            var list = container.nestedUnkeyedContainer(forKey: "list")
            #expect(throws: Failure.self) { try list.encode(fails) }
            try list.encode(3)
        }
        #expect(
            try node(of: value)
                == .object([
                    .init(key: "a", value: 1), .init(key: "b", value: 2), .init(key: "list", value: .array([3])),
                ]))
    }

    @Test func whatEncodesNothingIsAnEmptyObjectBelowTheTop() throws {
        let nothing = Writes { _ in }
        #expect(throws: EncodingError.self) { try NavWireEncoder().encode(nothing) }
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(nothing)
            try container.encode(1)
        }
        #expect(try node(of: value) == .array([.object([]), 1]))
    }

    private struct Nothing: Encodable, Hashable { func encode(to encoder: any Encoder) {} }

    @Test func whatEncodesNothingIsAnEmptyObjectInEveryCollection() throws {
        let holders: [(String, any Encodable)] = [
            ("set", Set([Nothing()])), ("key", [Nothing(): 1]), ("value", [[1]: Nothing()]),
            ("key and value", [Nothing(): Nothing()]), ("member", ["k": Nothing()]), ("by integers", [1: Nothing()]),
            ("item", [Nothing()]), ("optional", Optional(Nothing())), ("optionals", Optional(Optional(Nothing()))),
            ("set of optionals", Set([Optional(Optional(Nothing()))])), ("set of sets", Set([Set([Nothing()])])),
            ("optional in a dictionary", ["k": Optional(Optional(Nothing()))]),
            ("forwarded set", Writes { try Set([Nothing()]).encode(to: $0) }),
            ("forwarded dictionary", Headers(values: ["k": Nothing()])),
            ("in a single value container", DirectWhole(program: Nothing())),
            (
                "written alone",
                Writes {
                    var place = $0.singleValueContainer()
                    try place.encode(Nothing())
                }
            ),
        ]
        for (name, holder) in holders {
            try expectJSONEncoders(holder, name)
            try expectJSONEncoders([Whatever(value: holder)], name)
            for inTree in [false, true] {
                try expectJSONEncoders(
                    Writes { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        if inTree {
                            let first = container.superEncoder(forKey: "first")
                            try container.encode(2, forKey: "second")
                            try 1.encode(to: first)
                        }
                        try container.encode(Whatever(value: holder), forKey: "a")
                        var items = container.nestedUnkeyedContainer(forKey: "b")
                        try items.encode(Whatever(value: holder))
                        try holder.encode(to: items.superEncoder())
                        try items.encode("last")
                    }, "\(name), \(inTree)")
            }
        }
        #expect(throws: EncodingError.self) { try NavWireEncoder().encode(Nothing()) }
        #expect(throws: EncodingError.self) {
            try NavWireEncoder().encode(Writes { Nothing().encode(to: $0) })
        }
    }

    /// A value of any type, as itself.
    private struct Whatever: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws { try put(value, encoder) }
        private func put<Value: Encodable>(_ value: Value, _ encoder: any Encoder) throws {
            var place = encoder.singleValueContainer()
            try place.encode(value)
        }
    }

    @Test func aValueThatForwardsToTheSameEncoderIsThatValue() throws {
        let inner = [1, 2, 3]
        let value = Writes { try Writes { try inner.encode(to: $0) }.encode(to: $0) }
        #expect(try node(of: value) == .array([1, 2, 3]))
    }

    @Test func everyNestingOfContainersComesBack() throws {
        let value = Writes { encoder in
            var outer = encoder.unkeyedContainer()
            var keyed = outer.nestedContainer(keyedBy: AnyKey.self)
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            var innermost = list.nestedContainer(keyedBy: AnyKey.self)
            try innermost.encode([["deep": [1]]], forKey: "x")
            var last = outer.nestedUnkeyedContainer()
            var empty = last.nestedUnkeyedContainer()
            try empty.encodeNil()
        }
        let deep = NativeNode.array([.map([.init(key: "deep", value: .array([1]))])])
        #expect(
            try node(of: value)
                == .array([
                    .object([.init(key: "list", value: .array([.object([.init(key: "x", value: deep)])]))]),
                    .array([.array([.null])]),
                ]))
    }

    @Test func containersAfterTheCallThrow() throws {
        nonisolated(unsafe) var kept: (any UnkeyedEncodingContainer)?
        _ = try NavWireEncoder().encode(
            Writes {
                var container = $0.unkeyedContainer()
                try container.encode(1)
                kept = container
            })
        #expect(throws: NavWireError.self) { try kept?.encode(2) }
        nonisolated(unsafe) var decoder: (any Decoder)?
        let bytes = try NavWireEncoder().encode([1])
        _ = try NavWireDecoder().decode(
            Reads<Int>.self, from: bytes,
            by: {
                decoder = $0
                return 0
            })
        #expect(throws: (any Error).self) { try decoder?.unkeyedContainer() }
    }

    @Test func containersThatAreKeptDoNotDisturbOthers() throws {
        nonisolated(unsafe) var kept: [KeyedEncodingContainer<AnyKey>] = []
        for round in 0..<20 {
            let value = Writes { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(round, forKey: "n")
                kept.append(container)
                try container.encode(
                    Writes {
                        var c = $0.container(keyedBy: AnyKey.self); try c.encode(1, forKey: "i")
                    }, forKey: "in")
            }
            #expect(
                try node(of: value)
                    == .object([
                        .init(key: "n", value: .integer(isNegative: false, magnitude: UInt128(round))),
                        .init(key: "in", value: .object([.init(key: "i", value: 1)])),
                    ]))
        }
    }

    class Plain: Codable {
        var a: Int
        init(a: Int) { self.a = a }
    }

    final class Derived: Plain {
        var b: String
        private enum CodingKeys: String, CodingKey { case b }
        init(a: Int, b: String) {
            self.b = b
            super.init(a: a)
        }
        required init(from decoder: any Decoder) throws {
            b = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .b)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(b, forKey: .b)
            try super.encode(to: encoder)
        }
    }
}
