// SPDX-License-Identifier: Apache-2.0
import Testing

@testable public import NavWire

/// Values inside each other, some of which write themselves and some of which swallow errors, around one that fails or
/// needs a tree: what comes out is what comes out when all go by `Codable`, whatever was encoded before.
@Suite struct DirectPathLayersTests {
    private struct Fault: Error {}

    private enum Layer: CaseIterable {
        // These write themselves.
        case member, item, value
        // These swallow what comes out of the value inside.
        case lossyMember, lossyItem, lossyValue
        case dictionary, optionals
    }

    /// What stands innermost.
    private static let cores: [(String, @Sendable (any Encoder) throws -> Void)] = [
        ("nothing, and fails", { _ in throw Fault() }),
        (
            "an array that fails",
            {
                var container = $0.unkeyedContainer()
                try container.encode(1)
                throw Fault()
            }
        ),
        (
            "a dictionary that fails",
            {
                try ["a": 1, "b": 2].encode(to: $0)
                throw Fault()
            }
        ),
        (
            "an object that fails",
            {
                var container = $0.container(keyedBy: AnyKey.self)
                var nested = container.nestedUnkeyedContainer(forKey: "n")
                try nested.encode(1)
                try container.encode("x", forKey: "y")
                throw Fault()
            }
        ),
        ("a dictionary", { try ["a": 1, "b": 2].encode(to: $0) }),
        (
            "containers by turns",
            {
                var container = $0.unkeyedContainer()
                var first = container.nestedUnkeyedContainer()
                var second = container.nestedUnkeyedContainer()
                try first.encode(1)
                try second.encode(2)
                try first.encode(3)
            }
        ),
        (
            "a number that fails",
            {
                var container = $0.singleValueContainer()
                try container.encode(7)
                throw Fault()
            }
        ),
    ]

    private struct Direct: NavWireEncodable, Encodable {
        let layer: Layer
        let inner: any Encodable

        private static let keys = NavWireKeys("id", "inner")

        func write(to writer: inout NavWireWriter) throws {
            switch layer {
            case .member:
                try writer.object(Self.keys) {
                    $0.write(1, 0)
                    try $0.write(encodable: inner, 1)
                }
            case .item:
                try writer.array { writer in
                    try writer.item { $0.write(1) }
                    try writer.item { try $0.write(encodable: inner) }
                }
            default: try writer.write(encodable: inner)
            }
        }

        func encode(to encoder: any Encoder) throws { try Plain(layer: layer, inner: inner).encode(to: encoder) }
    }

    private struct Plain: Encodable {
        let layer: Layer
        let inner: any Encodable

        func encode(to encoder: any Encoder) throws {
            switch layer {
            case .member, .lossyMember: try encodeMember(to: encoder)
            case .item, .lossyItem: try encodeItem(to: encoder)
            case .value, .lossyValue:
                var container = encoder.singleValueContainer()
                try unlessLossy { try container.encode(inner) }
            case .dictionary:
                var container = encoder.singleValueContainer()
                try container.encode(["key": Plain(layer: .value, inner: inner)])
            case .optionals:
                var container = encoder.singleValueContainer()
                try container.encode(Optional(Optional(Plain(layer: .value, inner: inner))))
            }
        }

        private func encodeMember(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "id")
            try unlessLossy { try container.encode(inner, forKey: "inner") }
            if layer == .lossyMember { try container.encode([2], forKey: "after") }
        }

        private func encodeItem(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            try unlessLossy { try container.encode(inner) }
            if layer == .lossyItem { try container.encode([2]) }
        }

        private func unlessLossy(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch is Fault {
                switch layer {
                case .lossyMember, .lossyItem, .lossyValue: return
                default: throw Fault()
                }
            }
        }
    }

    private static func value(_ layers: [Layer], around core: Writes, direct: Bool) -> any Encodable {
        layers.reduce(core as any Encodable) { inner, layer in
            switch layer {
            case .member, .item,
                .value where direct:
                Direct(layer: layer, inner: inner)
            default: Plain(layer: layer, inner: inner)
            }
        }
    }

    /// Nil when it failed.
    private static func content(_ value: any Encodable) throws -> NativeNode? {
        do {
            return try NativeValue(encoding: [Plain(layer: .value, inner: value)]).node()
        } catch is Fault {
            return nil
        }
    }

    private static let allLayers: [[Layer]] = Layer.allCases.flatMap { first in
        Layer.allCases.flatMap { second in Layer.allCases.map { [first, second, $0] } }
    }

    @Test(arguments: cores) private func whatComesOutIsWhatCodableGives(
        _ name: String, _ core: @escaping @Sendable (any Encoder) throws -> Void
    ) throws {
        for round in 1...2 {
            for layers in Self.allLayers {
                let expected = try Self.content(Self.value(layers, around: Writes(core), direct: false))
                let found = try Self.content(Self.value(layers, around: Writes(core), direct: true))
                #expect(found == expected, "\(name) in \(layers), round \(round)")
            }
        }
    }

    // MARK: Documents that are written once more

    private static var failing: Direct { Direct(layer: .member, inner: Writes { _ in throw Fault() }) }

    /// What comes after a value that failed.
    private static func after(_ value: any Encodable) -> Writes {
        Writes { encoder in
            var container = encoder.unkeyedContainer()
            #expect(throws: Fault.self) { try container.encode(failing) }
            try container.encode(value)
        }
    }

    @Test func aSetThatCouldWriteItselfIsInOrderThereToo() throws {
        let points = Set((0..<20).map(DirectPoint.init))
        let sorted = (0..<20).map { NativeNode(exactly: $0) }
        #expect(try NativeValue(encoding: Self.after(points)).node() == .array([.set(sorted)]))
        let map = Dictionary(uniqueKeysWithValues: points.map { ($0, $0) })
        #expect(try NativeValue(encoding: Self.after(map)).node() == .array([.pairs(sorted.flatMap { [$0, $0] })]))
    }

    /// It would be there twice if the member alone were written once more.
    @Test func whatAMemberWritesAroundItIsThereOnce() throws {
        struct Member: Encodable, Hashable {
            let body: Writes
            static func == (lhs: Self, rhs: Self) -> Bool { true }
            func hash(into hasher: inout Hasher) {}
            func encode(to encoder: any Encoder) throws { try body.encode(to: encoder) }
        }
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            let around = container
            let member = Member(
                body: Writes { encoder in
                    var around = around
                    try around.encode(7)
                    var container = encoder.unkeyedContainer()
                    try? container.encode(Self.failing)
                })
            try container.encode(Set([member]))
            try container.encode(8)
        }
        guard case .array(let items) = try NativeValue(encoding: value).node() else {
            Issue.record("no array")
            return
        }
        #expect(items.filter { $0 == NativeNode(7) }.count == 1)
        #expect(items.count == 3)
    }

    /// What a dictionary leaves that fails half-way, in one pass, in a tree, and inside a value that writes itself.
    @Test func aDictionaryThatFailsLeavesTheSameEverywhere() throws {
        let turns = Writes(Self.cores[5].1)
        let members = ["a": Writes { try [1].encode(to: $0) }, "b": Writes { _ in throw Fault() }]
        let lossy: [any Encodable] = [
            Plain(layer: .lossyValue, inner: Plain(layer: .value, inner: members)),
            Plain(layer: .lossyValue, inner: Plain(layer: .value, inner: members as [String: Writes]??)),
        ]
        for value in lossy {
            let found = try [value, Plain(layer: .value, inner: value), Direct(layer: .value, inner: value)].flatMap {
                value in
                let alone = Writes {
                    var container = $0.unkeyedContainer()
                    try container.encode(value)
                }
                let late = Writes {
                    var container = $0.unkeyedContainer()
                    try container.encode(turns)
                    try container.encode(value)
                }
                return try [NativeValue(encoding: alone).node(), NativeValue(encoding: late).node()]
            }
            let left = found.map { content -> NativeNode? in
                guard case .array(let items) = content else { return nil }
                return items.last
            }
            let expected = NativeNode.map([.init(key: "a", value: .array([NativeNode(1)]))])
            #expect(left == Array(repeating: expected, count: 6))
        }
    }

    @Test func aMistakeIsToldBesideThem() throws {
        let keys = NavWireKeys("id", "inner")
        let told = NavWireError(code: .notRepresentable, reason: "")
        let mistaken = WritesItself(
            { writer in
                try writer.object(keys) {
                    $0.write(1, 0)
                    $0.writeKey(1)
                }
            },
            plainly: { try [1].encode(to: $0) })
        #expect(throws: told) { try NavWireEncoder().encode([mistaken]) }
        #expect(throws: told) { try NavWireEncoder().encode(Self.after(mistaken)) }
        let swallowing = WritesItself(
            { writer in
                try writer.object(keys) {
                    $0.write(1, 0)
                    try? $0.write(encodable: Self.failing, 1)
                }
            },
            plainly: { try [1].encode(to: $0) })
        #expect(throws: told) { try NavWireEncoder().encode([swallowing]) }
    }

    @Test(arguments: [0, 1, 10, 100]) func eachValueIsAskedTwiceAtMost(_ count: Int) throws {
        final class Counter { var count = 0 }
        let counter = Counter()
        let counted = Writes { encoder in
            counter.count += 1
            try [1].encode(to: encoder)
        }
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<count { try? container.encode([["k": Self.failing]]) }
            try container.encode([[["k": Direct(layer: .member, inner: counted)]]])
        }
        _ = try NavWireEncoder().encode(value)
        #expect(counter.count == (count == 0 ? 1 : 2))
    }

    private struct DirectOnly: NavWireEncodable {
        let inner: any Encodable
        func write(to writer: inout NavWireWriter) throws { try writer.write(encodable: inner) }
    }

    @Test func aTypeThatOnlyWritesItselfSaysWhyItCannot() throws {
        let encoder = NavWireEncoder()
        #expect(throws: Fault.self) { try encoder.encode(direct: DirectOnly(inner: Writes(Self.cores[1].1))) }
        #expect(throws: NavWireError(code: .notRepresentable, reason: "")) {
            try encoder.encode(direct: DirectOnly(inner: Writes(Self.cores[4].1)))
        }
        let lossy = Self.value([.member, .lossyValue], around: Writes(Self.cores[1].1), direct: true)
        #expect(throws: NavWireError(code: .notRepresentable, reason: "")) {
            try encoder.encode(direct: DirectOnly(inner: lossy))
        }
    }
}

public struct DirectPoint: Codable, Hashable, NavWireEncodable {
    let x: Int

    init(x: Int) { self.x = x }

    public init(from decoder: any Decoder) throws { x = try decoder.singleValueContainer().decode(Int.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(x)
    }

    public func write(to writer: inout NavWireWriter) throws { writer.write(x) }
}

extension Set: NavWireEncodable where Element == DirectPoint {
    public func write(to writer: inout NavWireWriter) throws {
        try writer.array(sorted { $0.x < $1.x }) { try $0.write($1) }
    }
}

extension Dictionary: NavWireEncodable where Key == DirectPoint, Value == DirectPoint {
    public func write(to writer: inout NavWireWriter) throws {
        try writer.array(keys.sorted { $0.x < $1.x }.flatMap { [$0, $0] }) { try $0.write($1) }
    }
}
