// SPDX-License-Identifier: Apache-2.0

/// The replica's name for one read that it asked for.
package struct ReadToken: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
