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
        let tenths = Int64((value * 10).rounded())
        if Double(tenths) / 10 == value { return isInRange(tenths) ? (Head.tenths, tenths) : nil }
        let hundredths = Int64((value * 100).rounded())
        if Double(hundredths) / 100 == value { return isInRange(hundredths) ? (Head.hundredths, hundredths) : nil }
        return nil
    }

    /// The value of a short form; nil when `number` is out of range or has a form before this one.
    static func value(head: UInt8, number: Int64) -> Double? {
        guard isInRange(number) else { return nil }
        let value: Double
        switch head {
        case Head.whole: value = Double(number)
        case Head.tenths: value = Double(number) / 10
        default: value = Double(number) / 100
        }
        guard let form = short(value), form == (head, number) else { return nil }
        return value
    }

    @inline(__always)
    private static func isInRange(_ number: Int64) -> Bool { number.magnitude <= Head.maximumScaled }

    /// The whole milliseconds of a date, when they give back every bit and fit in five bytes.
    @inline(__always)
    static func milliseconds(_ seconds: Double) -> UInt64? {
        guard seconds >= 0, seconds < Double(Head.maximumMilliseconds) / 1000, seconds.sign == .plus else { return nil }
        let milliseconds = UInt64((seconds * 1000).rounded())
        guard milliseconds < Head.maximumMilliseconds, self.seconds(milliseconds) == seconds else { return nil }
        return milliseconds
    }

    @inline(__always)
    static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1000 }
}
