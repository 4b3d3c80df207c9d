// SPDX-License-Identifier: Apache-2.0

/// The replica's name for one read that it asked for.
package struct ReadToken: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What became of a read from the store.
package enum EnvelopeRead: Hashable, Sendable {
    case envelope([UInt8])
    /// The store has no such row, or a removal.
    case absent
    /// The store could not say: nothing follows for what it holds.
    case failed(String)
}
