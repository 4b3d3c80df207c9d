// SPDX-License-Identifier: Apache-2.0

/// The text form of a node id: what people read aloud, paste and compare.
///
///     id   = group "-" group "-" group "-" group        each group is 7 symbols
///     data = the first 26 symbols: 128 bits, most significant first, then two zero bits
///     check = the last 2 symbols
///
/// Symbols are RFC 4648 base32 in lower case (no 0, 1, 8, 9, which are mistaken for letters). The 28 symbols are a
/// word of a code over GF(32) whose generator has the roots a and a²: any one or two wrong symbols and any swap of two
/// symbols are caught.
extension NodeID {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    private static let dataCount = 26
    private static let groupCount = 7

    /// The id as text, with its check symbols.
    package var text: String {
        var symbols = [UInt8]()
        for index in 0..<Self.dataCount { symbols.append(symbol(at: index)) }
        symbols += Self.check(symbols)
        var text = [UInt8]()
        for (index, symbol) in symbols.enumerated() {
            if index > 0, index.isMultiple(of: Self.groupCount) { text.append(UInt8(ascii: "-")) }
            text.append(Self.alphabet[Int(symbol)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first group: enough to tell a handful of nodes apart in a table, never to decide about trust.
    package var shortText: String { String(text.prefix(Self.groupCount)) }

    /// Reads `text`, in upper or lower case, with or without its hyphens.
    package init(text: String) throws(SyncError) {
        var symbols = [UInt8]()
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            guard symbols.count < Self.dataCount + 2, let value = Self.alphabet.firstIndex(of: lower) else {
                throw .invalidNodeID("a node id has 28 letters a-z and digits 2-7, in four groups")
            }
            symbols.append(UInt8(value))
        }
        guard symbols.count == Self.dataCount + 2 else {
            throw .invalidNodeID("a node id has \(symbols.count) letters and digits, 28 are needed")
        }
        guard Self.check(Array(symbols.prefix(Self.dataCount))) == Array(symbols.suffix(2)),
            symbols[Self.dataCount - 1] & 3 == 0
        else { throw .invalidNodeID("the check digits of a node id do not match: it was mistyped") }
        self.init(symbols: symbols)
    }

    /// The id in 16 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Bits `5 * index` and on of the 128, filled with zeros at the end.
    private func symbol(at index: Int) -> UInt8 {
        let start = 5 * index
        var value: UInt8 = 0
        for bit in start..<(start + 5) {
            let word = bit < 64 ? high : low
            value = value << 1 | (bit < 128 ? UInt8(truncatingIfNeeded: word >> UInt64(63 - bit % 64) & 1) : 0)
        }
        return value
    }

    private init(symbols: [UInt8]) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for bit in 0..<128 {
            let value = UInt64(symbols[bit / 5] >> UInt8(4 - bit % 5) & 1)
            if bit < 64 { words.high = words.high << 1 | value } else { words.low = words.low << 1 | value }
        }
        self.init(high: words.high, low: words.low)
    }

    /// The two check symbols: the remainder of the data polynomial times x² modulo (x + a)(x + a²).
    private static func check(_ data: [UInt8]) -> [UInt8] {
        // a = 2, a² = 4: the generator is x² + 6x + 8.
        var remainder: (UInt8, UInt8) = (0, 0)
        for symbol in data {
            let factor = symbol ^ remainder.0
            remainder = (remainder.1 ^ multiply(factor, 6), multiply(factor, 8))
        }
        return [remainder.0, remainder.1]
    }

    /// The product in GF(32) modulo x⁵ + x² + 1.
    private static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        var shifted = left
        for bit in 0..<5 {
            if right >> UInt8(bit) & 1 == 1 { product ^= shifted }
            shifted = shifted & 16 == 0 ? shifted << 1 : (shifted << 1 & 31) ^ 5
        }
        return product
    }
}

extension NodeID: CustomStringConvertible {
    package var description: String { text }
}
