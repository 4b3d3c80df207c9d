// SPDX-License-Identifier: Apache-2.0

/// Limits on connections that have not proved who they are.
package struct AcceptLimits: Hashable, Sendable {
    package static let `default` = AcceptLimits()

    /// Unauthenticated connections in all.
    package var maximumCount = 128
    /// Unauthenticated connections of one source.
    package var maximumCountPerSource = 16
    /// Accepted connections of one source per second, in the long run.
    package var ratePerSecond: UInt64 = 20
    /// Accepted connections of one source at once before the rate holds.
    package var burst: UInt64 = 40
    /// Sources that are remembered; a new one is refused while so many are busy.
    package var maximumSourceCount = 4096

    package init() {}
}

/// Decides whether a connection that was just accepted may start its handshake.
///
/// A source is an IPv4 address, or the first 64 bits of an IPv6 address, since one host may use all the rest. Strangers
/// who fill the gate keep other strangers out and nobody who has a link.
package struct AcceptGate: Sendable {
    package enum Refusal: String, Hashable, Sendable {
        case tooMany = "too many unauthenticated connections"
        case tooManyOfSource = "too many unauthenticated connections of one source"
        case tooFast = "too many connections of one source in a short time"
    }

    private struct Source {
        var count = 0
        /// When the tokens would be complete again, in monotonic nanoseconds (a bucket turned round: cheap to keep).
        var fullAt: UInt64 = 0
    }

    private let limits: AcceptLimits
    private var sources: [[UInt8]: Source] = [:]
    private var count = 0

    package init(limits: AcceptLimits = .default) { self.limits = limits }

    /// What of an address tells one source from another.
    package static func source(of address: [UInt8]) -> [UInt8] {
        let isMapped = address.count == 16 && address.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if isMapped { return Array(address.suffix(4)) }
        return address.count == 16 ? Array(address.prefix(8)) : address
    }

    /// nil lets the connection in and counts it; `left` must follow when it is authenticated or gone.
    package mutating func entered(_ source: [UInt8], at nanoseconds: UInt64) -> Refusal? {
        guard count < limits.maximumCount else { return .tooMany }
        if sources[source] == nil, sources.count >= limits.maximumSourceCount {
            sources = sources.filter { $0.value.count > 0 || $0.value.fullAt > nanoseconds }
            guard sources.count < limits.maximumSourceCount else { return .tooMany }
        }
        var entry = sources[source] ?? Source()
        guard entry.count < limits.maximumCountPerSource else { return .tooManyOfSource }
        let cost = 1_000_000_000 / max(1, limits.ratePerSecond)
        let fullAt = max(entry.fullAt, nanoseconds) &+ cost
        guard fullAt - nanoseconds <= cost &* limits.burst else { return .tooFast }
        entry.fullAt = fullAt
        entry.count += 1
        count += 1
        sources[source] = entry
        return nil
    }

    /// A connection that was let in is authenticated or closed.
    package mutating func left(_ source: [UInt8]) {
        guard let entry = sources[source], entry.count > 0 else { return }
        sources[source]?.count -= 1
        count -= 1
    }

    /// Connections inside.
    package var unauthenticatedCount: Int { count }
}
