// SPDX-License-Identifier: Apache-2.0

/// The outside of a zstd frame without its magic number, by RFC 8878: how long its header and its blocks say that it is.
///
/// zstd reads several frames in a row as one, and any window; the format has one frame, and a window that a reader can
/// afford that has to reserve it.
enum ZstdFrame {
    /// The largest window, 2^27 bytes, as frames have it: the exponent, less ten, in the upper five bits.
    private static let largestWindow: UInt8 = (27 - 10) << 3

    /// Why the bytes are not exactly one frame that may stand in an envelope and says, if it does, that it gives so many
    /// bytes; nil when they are. What is in the blocks is not looked at.
    static func fault(_ bytes: UnsafeRawBufferPointer, contentByteCount: Int) -> StaticString? {
        guard let descriptor = unsafe bytes.first else { return "no frame" }
        let isOneSegment = descriptor & 0x20 != 0
        if !isOneSegment, bytes.count > 1, unsafe bytes[1] > largestWindow { return "a window too large" }
        let sizeByteCount = [isOneSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
        var end = 1 + (isOneSegment ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)] + sizeByteCount
        guard bytes.count >= end else { return "a frame that is cut off" }
        // zstd takes the largest size of all for none.
        let size = unsafe bytes[end - sizeByteCount..<end].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if sizeByteCount > 0, size &+ (sizeByteCount == 2 ? 256 : 0) != UInt64(contentByteCount) {
            return "a wrong content size"
        }
        var isLast = false
        while !isLast {
            guard bytes.count - end >= 3 else { return "a frame that is cut off" }
            let header = unsafe Int(bytes[end]) | Int(bytes[end + 1]) << 8 | Int(bytes[end + 2]) << 16
            isLast = header & 1 == 1
            // A block of one repeated byte holds only that.
            end += 3 + (header >> 1 & 3 == 1 ? 1 : header >> 3)
        }
        if descriptor & 4 != 0 { end += 4 }
        return end == bytes.count ? nil : "not one whole frame"
    }
}
