// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

@Suite struct PayloadTests {
    /// Printed with each failure; change it to look elsewhere.
    static let seed: UInt64 = 0x5EED_0001

    @Test func anyTreeComesBack() throws {
        var random = RandomContent(seed: Self.seed)
        for round in 0..<3000 {
            let node = random.native()
            let value = try NativeValue(node)
            let back = try value.node()
            // Sets and dictionaries come back in order, so the second writing is compared, not the first tree.
            #expect(try NativeValue(back) == value, "seed \(Self.seed) round \(round): \(node)")
            #expect(try NativeValue(payload: value.payload) == value)
        }
    }

    @Test func everyTruncationIsRefused() throws {
        var random = RandomContent(seed: Self.seed)
        for round in 0..<200 {
            let payload = try NativeValue(random.native()).payload
            for count in 0..<payload.count {
                #expect(throws: NavWireError.self, "seed \(Self.seed) round \(round), \(count) bytes of \(payload)") {
                    try NativeValue(payload: Array(payload[..<count]))
                }
            }
        }
    }

    @Test func whateverIsAcceptedIsWrittenTheSameWay() throws {
        var random = RandomContent(seed: Self.seed)
        var accepted = 0
        for round in 0..<3000 {
            var payload = try NativeValue(random.native()).payload
            for _ in 0...random.below(3) {
                payload[random.below(payload.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let value = try? NativeValue(payload: payload) else { continue }
            accepted += 1
            let again = try NativeValue(try value.node()).payload
            #expect(again == payload, "seed \(Self.seed) round \(round)")
        }
        #expect(accepted > 100)
    }

    @Test func randomBytesNeverTrap() {
        var random = RandomContent(seed: Self.seed)
        for _ in 0..<200_000 {
            let bytes = (0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            guard let value = try? NativeValue(payload: [0] + bytes) else { continue }
            #expect(throws: Never.self) { try value.node() }
        }
    }
}
