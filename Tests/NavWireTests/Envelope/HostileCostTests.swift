// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Documents that are small but made to cost much. Each took many seconds, or took memory for ever, at one time.
@Suite struct HostileCostTests {
    struct Tree: Codable { var c: [Tree] }

    /// Payload of a tree whose root has `count` chains of `depth` below it.
    private static func trees(_ count: Int, depth: Int) -> [UInt8] {
        let chain = [UInt8]((0..<depth - 1).map { _ in [0x60, 0xD1] }.joined()) + [0x60, 0xD0]
        let chains = [UInt8](repeatElement(chain, count: count).joined())
        return [0, 0, 1, 1, 1, 1, 0x63, 0x60, 0xDC] + RawEnvelope.varint(UInt64(count - 12)) + chains
    }

    @Test func typesInsideThemselvesDoNotMakeContainersForEver() async {
        await #expect(processExitsWith: .success) {
            let envelope = RawEnvelope.stored(HostileCostTests.trees(1_000, depth: 30))
            func use() throws {
                let tree = try NavWireDecoder().decode(Tree.self, from: envelope)
                _ = try NavWireEncoder().encode(tree)
            }
            for _ in 0..<2 { try use() }
            let before = Memory.peakByteCount
            let start = ContinuousClock.now
            for _ in 0..<4 { try use() }
            guard Memory.peakByteCount - before < 8 << 20 else { exit(2) }
            guard before > 0 else { exit(4) }
            guard ContinuousClock.now - start < .seconds(60) else { exit(3) }
        }
    }

    /// What is in a set must not be gone through once for every set around it.
    @Test(.timeLimit(.minutes(1))) func setsInsideSetsAreReadOnce() throws {
        let text = [UInt8](repeating: 0x61, count: 64)
        let sets = [UInt8]((0..<63).map { _ in [0xFE, 9, 2, 0xE0] }.joined())
        let count = 250_000
        let array = [0xDC] + RawEnvelope.varint(UInt64(count - 12)) + [0xF8, 32, 0xFA, 0]
        let payload = [0, 64] + text + [0] + sets + array + [UInt8](repeating: 0xA0, count: count - 2)
        let start = ContinuousClock.now
        #expect(try PathEnvelope.anyPayload(of: RawEnvelope.stored(payload)) == payload)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test(.timeLimit(.minutes(1))) func anObjectOfManyKeysIsWrittenInOneGo() throws {
        let members = (0..<100_000).map { JSONObject.Member(key: "key\($0)", value: .null) }
        let path = [PathElement(tag: "T", value: .json(.object(JSONObject(members))))]
        let start = ContinuousClock.now
        // Its keys need not be compressed for this.
        var options = NavWireOptions(compression: .none)
        options.limits.maximumPayloadByteCount = 2 << 20
        #expect(try PathEnvelope.decode(PathEnvelope.encode(path, options: options), limits: options.limits) == path)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    /// Reads the lists of two keys by turns, and goes on after each error.
    struct ByTurns: Decodable {
        var errorCount = 0
        var longest = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            var lists = try container.allKeys.map { try container.nestedUnkeyedContainer(forKey: $0) }
            for _ in 0..<(lists.first?.count ?? 0) {
                for index in lists.indices {
                    do {
                        _ = try lists[index].decode(Bool.self)
                    } catch DecodingError.typeMismatch(_, let context) {
                        errorCount += 1
                        longest = max(longest, context.codingPath.first?.stringValue.utf8.count ?? 0)
                        _ = try lists[index].decode(Int.self)
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func errorsBelowLongKeysCostNoMoreThanOthers() throws {
        let keys = ["a", "b"].map { String(repeating: $0, count: 400_000) }
        let lists = Dictionary(uniqueKeysWithValues: keys.map { ($0, Array(repeating: 7, count: 20_000)) })
        let envelope = try NavWireEncoder().encode(lists)
        let start = ContinuousClock.now
        let read = try NavWireDecoder().decode(ByTurns.self, from: envelope)
        #expect(read.errorCount == 40_000 && read.longest == 400_000)
        // Made anew for each error the keys would be 16 GB.
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    /// Each shape is used, and each of its keys has a value then, so there is no need to wait for the values.
    @Test(arguments: [1, 64, 65]) func keysOfShapesCountAsValuesAtOnce(_ keyCount: Int) throws {
        var limits = NavWireLimits.default
        let shape = [UInt8(keyCount)] + (0..<keyCount).map { UInt8($0 * 2) }
        let many: [UInt8] = [0, 0, 120] + Array(repeating: 0, count: 200)
        limits.maximumValueCount = 100
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NativeValue(payload: many, limits: limits) }
        limits.maximumValueCount = keyCount - 1
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NativeValue(payload: [0, 0, 1] + shape, limits: limits)
        }
    }

    /// A million times one key is a few bytes when they are compressed.
    @Test(arguments: [100, 1_000, 200_000, 1 << 18, 1 << 18 + 1, 1 << 20 - 10])
    func aShapeOfOneKeyFillsNoTable(count: Int) {
        var scanner = PayloadScanner()
        defer { scanner.free() }
        for (start, keyCount) in [([UInt8]([0, 0, 1]), count), ([0, 0, 2, 2, 0, 2], count + 2)] {
            let payload = start + RawEnvelope.varint(UInt64(count)) + [UInt8](repeating: 0, count: count)
            let error = #expect(throws: NavWireError.self) {
                try payload.withBytes { bytes throws(NavWireError) in
                    unsafe try scanner.scan(bytes, limits: .default)
                }
            }
            #expect(error?.code == (keyCount > 1 << 18 ? .tooLarge : .malformed))
            #expect(scanner.shapes.count < 8)
            #expect(scanner.shapeKeys.capacity == 256)
        }
    }

    struct Skipping: Decodable {
        var failures = 0
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { if (try? container.decode(String.self)) == nil { failures += 1 } }
        }
    }

    /// An error says where it happened; many in one array must not each count from the start of it.
    @Test(.timeLimit(.minutes(1))) func manyErrorsInOneArrayAreToldQuickly() throws {
        let count = 50_000
        let array = [0xDC] + RawEnvelope.varint(UInt64(count - 12)) + (0..<count).map { $0 & 1 == 0 ? 1 : 0xE0 }
        let key = [UInt8](repeating: 0x6B, count: 500_000)
        let shape = [1, 1, 1] + RawEnvelope.varint(UInt64(key.count)) + key
        let start = ContinuousClock.now
        let read = try NavWireDecoder()
            .decode([String: Skipping].self, from: RawEnvelope.stored([0, 0] + shape + [0x60] + array))
        #expect(read.values.allSatisfy { $0.failures >= count })
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    /// What many members of a set have left must not be gone through again for each further one.
    @Test(.timeLimit(.minutes(1))) func whatHasNoOrderIsMergedOnce() throws {
        let count = 20_000
        let arrays = (0..<count).map { NativeNode.array([.map([.init(key: "\($0)", value: .set([]))])]) }
        let pairs = (0..<count)
            .map { NativeNode.pairs([.integer(isNegative: false, magnitude: UInt128($0)), .null]) }
        let value = try PathValue.native(NativeValue(.set(arrays + pairs)))
        let start = ContinuousClock.now
        #expect(!value.isEquivalent(to: .json(.array([]))))
        // It took minutes.
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
