// SPDX-License-Identifier: Apache-2.0

/// Doubles and dates that are exactly a small number of tenths, hundredths or milliseconds.
enum ScaledDouble {
    /// The head and the number of the short form: the first of whole, tenths, hundredths that gives back every bit.
    @inline(__always)
    static func short(_ value: Double) -> (head: UInt8, number: Int64)? {
        // Also false for NaN.
        guard value.magnitude <= Double(Head.maximumScaled) else { return nil }
        let whole = Int64(value)
        if Double(whole) == value {
            return whole == 0 && value.sign == .minus ? nil : (Head.whole, whole)
        }
        let tenths = nearest(value * 10)
        if Double(tenths) / 10 == value { return isInRange(tenths) ? (Head.tenths, tenths) : nil }
        let hundredths = nearest(value * 100)
        if Double(hundredths) / 100 == value { return isInRange(hundredths) ? (Head.hundredths, hundredths) : nil }
        return nil
    }

    /// The value of a short form; nil when `number` is out of range or has a form before this one.
    @inline(__always)
    static func value(head: UInt8, number: Int64) -> Double? {
        guard isInRange(number) else { return nil }
        if head == Head.whole { return Double(number) }
        // Doubles of this size lie closer together than hundredths, so another form gives the same one only where it
        // is the same number.
        guard number % 10 != 0 else { return nil }
        return Double(number) / (head == Head.tenths ? 10 : 100)
    }

    /// The whole number next to a value, unless it lies half-way between two: then it is neither's multiple anyway. A
    /// call of `rounded()` is one of the C library.
    @inline(__always)
    private static func nearest(_ value: Double) -> Int64 { Int64(value + (value < 0 ? -0.5 : 0.5)) }

    @inline(__always)
    private static func isInRange(_ number: Int64) -> Bool { number.magnitude <= Head.maximumScaled }

    /// The whole milliseconds of a date, when they give back every bit and fit in five bytes.
    @inline(__always)
    static func milliseconds(_ seconds: Double) -> UInt64? {
        guard seconds >= 0, seconds < Double(Head.maximumMilliseconds) / 1000, seconds.sign == .plus else { return nil }
        let milliseconds = UInt64(seconds * 1000 + 0.5)
        guard milliseconds < Head.maximumMilliseconds, self.seconds(milliseconds) == seconds else { return nil }
        return milliseconds
    }

    @inline(__always)
    static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1000 }
}
