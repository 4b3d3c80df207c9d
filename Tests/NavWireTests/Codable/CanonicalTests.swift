// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Equal values have equal bytes, whatever order a process happens to keep its sets and dictionaries in.
@Suite struct CanonicalTests {
    /// Each has a hash seed of its own. CANONICAL_PROCESSES=1000 in the environment looks further.
    static var processCount: Int {
        ProcessInfo.processInfo.environment["CANONICAL_PROCESSES"].flatMap { Int($0) } ?? 40
    }

    struct Screen: Codable, Hashable {
        enum Kind: String, Codable, Hashable { case list, grid, map }
        struct Key: Codable, Hashable { var row: Int; var name: String }

        var tags: Set<String> = []
        var numbers: Set<Int> = []
        var doubles: Set<Double> = []
        var sets: Set<Set<Int>> = []
        var texts: [String: String] = [:]
        var counts: [String: Int] = [:]
        var byNumber: [Int: [String]] = [:]
        var byKind: [Kind: Set<Kind>] = [:]
        var byKey: [Key: Key] = [:]
        var byID: [UUID: Date] = [:]
        var nested: [String: [String: Set<Key>]] = [:]

        /// The same value whatever `order` is; it decides in which order and room the members are put.
        init(order: (inout [Int]) -> Void) {
            var indices = Array(0..<24)
            order(&indices)
            for index in indices {
                let name = "name\(index)é"
                tags.insert(name)
                numbers.insert(index * 1_000_003)
                doubles.insert(Double(index) / 7)
                sets.insert([index, index + 1, index * 2])
                texts[name] = "text \(index)"
                counts[name] = index
                byNumber[index - 12] = [name]
                byKey[Key(row: index, name: name)] = Key(row: -index, name: "")
                byID[Self.id(index)] = Date(timeIntervalSinceReferenceDate: Double(index) + 0.5)
                nested[name, default: [:]]["inner\(index)"] = [Key(row: 1, name: name), Key(row: index, name: "x")]
            }
            byKind = [.list: [.grid, .map, .list], .grid: [], .map: [.list, .map]]
        }

        private static func id(_ index: Int) -> UUID {
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: index)))
        }
    }

    static func digest(of value: Screen) throws -> String {
        let payload = try NativeValue(encoding: value).payload
        return unsafe String(payload.withUnsafeBytes { unsafe XXHash64.hash($0) }, radix: 16)
    }

    @Test func equalValuesHaveEqualBytesHoweverTheyWereMade() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let expected = try Self.digest(of: Screen { _ in })
        for round in 0..<60 {
            var value = Screen { $0.shuffle(using: &random) }
            // Another capacity is another order.
            value.texts.reserveCapacity(32 << (round % 6))
            value.tags.reserveCapacity(32 << (round % 5))
            value.byID.reserveCapacity(32 << (round % 4))
            value.byKey.reserveCapacity(32 << (round % 3))
            #expect(try Self.digest(of: value) == expected, "seed \(seed), round \(round)")
        }
    }

    @Test func equalValuesHaveEqualBytesInEveryProcess() async throws {
        let expected: String = try Self.digest(of: Screen { _ in })
        for _ in 0..<Self.processCount {
            await #expect(processExitsWith: .success) { [expected = expected as String] in
                let found = try CanonicalTests.digest(of: CanonicalTests.Screen { $0.shuffle() })
                guard found == expected else { exit(1) }
            }
        }
    }

    @Test func whateverPathIsAcceptedIsWrittenTheSameWay() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = RandomContent(seed: seed)
        var accepted = 0
        for round in 0..<4_000 {
            var payload = try PathEnvelope.verifiedPayload(
                of: PathEnvelope.encode(try random.path(), options: .init(compression: .none)))
            for _ in 0..<random.below(3) {
                let place = random.below(payload.count)
                switch random.below(4) {
                case 0: payload[place] ^= 1 << UInt8(random.below(8))
                case 1: payload[place] = UInt8(truncatingIfNeeded: random.next())
                case 2 where payload.count > 2: payload.remove(at: place)
                default: payload.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            guard let path = try? PathEnvelope.decode(RawEnvelope.stored(payload)) else { continue }
            accepted += 1
            let again = try PathEnvelope.verifiedPayload(
                of: PathEnvelope.encode(path, options: .init(compression: .none)))
            #expect(again == payload, "seed \(seed), round \(round)")
        }
        #expect(accepted > 1_000)
    }

    @Test func textsOfASetStandInTheOrderOfTheirBytes() throws {
        let long = String(repeating: "long text ", count: 9)
        let texts = ["", "a", "ab", "b", "é", "Z", "日本", "a\u{0}b", long, "longer"]
        let sorted = texts.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(try NativeValue(encoding: Set(texts)).node(limits: .default) == .set(sorted.map { .string($0) }))
        var limits = NavWireLimits.default
        limits.maximumDepth = 3
        #expect(throws: Never.self) { try NativeValue(encoding: [[Set(texts)]], limits: limits) }
        limits.maximumDepth = 2
        #expect(throws: NavWireError.self) { try NativeValue(encoding: [[Set(texts)]], limits: limits) }
    }
}
