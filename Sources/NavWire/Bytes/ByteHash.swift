// SPDX-License-Identifier: Apache-2.0

/// A quick hash for the string and shape tables, seeded anew in each process.
///
/// The seed keeps strangers from choosing strings that all fall into one slot. No hash ever shows in the bytes.
enum ByteHash {
    static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    @inline(__always)
    static func hash(_ bytes: UnsafeRawPointer, _ count: Int, seed: UInt64) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while count - offset > 16 {
            let a = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let b = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            hash = mix(a ^ 0xA076_1D64_78BD_642F ^ hash, b ^ seed)
            offset += 16
        }
        let (a, b) = unsafe tail(bytes + offset, count - offset)
        return mix(a ^ 0xE703_7ED1_A0B4_28DB ^ hash, b ^ 0x8EBC_6AF0_9C88_C6E3 ^ seed)
    }

    /// At most sixteen bytes as two words.
    @inline(__always)
    private static func tail(_ bytes: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
        if count >= 8 {
            return unsafe (
                bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return unsafe (
                UInt64(bytes.loadUnaligned(as: UInt32.self)),
                UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            )
        }
        guard count > 0 else { return (0, 0) }
        let first = unsafe UInt64(bytes.load(as: UInt8.self))
        let middle = unsafe UInt64(bytes.load(fromByteOffset: count >> 1, as: UInt8.self))
        let last = unsafe UInt64(bytes.load(fromByteOffset: count - 1, as: UInt8.self))
        return (first << 16 | middle << 8 | last, 0)
    }

    /// Whether two byte ranges are equal.
    @inline(__always)
    static func equal(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        if count > 16 {
            var offset = 0
            while count - offset >= 8 {
                let x = unsafe a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let y = unsafe b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if x != y { return false }
                offset += 8
            }
            if offset == count { return true }
            let x = unsafe a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            let y = unsafe b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            return x == y
        }
        return unsafe tail(a, count) == tail(b, count)
    }
}
