// SPDX-License-Identifier: Apache-2.0

/// The order of bytes: by the first that differ, a prefix first.
enum ByteOrder {
    /// Less than 0, 0 or more.
    static func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
        let shared = min(lhs.count, rhs.count)
        guard shared > 0, let a = lhs.baseAddress, let b = rhs.baseAddress else {
            return lhs.count == rhs.count ? 0 : (lhs.count < rhs.count ? -1 : 1)
        }
        var offset = 0
        while shared - offset >= 8 {
            let x = unsafe UInt64(bigEndian: a.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let y = unsafe UInt64(bigEndian: b.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if x != y { return x < y ? -1 : 1 }
            offset += 8
        }
        while offset < shared {
            let x = unsafe a.load(fromByteOffset: offset, as: UInt8.self)
            let y = unsafe b.load(fromByteOffset: offset, as: UInt8.self)
            if x != y { return x < y ? -1 : 1 }
            offset += 1
        }
        return lhs.count == rhs.count ? 0 : (lhs.count < rhs.count ? -1 : 1)
    }
}

/// The order of the bytes of texts, which is not that of `String`.
enum Utf8Order {
    @inline(__always)
    static func precedes(_ lhs: String, _ rhs: String) -> Bool {
        var (lhs, rhs) = (lhs, rhs)
        return lhs.withUTF8 { a in
            rhs.withUTF8 { b in
                let shared = min(a.count, b.count)
                var index = 0
                while index < shared {
                    if unsafe a[index] != b[index] { return unsafe a[index] < b[index] }
                    index += 1
                }
                return a.count < b.count
            }
        }
    }
}
