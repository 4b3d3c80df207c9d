// SPDX-License-Identifier: Apache-2.0

/// The runtime's name for one connection. Never used twice in the life of a process.
package struct SessionID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
