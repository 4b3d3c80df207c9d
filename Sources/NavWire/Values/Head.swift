// SPDX-License-Identifier: Apache-2.0

/// The first byte of a value. docs/spec/wire-format.md, "Heads", is the normative table.
///
///     00…3F  integer 0…63                      A0…CF  string seen often: number 0…47
///     40…5F  string of 0…31 bytes              D0…DB  array of 0…11 items
///     60…9F  object of shape 0…63              DC…FF  one by one, below
enum Head {
    static let integer: UInt8 = 0x00
    static let string: UInt8 = 0x40
    static let object: UInt8 = 0x60
    static let hotString: UInt8 = 0xA0
    static let array: UInt8 = 0xD0

    static let longArray: UInt8 = 0xDC
    /// Four or more items with one and the same head: count, that head, then only the bodies.
    static let run: UInt8 = 0xDD
    /// Eight or more items that are all Booleans: count, then a bit for each.
    static let bits: UInt8 = 0xDE
    static let longObject: UInt8 = 0xDF

    static let null: UInt8 = 0xE0
    static let no: UInt8 = 0xE1
    static let yes: UInt8 = 0xE2
    /// Integers from 64 on: the least form that holds the value, less the values of the shorter forms.
    static let integer1: UInt8 = 0xE3
    static let integer2: UInt8 = 0xE4
    static let integer3: UInt8 = 0xE5
    static let integer4: UInt8 = 0xE6
    static let integer6: UInt8 = 0xE7
    static let integer8: UInt8 = 0xE8
    static let integer16: UInt8 = 0xE9
    /// `-1 - m`.
    static let negative1: UInt8 = 0xEA
    static let negative4: UInt8 = 0xEB
    static let negative8: UInt8 = 0xEC
    static let negative16: UInt8 = 0xED
    /// A double that is a whole number, a number of tenths, of hundredths; imported: a number of tenths, hundredths.
    static let whole: UInt8 = 0xEE
    static let tenths: UInt8 = 0xEF
    static let hundredths: UInt8 = 0xF0
    static let double: UInt8 = 0xF1
    static let float: UInt8 = 0xF2
    static let uuid: UInt8 = 0xF3
    /// Whole milliseconds from 2001 up to 2035, five bytes.
    static let milliseconds: UInt8 = 0xF4
    static let date: UInt8 = 0xF5
    static let data: UInt8 = 0xF6
    /// A URL that begins with `https://`, without these eight bytes.
    static let webURL: UInt8 = 0xF7
    static let longString: UInt8 = 0xF8
    static let longHotString: UInt8 = 0xF9
    /// The second time a string is used: its number among the strings seen.
    static let again: UInt8 = 0xFA
    static let staticString: UInt8 = 0xFB
    /// `Module.Type`, in two parts.
    static let dottedString: UInt8 = 0xFC
    static let map: UInt8 = 0xFD
    /// A second byte says which: see `Rare`.
    static let rare: UInt8 = 0xFE
    /// Path payloads only: what follows was imported from JSON.
    static let imported: UInt8 = 0xFF

    enum Rare {
        static let half: UInt8 = 0
        static let url: UInt8 = 1
        static let urlWithBase: UInt8 = 2
        /// Exponent and significand of at most 128 bits.
        static let decimal: UInt8 = 3
        /// Exponent and digits. Imported only.
        static let longDecimal: UInt8 = 4
        static let decimalNaN: UInt8 = 5
        /// Imported only.
        static let negativeZero: UInt8 = 6
        static let nestedNull: UInt8 = 7
        static let pairs: UInt8 = 8
        static let set: UInt8 = 9
        /// Path payloads only: the text of an item that is not JSON.
        static let verbatim: UInt8 = 10
    }

    /// Where the forms of an integer begin.
    enum IntegerStart {
        static let one: UInt64 = 64
        static let two: UInt64 = one + 1 << 8
        static let three: UInt64 = two + 1 << 16
        static let four: UInt64 = three + 1 << 24
        static let six: UInt64 = four + 1 << 32
        static let eight: UInt64 = six + 1 << 48
        static let negativeFour: UInt64 = 1 << 8
        static let negativeEight: UInt64 = negativeFour + 1 << 32
    }

    static let inlineIntegers: UInt64 = 64
    static let inlineStringBytes = 32
    static let inlineShapes = 64
    static let inlineHotStrings = 48
    static let inlineItems = 12
    static let shortestRun = 4
    static let shortestBits = 8
    /// Strings of fewer or more bytes are always written out.
    static let internedByteCounts = 2...64
    static let webPrefix: StaticString = "https://"
    static let maximumMilliseconds: UInt64 = 1 << 40
    /// Whole numbers, tenths and hundredths beyond this are written as plain doubles.
    static let maximumScaled: UInt64 = 1 << 40

    /// Heads whose values can stand in a run.
    @inline(__always)
    static func isRunnable(_ head: UInt8) -> Bool { head >= integer1 && head <= date }
}
