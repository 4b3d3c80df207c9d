// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values that use an encoder in all ways, in all places: what comes out is what `JSONEncoder` has.
@Suite struct RandomProgramTests {
    @Test func whatProgramsWriteIsWhatJSONEncoderWrites() throws {
        let seed = UInt64.random(in: .min ... .max)
        for round in 0..<500 {
            let program = RandomProgram(seed: seed &+ UInt64(round))
            try expectJSONEncoders([program], "seed \(seed), round \(round)")
        }
    }

    @Test func aTypeThatWritesItselfHasTheBytesOfCodable() throws {
        let seed = UInt64.random(in: .min ... .max)
        let encoder = NavWireEncoder()
        for round in 0..<150 {
            let seeds = (seed &+ UInt64(2 * round), seed &+ UInt64(2 * round + 1))
            let value = DirectObject(
                program: RandomProgram(seed: seeds.0, swallowsErrors: true),
                next: RandomProgram(seed: seeds.1, swallowsErrors: true))
            let comment: Comment = "seed \(seed), round \(round)"
            let expected = try encoder.encode(NotDirect(value: value))
            #expect(try encoder.encode(direct: value) == expected, comment)
            #expect(try encoder.encode(value) == expected, comment)
            #expect(try encoder.encode(direct: DirectWhole(program: value)) == expected, comment)
            #expect(try encoder.encode(DirectWhole(program: DirectWhole(program: value))) == expected, comment)
            let items = try encoder.encode([NotDirect(value: value), NotDirect(value: value)])
            #expect(try encoder.encode([value, value]) == items, comment)
            #expect(try encoder.encode(direct: DirectItems(programs: [value, value])) == items, comment)
            #expect(try encoder.encode([DirectWhole(program: value), .init(program: value)]) == items, comment)
        }
    }

    @Test func tooDeepIsToldAsSuch() throws {
        let seed = UInt64.random(in: .min ... .max)
        var failed = 0
        for round in 0..<500 {
            let program = RandomProgram(seed: seed &+ UInt64(round))
            var limits = NavWireLimits.default
            limits.maximumDepth = 2 + round % 3
            let encoder = NavWireEncoder(options: .init(compression: .none, limits: limits))
            do {
                let bytes = try encoder.encode([program])
                #expect(throws: Never.self, "seed \(seed), round \(round)") {
                    try NavWireDecoder(limits: limits).decode(Reads<Void>.self, from: bytes) { _ in }
                }
            } catch let error as NavWireError {
                failed += 1
                #expect(error == .tooDeep(limit: limits.maximumDepth), "seed \(seed), round \(round)")
            }
        }
        #expect(failed > 50)
    }
}
