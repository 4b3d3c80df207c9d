// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Nesting is limited to the same depth in both directions, and that depth fits the smallest stacks.
@Suite struct DepthTests {
    /// Arrays inside each other.
    struct Nest: Codable, Hashable {
        var items: [Nest]
        init(depth: Int) { items = depth > 1 ? [Nest(depth: depth - 1)] : [] }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            items = []
            while !container.isAtEnd { items.append(try container.decode(Nest.self)) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        }
    }

    /// Objects and arrays by turns, as the compiler writes them.
    struct Tree: Codable, Hashable {
        var children: [Tree]
        init(depth: Int) { children = depth > 1 ? [Tree(depth: depth - 1)] : [] }
    }

    @Test func theLimitIsTheSameInBothDirections() throws {
        #expect(try roundTrip(Nest(depth: 64)) == Nest(depth: 64))
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(Nest(depth: 65)) }
        var deeper = NavWireLimits.default
        deeper.maximumDepth = 65
        let bytes = try NavWireEncoder(options: .init(compression: .none, limits: deeper)).encode(Nest(depth: 65))
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try NavWireDecoder().decode(Nest.self, from: bytes)
        }
        #expect(try NavWireDecoder(limits: deeper).decode(Nest.self, from: bytes) == Nest(depth: 65))
    }

    @Test func theDeepestValueFitsASmallStack() async throws {
        try await SmallStack.run {
            #expect(try roundTrip(Nest(depth: 64)) == Nest(depth: 64))
            #expect(try roundTrip(Tree(depth: 32)) == Tree(depth: 32))
            let value = try NativeValue(encoding: Nest(depth: 64))
            #expect(try NativeValue(value.node()) == value)
            let json = JSONWriter.bytes(of: try value.node().jsonValue())
            #expect(json.count == 128)
            let element = PathElement(tag: "Shop.Nest", value: .native(value))
            let envelope = try PathEnvelope.encode([element])
            #expect(try PathEnvelope.decode(envelope) == [element])
            #expect(EnvelopeInspection.inspect(envelope).fault == nil)
        }
        let back = try await Task.detached { try roundTrip(Nest(depth: 64)) }.value
        #expect(back == Nest(depth: 64))
    }

    @Test func whatIsSkippedIsNoDeeper() async throws {
        struct Known: Codable, Hashable { var known: Int }
        struct Both: Codable { var known: Int; var unknown: Nest }
        try await SmallStack.run {
            let bytes = try NavWireEncoder().encode(Both(known: 1, unknown: Nest(depth: 63)))
            #expect(try NavWireDecoder().decode(Known.self, from: bytes) == Known(known: 1))
            var deeper = NavWireLimits.default
            deeper.maximumDepth = 100
            let options = NavWireOptions(compression: .none, limits: deeper)
            let deep = try NavWireEncoder(options: options).encode(Both(known: 1, unknown: Nest(depth: 64)))
            #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
                try NavWireDecoder().decode(Known.self, from: deep)
            }
        }
    }

    @Test func aHundredThousandLevelsAreRefusedOnASmallStack() async throws {
        try await SmallStack.run {
            let heads: [[UInt8]] = [
                [0xD1], [0xFE, 0x09, 0x01], [0xFD, 0x01, 0x40], [0xFE, 0x08, 0x01, 0x00], [0x60],
            ]
            for head in heads {
                let shapes: [UInt8] = head == [0x60] ? [1, 1, 0] : [0]
                let nested = repeatElement(head, count: 100_000).joined() + [0xE0]
                #expect(throws: NavWireError(code: .tooDeep, reason: ""), "\(head)") {
                    try NativeValue(payload: [0, 0] + shapes + nested)
                }
                #expect(throws: NavWireError(code: .tooDeep, reason: ""), "\(head)") {
                    try PathEnvelope.decode(RawEnvelope.stored([1, 0] + shapes + [1, 0x40] + nested))
                }
                let isTold = EnvelopeInspection.inspect(RawEnvelope.stored([0, 0] + shapes + nested)).fault != nil
                #expect(isTold)
            }
        }
    }

    /// Sets inside each other.
    struct Ring: Codable, Hashable {
        var members: Set<Ring>
        init(depth: Int) { members = depth > 1 ? [Ring(depth: depth - 1)] : [] }
        init(from decoder: any Decoder) throws { members = try decoder.singleValueContainer().decode(Set<Ring>.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(members)
        }
    }

    /// Dictionaries inside each other whose keys are no coding keys: values by turns with keys.
    struct Chain: Codable, Hashable {
        struct Key: Codable, Hashable { var x: Int }
        var links: [Key: Chain]
        init(depth: Int) { links = depth > 1 ? [Key(x: 1): Chain(depth: depth - 1)] : [:] }
        init(from decoder: any Decoder) throws {
            links = try decoder.singleValueContainer().decode([Key: Chain].self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(links)
        }
    }

    @Test func setsAndDictionariesCountAsEverythingElse() async throws {
        let bytes = (
            ring: try NavWireEncoder().encode(Ring(depth: 64)), chain: try NavWireEncoder().encode(Chain(depth: 64))
        )
        try await SmallStack.run { () throws -> Void in
            #expect(try NavWireDecoder().decode(Ring.self, from: bytes.ring) == Ring(depth: 64))
            #expect(try NavWireDecoder().decode(Chain.self, from: bytes.chain) == Chain(depth: 64))
        }
        for depth in [65, 66, 90, 400] {
            for value in [Ring(depth: depth), Chain(depth: depth)] as [any Encodable] {
                let error = #expect(throws: NavWireError.self, "\(depth)") { try NavWireEncoder().encode(value) }
                #expect(error?.code == .tooDeep)
                #expect(error?.reason == "values nest deeper than 64 levels")
            }
        }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try NavWireEncoder().encode([[Set([Ring(depth: 62)])]])
        }
        #expect(try roundTrip([[Set([Ring(depth: 61)])]]) == [[Set([Ring(depth: 61)])]])
    }

    @Test func aSetThatIsFarTooDeepIsRefusedAtTheLimitAndNotFollowed() throws {
        struct Counted: Encodable, Hashable {
            nonisolated(unsafe) static var calls = 0
            var depth: Int
            func encode(to encoder: any Encoder) throws {
                Self.calls += 1
                var container = encoder.singleValueContainer()
                try container.encode(Set([Counted(depth: depth + 1)]))
            }
        }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(Counted(depth: 0)) }
        #expect(Counted.calls <= 66)
    }

    @Test func aValueThatIsFarTooDeepIsRefusedAndNotFollowed() throws {
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(Nest(depth: 500)) }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(Tree(depth: 300)) }
    }
}
