// SPDX-License-Identifier: Apache-2.0

extension JSONNumber {
    /// The digits as an integer, or nil when they need more than 128 bits.
    var significand: UInt128? {
        var value: UInt128 = 0
        for digit in digits.utf8 {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(UInt128(digit &- 0x30))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// The magnitude of a whole number, or nil when it is not whole or needs more than 128 bits.
    var magnitude: UInt128? {
        guard exponent >= 0, var value = significand else { return nil }
        for _ in 0..<exponent {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = shifted
        }
        return value
    }

    /// `±significand × 10^exponent`, brought into normal form; nil when the exponent is out of range.
    init?(isNegative: Bool, significand: UInt128, exponent: Int) {
        self.init(isNegative: isNegative, digits: String(significand), exponent: exponent)
    }
}
