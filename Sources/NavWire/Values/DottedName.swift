// SPDX-License-Identifier: Apache-2.0

/// Which strings are written as two parts: names like `ShopApp.Route`, whose first part many tags of a path share.
enum DottedName {
    static let shortestPart = 2

    /// The place of the last dot, when the string is such a name: ASCII letters, digits, underscores and dots, the
    /// first part and the last one each of at least two bytes and with a capital letter at their start.
    @inline(__always)
    static func split(_ text: UnsafeRawPointer, _ byteCount: Int) -> Int? {
        guard byteCount > 2 * shortestPart, unsafe isCapital(text.load(as: UInt8.self)) else { return nil }
        var dot = -1
        for offset in 1..<byteCount {
            let byte = unsafe text.load(fromByteOffset: offset, as: UInt8.self)
            if byte == UInt8(ascii: ".") {
                dot = offset
            } else if !isNameByte(byte) {
                return nil
            }
        }
        guard dot >= shortestPart, byteCount - dot - 1 >= shortestPart,
            unsafe isCapital(text.load(fromByteOffset: dot + 1, as: UInt8.self))
        else { return nil }
        return dot
    }

    @inline(__always)
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    @inline(__always)
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }
}
