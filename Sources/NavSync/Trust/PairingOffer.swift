// SPDX-License-Identifier: Apache-2.0

/// A pairing link as its maker sees it: good for one success, ten minutes and five failures.
package struct PairingOffer: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable {
        case expired
        case used
        case tooManyFailures
        /// A newer link was made.
        case replaced
        case cancelled
        /// The last failure was too short a time ago.
        case tooSoon
        case wrongProof

        package var reason: String {
            switch self {
            case .expired: "the link has expired"
            case .used: "the link was used already"
            case .tooManyFailures: "the link was ended after \(PairingOffer.maximumFailureCount) failed attempts"
            case .replaced: "a newer link took its place"
            case .cancelled: "the link was withdrawn"
            case .tooSoon: "the last failed attempt was less than a second ago"
            case .wrongProof: "the secret is not that of the link"
            }
        }
    }

    package let secret: [UInt8]
    /// Tells this link from others without telling its secret.
    package let id: UInt64
    /// What a peer that uses the link may do.
    package let rights: Rights
    /// The name that the peer gets here; nil takes what it calls itself.
    package let peerName: PeerName?
    private let expiresNanoseconds: UInt64
    private var earliestNanoseconds: UInt64 = 0
    private var failureCount = 0
    /// Why it was over before its time.
    private var ending: Refusal?

    package static let lifetimeNanoseconds: UInt64 = 600_000_000_000
    package static let maximumFailureCount = 5
    /// How long a failure keeps the next attempt out.
    package static let pauseNanoseconds: UInt64 = 1_000_000_000

    /// `nanoseconds` is the monotonic time now.
    package init(secret: [UInt8], id: UInt64, rights: Rights, peerName: PeerName?, at nanoseconds: UInt64) {
        self.secret = secret
        self.id = id
        self.rights = rights
        self.peerName = peerName
        expiresNanoseconds = nanoseconds &+ Self.lifetimeNanoseconds
    }

    /// Why an attempt made now would fail whatever it proves; nil when it is worth looking at.
    package func refusal(at nanoseconds: UInt64) -> Refusal? {
        if let ending { return ending }
        if failureCount >= Self.maximumFailureCount { return .tooManyFailures }
        if nanoseconds >= expiresNanoseconds { return .expired }
        return nanoseconds < earliestNanoseconds ? .tooSoon : nil
    }

    /// Whether no later attempt can succeed.
    package func isOver(at nanoseconds: UInt64) -> Bool {
        switch refusal(at: nanoseconds) {
        case .expired, .used, .tooManyFailures, .replaced, .cancelled: true
        case .tooSoon, .wrongProof, nil: false
        }
    }

    /// Counts an attempt. nil means that the peer may be trusted; the offer is then used up.
    package mutating func attempt(isProven: Bool, at nanoseconds: UInt64) -> Refusal? {
        if let refusal = refusal(at: nanoseconds) { return refusal }
        guard isProven else {
            failureCount += 1
            earliestNanoseconds = nanoseconds &+ Self.pauseNanoseconds
            return .wrongProof
        }
        ending = .used
        return nil
    }

    /// Ends it, unless it is over already: what it ended by stays.
    package mutating func end(_ reason: Refusal, at nanoseconds: UInt64) {
        if !isOver(at: nanoseconds) { ending = reason }
    }
}
