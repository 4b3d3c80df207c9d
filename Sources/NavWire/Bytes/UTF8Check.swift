// SPDX-License-Identifier: Apache-2.0

/// Whether bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    @inline(__always)
    static func isValid(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = 0
        while count - offset >= 8 {
            if unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                return unsafe isValidSlowly(start, count, from: offset)
            }
            offset += 8
        }
        while offset < count {
            if unsafe start.load(fromByteOffset: offset, as: UInt8.self) >= 0x80 {
                return unsafe isValidSlowly(start, count, from: offset)
            }
            offset += 1
        }
        return true
    }

    /// The string of bytes that have been found well-formed, which are not looked at again.
    @inline(__always)
    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
        return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII(bytes)))
    }

    /// Whether all bytes are ASCII. Of few bytes it is not asked: a small string finds out by itself.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 15, let start = bytes.baseAddress else { return false }
        var seen = unsafe start.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        var offset = 0
        while bytes.count - offset > 8 {
            unsafe seen |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    @inline(never)
    private static func isValidSlowly(_ start: UnsafeRawPointer, _ count: Int, from first: Int) -> Bool {
        var offset = first
        while offset < count {
            if count - offset >= 8,
                unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                offset += 8
                continue
            }
            let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
            if byte < 0x80 {
                offset += 1
                continue
            }
            guard let (length, second) = sequence(byte), count - offset >= length,
                unsafe second.contains(start.load(fromByteOffset: offset + 1, as: UInt8.self))
            else { return false }
            for place in 2..<max(2, length)
            where unsafe start.load(fromByteOffset: offset + place, as: UInt8.self) >> 6 != 2 {
                return false
            }
            offset += length
        }
        return true
    }

    /// The length of a sequence and what its second byte may be, from its first.
    private static func sequence(_ first: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
