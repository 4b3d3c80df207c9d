// SPDX-License-Identifier: Apache-2.0

/// A replica's permanent name: the first 16 bytes of SHA-256 of its Ed25519 public key.
///
/// Ordered as bytes, so every replica agrees which of two ids is the lower.
package struct NodeID: Hashable, Comparable, Sendable {
    /// Bytes 0…7, big-endian.
    package let high: UInt64
    /// Bytes 8…15, big-endian.
    package let low: UInt64

    package static let byteCount = 16

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.high != rhs.high ? lhs.high < rhs.high : lhs.low < rhs.low
    }
}
