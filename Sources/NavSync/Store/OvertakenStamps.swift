// SPDX-License-Identifier: Apache-2.0

/// Of each slot the greatest stamp that lost against what was live, and that the live version does not build on.
struct OvertakenStamps: Sendable {
    private var stamps: [Int: Stamp] = [:]

    init() {}

    subscript(slot: Int) -> Stamp? { stamps.isEmpty ? nil : stamps[slot] }

    /// Notes a loser, unless the live version builds on it: that has `base`.
    mutating func note(_ stamp: Stamp, slot: Int, base: Stamp?) {
        if let known = stamps[slot], known >= stamp { return }
        if let base, base >= stamp { return }
        stamps[slot] = stamp
    }

    /// A version is live that builds on everything up to `base`.
    mutating func settle(_ slot: Int, base: Stamp?) {
        guard let base, let stamp = self[slot], base >= stamp else { return }
        stamps[slot] = nil
    }

    mutating func forget(_ slot: Int) { stamps[slot] = nil }
}
