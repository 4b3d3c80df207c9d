// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    @inline(__always)
    mutating func writeNull() { structure.append(Head.null) }

    @inline(__always)
    mutating func write(_ value: Bool) { structure.append(value ? Head.yes : Head.no) }

    /// An integer of any width that fits.
    @inline(__always)
    mutating func write(_ value: Int64) {
        if value >= 0 {
            write(UInt64(truncatingIfNeeded: value))
        } else {
            writeNegative(UInt64(bitPattern: ~value))
        }
    }

    @inline(__always)
    mutating func write(_ value: UInt64) {
        if value < Head.inlineIntegers {
            structure.append(UInt8(truncatingIfNeeded: value))
        } else {
            writeLong(value)
        }
    }

    private mutating func writeLong(_ value: UInt64) {
        typealias Start = Head.IntegerStart
        if value < Start.two {
            structure.append(Head.integer1, value - Start.one, byteCount: 1)
        } else if value < Start.three {
            structure.append(Head.integer2, value - Start.two, byteCount: 2)
        } else if value < Start.four {
            structure.append(Head.integer3, value - Start.three, byteCount: 3)
        } else if value < Start.six {
            structure.append(Head.integer4, value - Start.four, byteCount: 4)
        } else if value < Start.eight {
            structure.append(Head.integer6, value - Start.six, byteCount: 6)
        } else {
            structure.append(Head.integer8, value, byteCount: 8)
        }
    }

    /// Writes `-1 - magnitude`.
    mutating func writeNegative(_ magnitude: UInt64) {
        if magnitude < Head.IntegerStart.negativeFour {
            structure.append(Head.negative1, magnitude, byteCount: 1)
        } else if magnitude < Head.IntegerStart.negativeEight {
            structure.append(Head.negative4, magnitude - Head.IntegerStart.negativeFour, byteCount: 4)
        } else {
            structure.append(Head.negative8, magnitude, byteCount: 8)
        }
    }

    /// Writes `magnitude`, or `-1 - magnitude`.
    mutating func writeInteger(isNegative: Bool, magnitude: UInt128) {
        if let small = UInt64(exactly: magnitude) {
            if isNegative { writeNegative(small) } else { write(small) }
        } else {
            structure.append(isNegative ? Head.negative16 : Head.integer16)
            if !fixed.prepend(magnitude.littleEndian) { failTooLarge() }
        }
    }

    mutating func writeHalf(bitPattern: UInt16) {
        structure.append(Head.rare)
        structure.append(Head.Rare.half)
        if !fixed.prepend(bitPattern.littleEndian) { failTooLarge() }
    }

    @inline(__always)
    mutating func writeFloat(bitPattern: UInt32) {
        structure.append(Head.float)
        if !fixed.prepend(bitPattern.littleEndian) { failTooLarge() }
    }

    @inline(__always)
    mutating func write(_ value: Double) {
        if let (head, number) = ScaledDouble.short(value) {
            structure.append(head)
            structure.appendVarint(Varint.zigZag(number))
        } else {
            structure.append(Head.double)
            if !fixed.prepend(value.bitPattern.littleEndian) { failTooLarge() }
        }
    }

    /// The sixteen bytes in their order, the first one least significant.
    @inline(__always)
    mutating func writeUUID(_ bytes: UInt128) {
        structure.append(Head.uuid)
        if !fixed.prepend(bytes) { failTooLarge() }
    }

    /// Seconds since 2001-01-01 00:00:00 UTC.
    @inline(__always)
    mutating func writeDate(_ seconds: Double) {
        if let milliseconds = ScaledDouble.milliseconds(seconds) {
            structure.append(Head.milliseconds, milliseconds, byteCount: 5)
        } else {
            structure.append(Head.date)
            if !fixed.prepend(seconds.bitPattern.littleEndian) { failTooLarge() }
        }
    }

    mutating func writeData(_ bytes: UnsafeRawBufferPointer) {
        structure.append(Head.data)
        structure.appendVarint(UInt64(truncatingIfNeeded: bytes.count))
        if unsafe !fixed.prepend(bytes) { failTooLarge() }
    }

    /// `.some(nil)` has depth 1.
    mutating func writeNestedNull(depth: Int) {
        structure.append(Head.rare)
        structure.append(Head.Rare.nestedNull)
        structure.appendVarint(UInt64(truncatingIfNeeded: depth - 1))
    }

    /// A `Decimal`, or an imported number that has no shorter form.
    mutating func writeDecimal(isNegative: Bool, significand: UInt128, exponent: Int) {
        structure.append(Head.rare)
        structure.append(Head.Rare.decimal)
        writeExponent(isNegative: isNegative, exponent)
        var rest = significand
        while rest >= 0x80 {
            structure.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        structure.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func writeExponent(isNegative: Bool, _ exponent: Int) {
        structure.appendVarint(Varint.zigZag(Int64(exponent)) << 1 | (isNegative ? 1 : 0))
    }

    mutating func writeDecimalNaN() {
        structure.append(Head.rare)
        structure.append(Head.Rare.decimalNaN)
    }

    /// An imported number in its one form: an integer, tenths or hundredths where they fit, else a decimal.
    mutating func write(_ number: JSONNumber) {
        if number.isZero {
            if number.isNegative {
                structure.append(Head.rare)
                structure.append(Head.Rare.negativeZero)
            } else {
                write(0 as UInt64)
            }
            return
        }
        guard let significand = number.significand else { return writeLong(number) }
        if number.exponent >= 0, let whole = number.magnitude, whole < 1 << 64 {
            let isNegative = number.isNegative
            return writeInteger(isNegative: isNegative, magnitude: isNegative ? whole - 1 : whole)
        }
        if number.exponent == -1 || number.exponent == -2, significand <= UInt128(Head.maximumScaled) {
            let scaled = Int64(truncatingIfNeeded: significand)
            structure.append(number.exponent == -1 ? Head.tenths : Head.hundredths)
            return structure.appendVarint(Varint.zigZag(number.isNegative ? -scaled : scaled))
        }
        writeDecimal(isNegative: number.isNegative, significand: significand, exponent: number.exponent)
    }

    private mutating func writeLong(_ number: JSONNumber) {
        structure.append(Head.rare)
        structure.append(Head.Rare.longDecimal)
        writeExponent(isNegative: number.isNegative, number.exponent)
        var digits = number.digits
        digits.withUTF8 {
            structure.appendVarint(UInt64(truncatingIfNeeded: $0.count))
            unsafe structure.append(UnsafeRawBufferPointer($0))
        }
    }
}
