// SPDX-License-Identifier: Apache-2.0

/// A hybrid logical clock reading: 48 bits of milliseconds since 1970 UTC, then a 16-bit counter.
///
/// Source: Kulkarni, Demirbas, Madappa, Avva, Leone, "Logical Physical Clocks" (2014).
package struct HybridTime: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package static let zero = HybridTime(rawValue: 0)
    package static let maximum = HybridTime(rawValue: .max)
    /// The greatest number of milliseconds that fits, in the year 10889.
    package static let maximumMilliseconds: UInt64 = (1 << 48) - 1

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The first reading of a millisecond. Milliseconds that do not fit are cut to the greatest that does.
    package init(milliseconds: UInt64) {
        rawValue = min(milliseconds, Self.maximumMilliseconds) << 16
    }

    package var milliseconds: UInt64 { rawValue >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// The next reading. A counter that overflows borrows the next millisecond; the greatest reading is its own successor.
    package var successor: HybridTime { HybridTime(rawValue: rawValue == .max ? .max : rawValue + 1) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
