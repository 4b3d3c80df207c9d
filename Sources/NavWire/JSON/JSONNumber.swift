// SPDX-License-Identifier: Apache-2.0

/// A number imported from JSON: an exact decimal, `±digits × 10^exponent`.
///
/// Each value has one form, so `1`, `1.0` and `1e0` are equal. `-0` is a value of its own, since decoding it as a
/// `Double` keeps the sign.
public struct JSONNumber: Hashable, Sendable {
    public let isNegative: Bool
    /// The significant digits, without leading and trailing zeros; `0` for zero.
    public let digits: String
    /// The power of ten that `digits` are multiplied with; 0 for zero.
    public let exponent: Int

    /// Exponents beyond this, in either direction, are refused: no Swift number reaches them.
    public static let maximumExponent = 1_000_000

    /// A number from its parts, brought into the one form of its value.
    ///
    /// Nil when `digits` is empty or has anything but ASCII digits, or when the exponent is out of bounds.
    public init?(isNegative: Bool, digits: some StringProtocol, exponent: Int) {
        self.init(isNegative: isNegative, digits: Array(digits.utf8), exponent: exponent)
    }

    package init?(isNegative: Bool, digits: [UInt8], exponent: Int) {
        guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        self.isNegative = isNegative
        let zero = UInt8(ascii: "0")
        guard let first = digits.firstIndex(where: { $0 != zero }), let last = digits.lastIndex(where: { $0 != zero })
        else {
            self.digits = "0"
            self.exponent = 0
            return
        }
        let (shifted, overflow) = exponent.addingReportingOverflow(digits.count - 1 - last)
        guard !overflow, shifted.magnitude <= Self.maximumExponent else { return nil }
        self.digits = String(decoding: digits[first...last], as: UTF8.self)
        self.exponent = shifted
    }

    public init(_ value: some BinaryInteger) {
        var digits = Array(String(value).utf8)
        isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        let significant = digits.lastIndex { $0 != UInt8(ascii: "0") }
        guard let significant else {
            self.digits = "0"
            exponent = 0
            return
        }
        exponent = digits.count - 1 - significant
        self.digits = String(decoding: digits[...significant], as: UTF8.self)
    }

    /// Whether the value is zero, of either sign.
    public var isZero: Bool { digits == "0" }

    /// One digit, the others behind a point, and a power of ten: `1.5e+42`.
    ///
    /// Foundation reads a `Decimal` whose last digit stands for at most 10^127, so `1e128` has a zero more, as long as a
    /// `Decimal` can have it.
    var scientificText: String {
        let zeros = Self.powersOfLongDecimals ~= exponent ? exponent - Self.powersOfLongDecimals.lowerBound + 1 : 0
        let fraction = digits.dropFirst() + String(repeating: "0", count: zeros)
        let power = exponent + digits.utf8.count - 1
        return (isNegative ? "-" : "") + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction)
            + (power < 0 ? "e" : "e+") + String(power)
    }

    /// The exponents of decimals that have zeros at their end: 38 zeros fit into 128 bits.
    private static let powersOfLongDecimals = 128...165
}
