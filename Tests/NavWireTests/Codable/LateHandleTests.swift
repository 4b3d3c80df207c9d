// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

/// Handles that are used when there is nothing left to write to.
@Suite struct LateHandleTests {
    /// Each of these went on at a container that had ended.
    @Test func aContainerAskedForAfterALimitWasBrokenIsNowhere() throws {
        var limits = NavWireLimits.default
        limits.maximumDepth = 1
        let encoder = NavWireEncoder(options: .init(compression: .none, limits: limits))
        let value = Writes { encoder in
            var outer = encoder.container(keyedBy: AnyKey.self)
            var deep = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "deep")
            var list = outer.nestedUnkeyedContainer(forKey: "list")
            var late = deep.superEncoder().container(keyedBy: AnyKey.self)
            var items = list.superEncoder().unkeyedContainer()
            for _ in 0..<3 {
                try? outer.encode(1, forKey: "a")
                var again = late.nestedUnkeyedContainer(forKey: "b")
                try? again.encode(1)
                try? late.encode(1, forKey: "c")
                try? deep.encode("x", forKey: "d")
                try? items.encode(2)
                var single = items.superEncoder().singleValueContainer()
                try? single.encode([1])
            }
        }
        for _ in 0..<10 {
            #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try encoder.encode(value) }
            #expect(try NavWireDecoder().decode([Int].self, from: encoder.encode([1, 2])) == [1, 2])
        }
    }

    /// What was kept from an earlier value must not spoil the next one.
    @Test func aHandleOfAnEarlierValueDoesNotFailTheNext() throws {
        nonisolated(unsafe) var kept: [KeyedEncodingContainer<AnyKey>] = []
        nonisolated(unsafe) var lists: [any UnkeyedEncodingContainer] = []
        for round in 0..<20 {
            let value = Writes { encoder in
                var keyed = encoder.container(keyedBy: AnyKey.self)
                try keyed.encode(round, forKey: "round")
                for index in kept.indices { _ = kept[index].superEncoder() }
                for index in lists.indices { _ = lists[index].superEncoder() }
                try keyed.encode([1], forKey: "list")
                kept.append(keyed)
                lists.append(keyed.nestedUnkeyedContainer(forKey: "empty"))
            }
            struct Found: Decodable, Equatable {
                var round: Int
                var list: [Int]
                var empty: [Int]
            }
            let found = try NavWireDecoder().decode(Found.self, from: NavWireEncoder().encode(value))
            #expect(found == Found(round: round, list: [1], empty: []))
        }
    }

    /// Nothing of a value is asked when its container has ended, and nothing of the state is looked at.
    @Test func aSetForAContainerThatHasEndedIsNotTouched() throws {
        struct Member: Encodable, Hashable {
            let number: Int
            func encode(to encoder: any Encoder) throws { Issue.record("a member was asked") }
        }
        nonisolated(unsafe) var kept: [any UnkeyedEncodingContainer] = []
        _ = try NavWireEncoder().encode(Writes { kept.append($0.unkeyedContainer()) })
        #expect(throws: NavWireError(code: .notRepresentable, reason: "")) {
            try kept[0].encode(contentsOf: Set([Member(number: 1), Member(number: 2)]))
        }
    }
}
