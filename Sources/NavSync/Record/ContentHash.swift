// SPDX-License-Identifier: Apache-2.0

/// SHA-256 of an envelope's uncompressed payload: the same path has the same hash however it was compressed.
///
/// Ordered as bytes; the last tie-break between two records.
package struct ContentHash: Hashable, Comparable, Sendable {
    /// The hash as four big-endian words, first bytes first.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package static let byteCount = 32
    /// What a tombstone has in place of a hash; lower than any envelope's.
    package static let zero = ContentHash(words: (0, 0, 0, 0))

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.words == rhs.words }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.words < rhs.words }

    package func hash(into hasher: inout Hasher) {
        // The bytes are already uniformly distributed: one word is enough to choose a bucket.
        hasher.combine(words.0)
    }
}
