// SPDX-License-Identifier: Apache-2.0

/// How much of what is here came from one peer, as far as its link has counted.
///
/// Counted only for peers that have a limit. What others overwrite or remove meanwhile is noticed when the limit would
/// be passed: then everything is counted again, at most once a second.
struct Quota: Hashable, Sendable {
    /// What a peer has of one name.
    enum Holding: Hashable, Sendable {
        case stack(byteCount: Int)
        case removed
    }

    var stackCount = 0
    var byteCount = 0
    /// Names whose removal came from the peer.
    var removedCount = 0
    /// When it was last counted; nil is never.
    var countedAt: UInt64?

    static let recountNanoseconds: UInt64 = 1_000_000_000

    mutating func add(_ holding: Holding?, times: Int = 1) {
        switch holding {
        case nil: break
        case .removed: removedCount += times
        case .stack(let bytes):
            stackCount += times
            byteCount += times * bytes
        }
    }
}
