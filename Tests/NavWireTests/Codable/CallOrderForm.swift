// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// A way in which code of an app goes through a set or dictionary by itself.
struct CallOrderForm: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// A value with so many members.
    let make: @Sendable (Int) -> any Encodable

    static let all: [Self] = [
        Self(testDescription: "forwarding", make: { Box(content: set($0)) }),
        Self(testDescription: "forwarding pairs", make: { Box(content: map($0)) }),
        Self(testDescription: "forwarding behind an eraser", make: { Eraser(value: Box(content: set($0))) }),
        Self(testDescription: "a case", make: { Choice.tags(set($0)) }),
        Self(testDescription: "an array of a set", make: { Listed(members: set($0)) }),
        Self(testDescription: "a chosen order", make: { Descending(members: set($0)) }),
        Self(testDescription: "a chosen order with ties", make: { ByTens(members: set($0)) }),
        Self(testDescription: "a part", make: { Part(part: set($0).prefix(max(0, $0 - 1))) }),
        Self(testDescription: "indices", make: { Indexed(set($0)) }),
        Self(testDescription: "a range of indices", make: { Ranged(set($0)) }),
        Self(testDescription: "a cursor in a class", make: { Pointed(set($0)) }),
        Self(testDescription: "an iterator", make: { Going(map($0)) }),
        Self(testDescription: "an owner that is gone", make: { Dangling(members: set($0)) }),
        Self(testDescription: "a mirror that encodes", make: { Mirrored(members: set($0)) }),
    ]

    private static func set(_ count: Int) -> Set<Int> {
        var set = Set<Int>(minimumCapacity: count << Int.random(in: 0...4))
        for member in (0..<count).shuffled() { set.insert(member * 31) }
        return set
    }

    private static func map(_ count: Int) -> [Int8: [String: Int]] {
        Dictionary(uniqueKeysWithValues: (0..<count).shuffled().map { (Int8($0), ["value": 1000 - $0]) })
    }
}

private struct Eraser: Encodable {
    let value: any Encodable
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

private struct Box<Content: Encodable>: Encodable {
    let content: Content
    func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

private enum Choice: Encodable {
    case tags(Set<Int>)
    func encode(to encoder: any Encoder) throws {
        guard case .tags(let tags) = self else { return }
        try tags.encode(to: encoder)
    }
}

private struct Listed: Encodable {
    let members: Set<Int>
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(members))
    }
}

private struct Descending: Encodable {
    let members: Set<Int>
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for member in members.sorted(by: >) { try container.encode(member) }
    }
}

private struct ByTens: Encodable {
    let members: Set<Int>
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for member in members.sorted(by: { $0 % 10 > $1 % 10 }) { try container.encode(member) }
    }
}

private struct Part: Encodable {
    let part: Slice<Set<Int>>
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for member in part { try container.encode(member) }
    }
}

private struct Indexed: Encodable {
    let members: Set<Int>
    let order: [Set<Int>.Index]
    init(_ members: Set<Int>) {
        self.members = members
        order = members.indices.sorted { members[$0] > members[$1] }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for index in order { try container.encode(members[index]) }
    }
}

private struct Ranged: Encodable {
    let members: Set<Int>
    let range: Range<Set<Int>.Index>
    init(_ members: Set<Int>) {
        self.members = members
        range = members.startIndex..<members.endIndex
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for member in members[range] { try container.encode(member) }
    }
}

private struct Pointed: Encodable {
    final class Cursor {
        let index: Set<Int>.Index
        init(_ index: Set<Int>.Index) { self.index = index }
    }
    let members: Set<Int>
    let cursor: Cursor?
    init(_ members: Set<Int>) {
        self.members = members
        cursor = members.isEmpty ? nil : Cursor(members.startIndex)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for member in members { try container.encode(member) }
        if let cursor { try container.encode(members[cursor.index]) }
    }
}

private struct Going: Encodable {
    let members: [Int8: [String: Int]]
    let rest: [Int8: [String: Int]].Iterator
    init(_ members: [Int8: [String: Int]]) {
        self.members = members
        rest = members.makeIterator()
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (key, value) in IteratorSequence(rest) {
            try container.encode(key)
            try container.encode(value)
        }
    }
}

/// Looking at one by `Mirror` would end the process.
private struct Dangling: Encodable {
    final class Owner {}
    let members: Set<Int>
    unowned let owner: Owner
    init(members: Set<Int>) {
        self.members = members
        let owner = Owner()
        self.owner = owner
    }
    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

/// Would encode itself for ever if encoding looked at it.
private struct Mirrored: Encodable, CustomReflectable {
    let members: Set<Int>
    var customMirror: Mirror { Mirror(self, children: ["bytes": (try? NavWireEncoder().encode(self))?.count as Any]) }
    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}
