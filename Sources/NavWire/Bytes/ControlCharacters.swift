// SPDX-License-Identifier: Apache-2.0

/// Control characters of ASCII, which no tag has: U+0000 to U+001F, and U+007F.
enum ControlCharacters {
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether there is one among the bytes. Eight at a time: it is asked for every tag of a path.
    @inline(__always)
    static func isIn(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while bytes.count - offset >= 8 {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A byte below 0x20, or one that is 0 when it is turned over at 0x7F, borrows its highest bit.
            let deleted = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let delete = (deleted &- 0x0101_0101_0101_0101) & ~deleted
            if (low | delete) & 0x8080_8080_8080_8080 != 0 { return true }
            offset += 8
        }
        while offset < bytes.count {
            if isControl(unsafe bytes[offset]) { return true }
            offset += 1
        }
        return false
    }
}
