// SPDX-License-Identifier: Apache-2.0

/// A place in a store's local order of changes. The first change has sequence 1; 0 is "before everything".
package struct Sequence: Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package static let zero = Sequence(rawValue: 0)

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The life of one store, chosen at random when it is created: sequences of two incarnations do not compare.
package struct Incarnation: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The random sign that a commit writes beside its last sequence. Who knows the mark has seen that very commit, and
/// not one of a restored or cloned store that reached the same sequence.
package struct Mark: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What a cursor is valid for: a hash of the prefixes and limits of both sides. A cursor of another scope is void.
package struct Scope: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The scope of no cursor.
    package static let unknown = Scope(rawValue: 0)
}

/// A reader's place in the sender's order of changes, held by the reader.
package struct Cursor: Hashable, Sendable {
    package let incarnation: Incarnation
    package let sequence: Sequence
    /// The mark of the commit that holds `sequence`.
    package let mark: Mark
    package let scope: Scope

    package static let byteCount = 32

    package init(incarnation: Incarnation, sequence: Sequence, mark: Mark, scope: Scope) {
        self.incarnation = incarnation
        self.sequence = sequence
        self.mark = mark
        self.scope = scope
    }
}
