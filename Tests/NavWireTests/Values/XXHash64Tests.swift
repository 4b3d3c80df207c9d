// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// The sanity checks of the reference implementation (xxhsum), over its own buffer.
@Suite struct XXHash64Tests {
    private static let prime: UInt64 = 2_654_435_761

    private static let buffer: [UInt8] = {
        var generator = UInt32(prime)
        return (0..<101).map { _ in
            defer { generator = generator &* generator }
            return UInt8(generator >> 24)
        }
    }()

    @Test(
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999), (0, prime, 0xAC75_FDA2_929B_17EF),
            (1, 0, 0x4FCE_394C_C889_52D8), (1, prime, 0x7398_40CB_819F_A723),
            (14, 0, 0xCFFA_8DB8_81BC_3A3D), (14, prime, 0x5B96_1158_5EFC_C9CB),
            (101, 0, 0x0EAB_5433_84F8_78AD), (101, prime, 0xCAA6_5939_306F_1E21),
        ] as [(Int, UInt64, UInt64)])
    func givesTheHashesOfTheReference(count: Int, seed: UInt64, hash: UInt64) {
        let found = unsafe Self.buffer[..<count].withUnsafeBytes { unsafe XXHash64.hash($0, seed: seed) }
        #expect(found == hash)
    }
}
