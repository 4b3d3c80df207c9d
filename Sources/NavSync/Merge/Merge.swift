// SPDX-License-Identifier: Apache-2.0

/// What became of a record that met what was there.
package enum MergeOutcome: Hashable, Sendable {
    /// It is the live version now.
    case applied
    /// What was there is greater: kept as history.
    case stale
    /// It was there already.
    case duplicate
}

/// Last writer wins: stamp, then content hash. Commutative, associative, idempotent; the same on every replica.
package enum Merge {
    /// What two versions of a name are compared by.
    package typealias Version = (stamp: Stamp, contentHash: ContentHash)

    package static func isGreater(_ version: Version, than other: Version) -> Bool {
        version.stamp != other.stamp
            ? other.stamp < version.stamp : other.contentHash < version.contentHash
    }

    /// The outcome of merging `incoming` into `current`; nil is "nothing there".
    package static func outcome(of incoming: Version, into current: Version?) -> MergeOutcome {
        guard let current else { return .applied }
        if isGreater(incoming, than: current) { return .applied }
        return incoming.stamp == current.stamp && incoming.contentHash == current.contentHash ? .duplicate : .stale
    }

    /// Whether two writes of one name knew nothing of each other: origins differ, and each base is below the other's
    /// stamp.
    package static func areConcurrent(_ stamp: Stamp, base: Stamp?, _ other: Stamp, base otherBase: Stamp?) -> Bool {
        guard stamp.origin != other.origin else { return false }
        return isBelow(base, other) && isBelow(otherBase, stamp)
    }

    private static func isBelow(_ base: Stamp?, _ stamp: Stamp) -> Bool { base.map { $0 < stamp } ?? true }
}
