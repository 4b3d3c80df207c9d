// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values that write to a container around them while they are written themselves, and what follows them.
@Suite struct OutOfPlaceTests {
    /// The value as our JSON and as that of `JSONEncoder`.
    private static func expectTheSame(_ what: String, _ value: some Encodable) throws {
        let ours = try PathValue.native(NativeValue(encoding: value)).item(at: 0)
        _ = try PathEnvelope.decode(
            PathEnvelope.encode([PathElement(tag: "T", value: .native(NativeValue(encoding: value)))]))
        let theirs = try JSONScanner.value(of: Array(JSONEncoder().encode(value)))
        #expect(try JSONScanner.value(of: Array(ours.utf8)) == theirs, "\(what): \(ours)")
    }

    class Base: Encodable {
        let items: [Int]
        init(_ items: [Int]) { self.items = items }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(items)
        }
    }

    final class Derived: Base {
        let next: [any Encodable]
        init(_ items: [Int], _ next: [any Encodable]) {
            self.next = next
            super.init(items)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try super.encode(to: container.superEncoder())
            for item in next { try container.encode(item) }
        }
    }

    @Test func whatFollowsASuperclassIsAnItemOfItsOwn() throws {
        for items in [[], [5], [1, 2, 3, 4, 5]] {
            try Self.expectTheSame("integers", Derived(items, [100, 101, 102, 103]))
            try Self.expectTheSame("large integers", Derived(items, [Int](repeating: .max, count: 4)))
            try Self.expectTheSame("a dictionary", Derived(items, [["x": [1]]]))
            try Self.expectTheSame("structures", Derived(items, [Pair(x: 1, y: 2), [7], Pair(x: 3, y: 4)]))
        }
    }

    /// A member that writes a number, and then does something else.
    struct Member: Encodable, Hashable {
        let number: Int
        let act: () throws -> Void
        static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
            try act()
        }
    }

    struct Wrapper: Encodable {
        let set: Set<Member>
        func encode(to encoder: any Encoder) throws { try set.encode(to: encoder) }
    }

    /// What holds the member, in all ways in which a collection is written.
    private static var holders: [(String, (Member) -> any Encodable)] {
        [
            ("map", { ["k": $0] }), ("map in a map", { ["k": ["k": $0]] }), ("set", { Set([$0]) }),
            ("pairs", { [$0: 1] }),
            ("wrapper", { Wrapper(set: [$0]) }), ("array", { [$0] }), ("map in a set's place", { [["k": Set([$0])]] }),
        ]
    }

    @Test func aMemberWritesToTheObjectAround() throws {
        for (name, hold) in Self.holders {
            for goesOn in [true, false] {
                try Self.expectTheSame(
                    name,
                    Writes { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        let kept = container
                        let member = Member(number: 5) {
                            var kept = kept
                            try kept.encode(9, forKey: "b")
                        }
                        try Self.put(hold(member), "a", &container)
                        if goesOn { try container.encode(2, forKey: "z") }
                    })
            }
        }
    }

    @Test func aMemberWritesToAContainerThatHasEnded() throws {
        for (name, hold) in Self.holders {
            try Self.expectTheSame(
                name,
                Writes { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    var table = container.nestedUnkeyedContainer(forKey: "table")
                    try table.encode(0)
                    let kept = table
                    let member = Member(number: 5) {
                        var kept = kept
                        try kept.encode(9)
                    }
                    try Self.put(hold(member), "a", &container)
                })
        }
    }

    private static func put<Value: Encodable>(
        _ value: Value, _ key: AnyKey, _ container: inout KeyedEncodingContainer<AnyKey>
    ) throws {
        try container.encode(value, forKey: key)
    }

    struct Failure: Error {}

    @Test func aValueThatFailsTakesNothingElseBack() throws {
        for inTree in [true, false] {
            try Self.expectTheSame(
                "members",
                Writes { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    if inTree { Self.beginTree(&container) }
                    let kept = container
                    let failing = Writes { encoder in
                        var own = encoder.container(keyedBy: AnyKey.self)
                        try own.encode(1, forKey: "q")
                        var kept = kept
                        try kept.encode(300, forKey: "b")
                        throw Failure()
                    }
                    try? container.encode(failing, forKey: "a")
                    try container.encode(2, forKey: "z")
                })
        }
    }

    @Test func anItemThatFailsTakesNothingElseBack() throws {
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            let kept = container
            let failing = Writes { encoder in
                var own = encoder.container(keyedBy: AnyKey.self)
                try own.encode(1, forKey: "q")
                var kept = kept
                try kept.encode(300)
                throw Failure()
            }
            try? container.encode(failing)
            try container.encode(2)
        }
        // JSONEncoder puts what a copy of the container wrote in the same order.
        try Self.expectTheSame("items", value)
    }

    private static func beginTree(_ container: inout KeyedEncodingContainer<AnyKey>) {
        let first = container.superEncoder(forKey: "first")
        _ = container.superEncoder(forKey: "second")
        var single = first.singleValueContainer()
        try? single.encode(1)
    }

    @Test func aHandleKnowsItsPlaceWhenOthersHaveBeenWritten() throws {
        var paths: [[String]] = []
        var count = 0
        _ = try NavWireEncoder().encode(
            Writes { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                var items = root.nestedUnkeyedContainer(forKey: "items")
                let member = items.nestedContainer(keyedBy: AnyKey.self)
                try items.encode(1)
                try items.encode(2)
                let nested = root.nestedContainer(keyedBy: AnyKey.self, forKey: "nested")
                try root.encode(1, forKey: "last")
                paths = [member.codingPath, nested.codingPath, items.codingPath].map { $0.map(\.stringValue) }
                count = items.count
            })
        #expect(paths == [["items", "Index 0"], ["nested"], ["items"]])
        #expect(count == 3)
    }

    /// Writes an object when it is empty, and its set when it is not.
    struct Tags: Encodable {
        var set: Set<Int>
        func encode(to encoder: any Encoder) throws {
            guard set.isEmpty else {
                var container = encoder.singleValueContainer()
                return try container.encode(set)
            }
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(true, forKey: "empty")
        }
    }

    @Test func aTypeThatWroteAnObjectOnceHasOneOrderAllTheSame() throws {
        _ = try NavWireEncoder().encode(Tags(set: []))
        var payloads: Set<[UInt8]> = []
        for capacity in 2..<60 {
            var set = Set<Int>(minimumCapacity: capacity * 7)
            for number in [3, 1, 4, 15, 9, 2, 6] { set.insert(number) }
            payloads.insert(try NativeValue(encoding: Tags(set: set)).payload)
            payloads.insert(try NativeValue(encoding: ["k": Tags(set: set)]).payload)
            payloads.insert(try NativeValue(encoding: [Tags(set: set), Tags(set: [])]).payload)
        }
        #expect(payloads.count == 3)
    }
}
