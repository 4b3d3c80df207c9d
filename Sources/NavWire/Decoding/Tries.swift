// SPDX-License-Identifier: Apache-2.0

/// As which types items of unkeyed containers did not decode, each row of types once, by a number.
///
/// A container keeps the number of the row that its next item has failed as, so copies of it share what they had in common
/// and no more. How many rows there are is a matter of the code that tries, not of the bytes, however much fails in them;
/// but code that tries types in orders which the bytes name can fill it. Then all rows are forgotten, and numbers of rows
/// from before mean nothing: what failed is tried once more, and nothing is lost.
struct Tries {
    /// The last type of a row, and the row before it.
    private struct Row: Hashable {
        let type: ObjectIdentifier
        let previous: UInt32?
    }

    private var rows: [Row] = []
    private var numbers: [Row: UInt32] = [:]
    private let rowCount: Int
    private let forgettingCount: UInt32
    /// How often all rows were forgotten: the upper half of each number that is given out.
    private var forgettings: UInt32 = 0

    /// - Parameters:
    ///   - rowCount: So many rows are kept, at most 2^16.
    ///   - forgettingCount: So often all are forgotten, less than 2^15 times. After that nothing is tried twice, so that a
    ///     loop whose every try fills all rows comes to an end.
    init(rowCount: Int = 1 << 16, forgettingCount: UInt32 = 256) {
        self.rowCount = rowCount
        self.forgettingCount = forgettingCount
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The number of a row that goes on with a type; nil when there is none and no more are made.
    mutating func row(_ previous: UInt32?, and type: Any.Type) -> UInt32? {
        let row = Row(type: ObjectIdentifier(type), previous: previous.flatMap { place($0) == nil ? nil : $0 })
        if let number = numbers[row] { return number }
        guard rows.count < rowCount else { return forget() ? self.row(nil, and: type) : nil }
        let number = forgettings << 16 | UInt32(truncatingIfNeeded: rows.count)
        rows.append(row)
        numbers[row] = number
        return number
    }

    /// Whether a row has a type. A row that was forgotten has none.
    func has(_ type: Any.Type, in row: UInt32) -> Bool {
        var next: UInt32? = row
        // Each row was made after the one before it, so this ends.
        while let number = next, let place = place(number) {
            if rows[place].type == ObjectIdentifier(type) { return true }
            next = rows[place].previous
        }
        return false
    }

    /// Where a row is, unless it was forgotten.
    private func place(_ number: UInt32) -> Int? {
        let place = Int(number & 0xFFFF)
        return number >> 16 == forgettings && place < rows.count ? place : nil
    }

    private mutating func forget() -> Bool {
        guard forgettings < forgettingCount else { return false }
        forgettings += 1
        rows.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        return true
    }

    mutating func removeAll() { self = Self(rowCount: rowCount, forgettingCount: forgettingCount) }
}
