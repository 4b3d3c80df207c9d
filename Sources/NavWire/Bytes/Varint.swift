// SPDX-License-Identifier: Apache-2.0

/// Unsigned integers of seven bits a byte, least significant first, in the fewest bytes.
enum Varint {
    @inline(__always)
    static func byteCount(_ value: UInt64) -> Int {
        value < 0x80 ? 1 : (70 - (value | 1).leadingZeroBitCount) / 7
    }

    /// Small magnitudes of either sign become small numbers.
    @inline(__always)
    static func zigZag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

    @inline(__always)
    static func zagZig(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
}

extension ByteBuffer {
    /// Overwrites the bytes at `offset`.
    mutating func setVarint(_ value: UInt64, at offset: Int) {
        var rest = value
        var offset = offset
        while rest >= 0x80 {
            setByte(UInt8(truncatingIfNeeded: rest) | 0x80, at: offset)
            rest >>= 7
            offset += 1
        }
        setByte(UInt8(truncatingIfNeeded: rest), at: offset)
    }
}
