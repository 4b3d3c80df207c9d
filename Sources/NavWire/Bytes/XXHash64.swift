// SPDX-License-Identifier: Apache-2.0

/// XXH64, the 64-bit hash of the xxHash family: tells damaged bytes from good ones, keeps no secret. The checksum of an
/// envelope is the low half of it with seed 0; the store's rows have one with seeds of their own.
///
/// Source: Yann Collet, "xxHash fast digest algorithm", version 0.1.1, the specification of XXH64.
package enum XXHash64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var offset = 0
        var hash: UInt64
        if bytes.count >= 32 {
            var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            while bytes.count - offset >= 32 {
                lanes.0 = unsafe round(lanes.0, word(bytes, offset))
                lanes.1 = unsafe round(lanes.1, word(bytes, offset + 8))
                lanes.2 = unsafe round(lanes.2, word(bytes, offset + 16))
                lanes.3 = unsafe round(lanes.3, word(bytes, offset + 24))
                offset += 32
            }
            hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            hash = seed &+ prime5
        }
        hash = hash &+ UInt64(bytes.count)
        return unsafe finish(hash, bytes, offset)
    }

    private static func finish(_ start: UInt64, _ bytes: UnsafeRawBufferPointer, _ from: Int) -> UInt64 {
        var hash = start
        var offset = from
        while bytes.count - offset >= 8 {
            hash = unsafe rotate(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if bytes.count - offset >= 4 {
            let value = unsafe UInt64(
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = rotate(hash ^ value &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            hash = unsafe rotate(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }

    @inline(__always)
    private static func round(_ lane: UInt64, _ value: UInt64) -> UInt64 {
        rotate(lane &+ value &* prime2, 31) &* prime1
    }
}
