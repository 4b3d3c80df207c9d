// SPDX-License-Identifier: Apache-2.0

/// As which types items of unkeyed containers did not decode, each row of types once, by a number.
///
/// A container keeps the number of the row that its next item has failed as, so copies of it share what they had in common
/// and no more. How many rows there are is a matter of the code that tries, not of the bytes, however much fails in them.
struct Tries {
    /// The last type of a row, and the row before it.
    private struct Row: Hashable {
        let type: ObjectIdentifier
        let previous: UInt32?
    }

    private var rows: [Row] = []
    private var numbers: [Row: UInt32] = [:]
    /// A bound for code that tries types in any order that the bytes name. Beyond it nothing is tried twice.
    private static let maximumCount = 1 << 16

    var isEmpty: Bool { rows.isEmpty }

    /// The number of a row that goes on with a type; nil when there is none and no more are made.
    mutating func row(_ previous: UInt32?, and type: Any.Type) -> UInt32? {
        let row = Row(type: ObjectIdentifier(type), previous: previous)
        if let number = numbers[row] { return number }
        guard rows.count < Self.maximumCount else { return nil }
        let number = UInt32(truncatingIfNeeded: rows.count)
        rows.append(row)
        numbers[row] = number
        return number
    }

    /// Whether a row has a type.
    func has(_ type: Any.Type, in row: UInt32) -> Bool {
        var next: UInt32? = row
        // Each row was made after the one before it, so this ends.
        while let number = next, number < rows.count {
            if rows[Int(number)].type == ObjectIdentifier(type) { return true }
            next = rows[Int(number)].previous
        }
        return false
    }

    mutating func removeAll() {
        rows.removeAll()
        numbers.removeAll()
    }
}
