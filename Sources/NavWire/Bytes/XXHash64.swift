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
        guard var next = bytes.baseAddress else { return avalanche(seed &+ prime5) }
        var rest = bytes.count
        var hash = seed &+ prime5
        if rest >= 32 {
            var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            repeat {
                lanes.0 = unsafe round(lanes.0, word(next))
                lanes.1 = unsafe round(lanes.1, word(next + 8))
                lanes.2 = unsafe round(lanes.2, word(next + 16))
                lanes.3 = unsafe round(lanes.3, word(next + 24))
                unsafe next += 32
                rest &-= 32
            } while rest >= 32
            hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
            hash = merge(merge(merge(merge(hash, lanes.0), lanes.1), lanes.2), lanes.3)
        }
        return unsafe finish(hash &+ UInt64(truncatingIfNeeded: bytes.count), next, rest)
    }

    /// Takes in what is left, fewer than 32 bytes.
    @inline(__always)
    private static func finish(_ start: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int) -> UInt64 {
        var hash = start
        var next = unsafe bytes
        for _ in 0..<(byteCount >> 3) {
            hash = unsafe rotate(hash ^ round(0, word(next)), 27) &* prime1 &+ prime4
            unsafe next += 8
        }
        if byteCount & 4 != 0 {
            let value = unsafe UInt64(UInt32(littleEndian: next.loadUnaligned(as: UInt32.self)))
            hash = rotate(hash ^ value &* prime1, 23) &* prime2 &+ prime3
            unsafe next += 4
        }
        for _ in 0..<(byteCount & 3) {
            hash = unsafe rotate(hash ^ UInt64(next.load(as: UInt8.self)) &* prime5, 11) &* prime1
            unsafe next += 1
        }
        return avalanche(hash)
    }

    @inline(__always)
    private static func avalanche(_ start: UInt64) -> UInt64 {
        var hash = (start ^ start >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 { (hash ^ round(0, lane)) &* prime1 &+ prime4 }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawPointer) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }

    @inline(__always)
    private static func round(_ lane: UInt64, _ value: UInt64) -> UInt64 {
        rotate(lane &+ value &* prime2, 31) &* prime1
    }
}
