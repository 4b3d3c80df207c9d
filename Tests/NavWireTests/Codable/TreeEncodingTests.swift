// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values whose containers are not written one inside the other, which are built as a tree.
@Suite struct TreeEncodingTests {
    /// A keyed container that is part of a tree: its first member was written after the second had begun.
    private static func writesInTree(
        _ body: @escaping (inout KeyedEncodingContainer<AnyKey>) throws -> Void
    ) -> Writes {
        Writes { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            try beginTree(&root)
            try body(&root)
        }
    }

    private static func beginTree(_ root: inout KeyedEncodingContainer<AnyKey>) throws {
        let first = root.superEncoder(forKey: "first")
        var second = root.superEncoder(forKey: "second").singleValueContainer()
        try second.encode(2)
        var single = first.singleValueContainer()
        try single.encode(1)
    }

    private static func nest(_ root: inout KeyedEncodingContainer<AnyKey>, levels: Int) throws {
        var container = root
        for level in 0..<levels {
            if level & 1 == 0 {
                container = container.nestedContainer(keyedBy: AnyKey.self, forKey: "next")
            } else {
                var items = container.nestedUnkeyedContainer(forKey: "next")
                container = items.nestedContainer(keyedBy: AnyKey.self)
            }
        }
    }

    @Test func depthIsLimitedAsItIsInOnePass() throws {
        // Two of three levels are an array and an object in it; one is the root.
        let values = { (levels: Int) in
            [
                Self.writesInTree { try Self.nest(&$0, levels: levels) },
                Writes { encoder in
                    var root = encoder.container(keyedBy: AnyKey.self)
                    try Self.nest(&root, levels: levels)
                },
            ]
        }
        for value in values(42) { _ = try NavWireEncoder().encode(value) }
        for levels in [43, 44, 100, 100_000] {
            for value in values(levels) {
                #expect(throws: NavWireError(code: .tooDeep, reason: ""), "\(levels)") {
                    try NavWireEncoder().encode(value)
                }
            }
        }
    }

    @Test func whoWritesTooDeepIsToldSo() throws {
        let tooDeep = NavWireError(code: .tooDeep, reason: "")
        let writes: [(String, (any UnkeyedEncodingContainer) throws -> Void)] = [
            (
                "an array",
                {
                    var items = $0
                    var deeper = items.nestedUnkeyedContainer()
                    try deeper.encode(1)
                }
            ),
            (
                "an object",
                {
                    var items = $0
                    var deeper = items.nestedContainer(keyedBy: AnyKey.self)
                    try deeper.encode([1], forKey: "a")
                }
            ),
            (
                "an array in an array",
                {
                    var items = $0
                    var deeper = items.nestedUnkeyedContainer()
                    var deepest = deeper.nestedUnkeyedContainer()
                    try deepest.encode(1)
                }
            ),
            (
                "an object in an object",
                {
                    var items = $0
                    var deeper = items.nestedContainer(keyedBy: AnyKey.self)
                    var deepest = deeper.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                    try deepest.encodeNil(forKey: "b")
                }
            ),
            (
                "by way of super encoders",
                {
                    var items = $0
                    var deeper = items.nestedUnkeyedContainer()
                    try 1.encode(to: deeper.superEncoder())
                }
            ),
            (
                "a value",
                {
                    var items = $0
                    try items.encode(Pair(x: 1, y: 2))
                }
            ),
        ]
        var limits = NavWireLimits.default
        limits.maximumDepth = 2
        let encoder = NavWireEncoder(options: .init(compression: .none, limits: limits))
        for (name, write) in writes {
            for swallows in [false, true] {
                let value = Self.writesInTree { root in
                    let items = root.nestedUnkeyedContainer(forKey: "items")
                    guard !swallows else {
                        #expect(throws: tooDeep, "\(name)") { try write(items) }
                        return
                    }
                    try write(items)
                }
                #expect(throws: tooDeep, "\(name)") { try encoder.encode(value) }
            }
        }
    }

    /// Every node is found, and so freed, from the one around it: a chain of them must not be longer than the limit.
    @Test func nothingIsBuiltBelowTheLimit() throws {
        let value = Self.writesInTree { root in
            var place = root.superEncoder(forKey: "next")
            for _ in 0..<100_000 {
                var items = place.unkeyedContainer()
                try? items.encode(1)
                place = items.superEncoder()
            }
        }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(value) }
    }

    @Test func whatIsAddedDoesNotMoveWhatIsThere() throws {
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncoderState())
        unsafe state.pointee.begin(limits: .default, userInfo: [:])
        var root = unsafe WireEncoder(next: state).container(keyedBy: AnyKey.self)
        try Self.beginTree(&root)
        let tree = try #require(unsafe state.pointee.tree)
        let list = try tree.newNode(key: "list", in: 0)
        try tree.makeUnkeyed(list)
        var addresses: (members: Set<UInt>, items: Set<UInt>) = ([], [])
        for number in 0..<5_000 {
            try root.encode(number, forKey: AnyKey(stringLiteral: "key\(number)"))
            try tree.append(.null, to: list)
            tree.remove(try tree.newNode(in: list))
            addresses.members.insert(tree.address(of: 0))
            addresses.items.insert(tree.address(of: list))
        }
        #expect(addresses.members.count <= 32)
        #expect(addresses.items.count <= 32)
        #expect(tree.count(of: list) == 5_000)
        guard case .object(let members) = tree.node else {
            Issue.record("the root is keyed")
            return
        }
        #expect(members.count == 5_003)
    }

    private struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "half")
            throw CocoaError(.featureUnsupported)
        }
    }

    /// As with `JSONEncoder`.
    @Test func aMemberThatFailsLeavesWhatItsKeyHeld() throws {
        let write = { (root: inout KeyedEncodingContainer<AnyKey>) throws -> Void in
            try root.encode("kept", forKey: "a")
            try root.encode([3], forKey: "b")
            try? root.encode(Failing(), forKey: "a")
            try? root.encode(Failing(), forKey: "gone")
            try? root.encode(Failing(), forKey: "b")
            try root.encode(true, forKey: "gone")
            try? root.encode(Failing(), forKey: "gone")
            try? root.encode(Failing(), forKey: "never")
        }
        let value = Writes { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            try write(&root)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(value)
        #expect(json == Data(#"{"a":"kept","b":[3],"gone":true}"#.utf8))
        #expect(try JSONWriter.bytes(of: node(of: value).jsonValue()) == Array(json))
        let late = try node(of: Self.writesInTree(write))
        #expect(
            try JSONWriter.bytes(of: late.jsonValue())
                == Array(#"{"a":"kept","b":[3],"first":1,"gone":true,"second":2}"#.utf8))
    }

    /// Writes to its own key of the container around it, and may fail then.
    @Test func aValueThatFailsIsTakenBackAndNotWhatItWroteToItsOwnKey() throws {
        let own = Writes { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            let around = root
            try root.encode(0, forKey: "id")
            let value = Writes { _ in
                var around = around
                try around.encode(1, forKey: "own")
                throw CocoaError(.featureUnsupported)
            }
            try? root.encode(value, forKey: "own")
            try root.encode(5, forKey: "last")
        }
        try expectJSONEncoders(own, "own key")
        let threefold = Writes { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            let around = root
            try root.encode(0, forKey: "own")
            let value = Writes { _ in
                var around = around
                try? around.encode(Failing(), forKey: "own")
                throw CocoaError(.featureUnsupported)
            }
            try? root.encode(value, forKey: "own")
        }
        try expectJSONEncoders(threefold, "own key, by three")
    }

    /// The second member is met when the first has made a tree of the document.
    @Test func aDictionarysMemberThatFailsInATreeIsTakenBack() throws {
        let members = [
            "a": Writes { encoder in
                var root = encoder.unkeyedContainer()
                var first = root.nestedUnkeyedContainer()
                var second = root.nestedUnkeyedContainer()
                try first.encode(1)
                try second.encode(2)
                try first.encode(3)
            },
            "b": Writes { encoder in
                var root = encoder.unkeyedContainer()
                try root.encode(1)
                throw CocoaError(.featureUnsupported)
            },
        ]
        let value = Writes { encoder in
            var container = encoder.singleValueContainer()
            try? container.encode(members)
        }
        let json = try JSONScanner.value(of: Array(#"[{"a":[[1,3],[2]]}]"#.utf8))
        #expect(try NativeValue(encoding: [value]).node().jsonValue() == json)
    }
}
