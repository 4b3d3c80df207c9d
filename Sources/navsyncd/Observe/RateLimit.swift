// SPDX-License-Identifier: Apache-2.0

/// How often one message may be logged: a few at once, then one in a while, and how many were left out.
struct RateLimit {
    enum Verdict: Hashable {
        /// Log it, and say how many of its kind were left out since the last.
        case allowed(suppressed: Int)
        case suppressed
    }

    static let burst = 10
    static let refillNanoseconds: UInt64 = 20_000_000_000

    private var spent = 0
    private var refilledAt: UInt64 = 0
    private var suppressed = 0

    mutating func take(at now: UInt64) -> Verdict {
        if spent == 0 { refilledAt = now }
        let refills = (now - min(now, refilledAt)) / Self.refillNanoseconds
        if refills > 0 {
            spent = max(0, spent - Int(clamping: refills))
            refilledAt += refills * Self.refillNanoseconds
        }
        guard spent < Self.burst else {
            suppressed += 1
            return .suppressed
        }
        spent += 1
        defer { suppressed = 0 }
        return .allowed(suppressed: suppressed)
    }
}
