// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values that break limits, fail, misuse the direct path and write to containers around them, at any place, and swallow
/// what they are told: an encoder says what was wrong, or gives bytes that can be read.
@Suite struct FaultyProgramTests {
    @Test func whateverProgramsSwallowTheEncoderIsHonest() throws {
        let seed = UInt64.random(in: .min ... .max)
        let rounds = 500
        var (given, refused) = (0, 0)
        for round in 0..<rounds {
            let comment: Comment = "seed \(seed), round \(round)"
            var limits = NavWireLimits.default
            limits.maximumDepth = [6, 12, 64][round % 3]
            if round % 5 == 0 { (limits.maximumPayloadByteCount, limits.maximumValueCount) = (4096, 512) }
            let encoder = NavWireEncoder(options: .init(compression: .none, limits: limits))
            let program = FaultyProgram(seed: seed &+ UInt64(round), kept: Kept())
            for value in [program, ["a": program, "b": program], DirectItems(programs: [program, program])]
                as [any Encodable]
            {
                do {
                    let bytes = try encoder.encode(value)
                    given += 1
                    #expect(throws: Never.self, comment) { try Self.check(bytes, limits) }
                } catch let error as NavWireError {
                    refused += 1
                    #expect([.tooDeep, .tooLarge, .notRepresentable].contains(error.code), "\(error), \(comment)")
                } catch {
                    refused += 1
                    #expect(error is FaultyProgram.Failure || error is EncodingError, "\(error), \(comment)")
                }
            }
            #expect(try roundTrip(["Shop.Product", "x"]) == ["Shop.Product", "x"], comment)
            #expect(try roundTrip(["a": [Pair(x: 1, y: 2)]]) == ["a": [Pair(x: 1, y: 2)]], comment)
        }
        #expect(given > rounds / 4)
        #expect(refused > rounds / 4)
    }

    private static func check(_ bytes: [UInt8], _ limits: NavWireLimits) throws {
        _ = try NavWireDecoder(limits: limits).decode(Reads<Void>.self, from: bytes) { _ in }
    }
}

/// Handles that a program kept for those inside it, and for those after it.
private final class Kept {
    var keyed: [KeyedEncodingContainer<AnyKey>] = []
    var unkeyed: [any UnkeyedEncodingContainer] = []
}

private struct FaultyProgram: Encodable, Hashable, NavWireEncodable {
    let seed: UInt64
    var depth = 0
    let kept: Kept

    struct Failure: Error {}

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.seed == rhs.seed }
    func hash(into hasher: inout Hasher) { hasher.combine(seed) }

    private func next(_ random: inout RandomContent) -> Self {
        Self(seed: random.next(), depth: depth + 1, kept: kept)
    }

    func encode(to encoder: any Encoder) throws {
        var random = RandomContent(seed: seed)
        if random.below(2) == 0 {
            var container = encoder.unkeyedContainer()
            if random.below(3) == 0 { kept.unkeyed.append(container) }
            for _ in 0..<random.below(5) {
                try swallow(&random) { random in try write(step(&random), &container) }
                if random.below(6) == 0 { kept.unkeyed.append(container.nestedUnkeyedContainer()) }
            }
        } else {
            var container = encoder.container(keyedBy: AnyKey.self)
            if random.below(3) == 0 { kept.keyed.append(container) }
            for _ in 0..<random.below(5) {
                let key: AnyKey = random.pick(["a", "b", "title"])
                try swallow(&random) { random in try write(step(&random), &container, key) }
                if random.below(6) == 0 {
                    kept.keyed.append(container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
                }
            }
        }
        try stray(&random)
        if random.below(8) == 0 { throw Failure() }
    }

    func write(to writer: inout NavWireWriter) throws {
        var random = RandomContent(seed: seed)
        switch random.below(6) {
        case 0:
            writer.write(1)
            if random.below(2) == 0 { writer.write(2) }
        case 1: try writer.write(encodable: step(&random))
        default:
            try writer.array(0..<random.below(4)) { writer, number in
                try stray(&random)
                if number == 2, random.below(3) == 0 { writer.write(5) }
                try swallow(&random) { try writer.write(encodable: step(&$0)) }
            }
        }
        if random.below(8) == 0 { throw Failure() }
    }

    private func swallow(_ random: inout RandomContent, _ body: (inout RandomContent) throws -> Void) throws {
        do {
            try body(&random)
        } catch {
            if random.below(3) == 0 { throw error }
        }
    }

    private func write<Value: Encodable>(_ value: Value, _ container: inout any UnkeyedEncodingContainer) throws {
        try container.encode(value)
    }

    private func write<Value: Encodable>(
        _ value: Value, _ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey
    ) throws {
        try container.encode(value, forKey: key)
    }

    /// Writes to a container that may be around, or may have ended.
    private func stray(_ random: inout RandomContent) throws {
        guard random.below(6) == 0 else { return }
        if !kept.keyed.isEmpty, random.below(2) == 0 {
            let place = random.below(kept.keyed.count)
            try? kept.keyed[place].encode(["x": 1], forKey: "stray")
            _ = kept.keyed[place].codingPath
        } else if !kept.unkeyed.isEmpty {
            let place = random.below(kept.unkeyed.count)
            if kept.unkeyed[place].count < 5 { try? kept.unkeyed[place].encode("stray") }
        }
    }

    private func step(_ random: inout RandomContent) -> any Encodable {
        if depth > 4 { return random.below(100) }
        let child = next(&random)
        return switch random.below(16) {
        case 0: ["k": child, "l": next(&random)]
        case 1: Set([NotHashed(child), NotHashed(next(&random))])
        case 2: [child: "value", next(&random): "other"]
        case 3: Deeper(levels: [3, 10, 70][random.below(3)])
        case 4: Data(count: [10, 5000][random.below(2)])
        case 5: [Int](repeating: .max, count: [3, 700][random.below(2)])
        case 6: Headers(values: ["h": child])
        case 7: DirectWhole(program: child)
        case 8: DirectObject(program: child, next: NotDirect(value: next(&random)))
        case 9: DirectItems(programs: [NotDirect(value: child), NotDirect(value: next(&random))])
        case 10: Optional(Optional(child))
        case 11: NotDirect(value: ["m": NotDirect(value: child)])
        case 12: "text"
        default: NotDirect(value: child)
        }
    }
}

/// By way of `Codable` as a member of sets.
private struct NotHashed: Encodable, Hashable {
    let program: FaultyProgram
    init(_ program: FaultyProgram) { self.program = program }
    func encode(to encoder: any Encoder) throws { try program.encode(to: encoder) }
}

private struct Deeper: Encodable {
    let levels: Int

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if levels > 0 { try container.encode(Deeper(levels: levels - 1)) }
    }
}
