// SPDX-License-Identifier: Apache-2.0

/// When and where a write was made: the total order of writes. Travels unchanged through relays.
package struct Stamp: Hashable, Comparable, Sendable {
    package let time: HybridTime
    package let origin: NodeID

    package init(time: HybridTime, origin: NodeID) {
        self.time = time
        self.origin = origin
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.time != rhs.time ? lhs.time < rhs.time : lhs.origin < rhs.origin
    }
}

extension Stamp: CustomStringConvertible {
    /// Milliseconds, counter and origin, as logs and status show them.
    package var description: String { "\(time.milliseconds).\(time.counter)@\(origin)" }
}
