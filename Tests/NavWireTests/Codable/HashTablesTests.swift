// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values whose sets lie elsewhere, or that must not be asked again with others in their place.
@Suite struct HashTablesTests {
    typealias Eraser = HashOrderFormsTests.Eraser
    typealias Extra = HashOrderFormsTests.Extra

    /// Its one word is a reference to what the error is, not that.
    struct Failure: Encodable {
        struct Missing: Error { let names: Set<String> }
        let error: any Error
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for name in ["zeta", "beta", "alpha"] { try container.encode(name) }
        }
    }

    @Test func aSetBehindAReferenceIsLeftAlone() throws {
        let value = Failure(error: Failure.Missing(names: ["a", "b", "c"]))
        for _ in 0..<3 {
            let node = try NativeValue(encoding: value).node()
            #expect(node == .array(["zeta", "beta", "alpha"].map(NativeNode.string)))
        }
    }

    /// Looking at one by `Mirror` would end the process.
    struct Dangling: Encodable {
        final class Owner {}
        unowned let owner: Owner
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("x")
        }
    }

    /// Encodes itself when it is looked at.
    struct Mirrored: Encodable, CustomReflectable {
        var ids = [1]
        var customMirror: Mirror {
            Mirror(self, children: ["bytes": (try? NavWireEncoder().encode(self))?.count as Any])
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for id in ids { try container.encode(id) }
        }
    }

    @Test func valuesAreNotLookedIntoWithoutNeed() throws {
        var owner: Dangling.Owner? = Dangling.Owner()
        let dangling = Dangling(owner: try #require(owner))
        owner = nil
        #expect(try NativeValue(encoding: [dangling]).node() == .array([.string("x")]))
        let list = [Eraser(value: Extra(extra: ["a": 1, "b": 2])), Eraser(value: dangling)]
        #expect(try NativeValue(encoding: list).node().jsonValue().sortedDeeply.contains("x"))
        #expect(try NativeValue(encoding: Mirrored()).node() == .array([NativeNode(1)]))
    }

    /// Values that know places in the table, which another table does not have.
    struct Part: Encodable {
        let part: Slice<Set<Int>>
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for member in part { try container.encode(member) }
        }
    }

    struct Marked: Encodable {
        let members: Set<Int>
        let mark: Set<Int>.Index
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for member in members { try container.encode(member) }
            try container.encode(members[mark])
            try container.encode(-1)
        }
    }

    struct Going: Encodable {
        let members: [Int: Int]
        let rest: [Int: Int].Iterator
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for (key, value) in IteratorSequence(rest) {
                try container.encode(key)
                try container.encode(value)
            }
        }
    }

    struct Twice: Encodable {
        let one: Set<Int>
        let same: Set<Int>
        func encode(to encoder: any Encoder) throws { try one.encode(to: encoder) }
    }

    @Test func placesInATableAreNotTakenToAnotherOne() throws {
        for count in 2...12 {
            let (set, map) = HashOrderFormsTests.collections(count)
            let mark = try #require(set.firstIndex(of: 31))
            var rest = map.makeIterator()
            _ = rest.next()
            for value in [Part(part: set.prefix(count - 1)), Marked(members: set, mark: mark)] as [any Encodable] {
                let reference = try JSONScanner.value(of: Array(JSONEncoder().encode(Eraser(value: value))))
                #expect(try NativeValue(encoding: value).node().jsonValue() == reference)
            }
            let going = try NativeValue(encoding: Going(members: map, rest: rest)).node().jsonValue()
            #expect(try going == JSONScanner.value(of: Array(JSONEncoder().encode(Going(members: map, rest: rest)))))
            let twice = try NativeValue(encoding: Twice(one: set, same: set)).node()
            #expect(twice == .array(set.sorted().map { NativeNode($0) }))
        }
    }

    /// Writes the name of each number once in a document.
    struct Named: Hashable, Encodable {
        final class Account: @unchecked Sendable { var named: Set<Int> = [] }
        static let account = CodingUserInfoKey(rawValue: "account")
        let number: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            let account = Self.account.flatMap { encoder.userInfo[$0] as? Account }
            if account?.named.insert(number).inserted == true { try container.encode("name") }
        }
    }

    @Test func whatWasWrittenFirstStays() throws {
        let key = try #require(Named.account)
        let value = HashOrderFormsTests.Box(content: Set((0..<6).map(Named.init)))
        let names = try NativeValue(encoding: [Eraser(value: value)], userInfo: [key: Named.Account()]).node()
            .jsonValue()
        #expect(names.sortedDeeply.components(separatedBy: "name").count == 7)
    }

    /// What the documentation says is left to the app.
    final class Shared: Encodable {
        let members: Set<Int>
        init(_ members: Set<Int>) { self.members = members }
        func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
    }

    final class Sound: Encodable {
        let members: Set<Int>
        init(_ members: Set<Int>) { self.members = members }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(members)
        }
    }

    @Test func aClassGivesItsSetToAContainer() throws {
        var shared: Set<[UInt8]> = []
        var sound: Set<[UInt8]> = []
        for _ in 0..<40 {
            let members = Set((0..<12).shuffled())
            shared.insert(try NativeValue(encoding: Shared(members)).payload)
            sound.insert(try NativeValue(encoding: Sound(members)).payload)
        }
        #expect(sound.count == 1)
        #expect(shared.count > 1)
    }
}
