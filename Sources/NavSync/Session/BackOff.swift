// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next dial: full jitter, doubling to a cap.
package struct BackOffPolicy: Hashable, Sendable {
    package static let `default` = BackOffPolicy()

    /// The ceiling of the first wait.
    package var firstNanoseconds: UInt64 = 200_000_000
    /// The ceiling of all later waits.
    package var maximumNanoseconds: UInt64 = 30_000_000_000
    /// A link that was ready for this long sets the ceiling back to the first.
    package var healthyNanoseconds: UInt64 = 30_000_000_000

    package init() {}
}

/// The back-off of one peer, as a value: it asks no clock and draws no chance by itself.
package struct BackOff: Hashable, Sendable {
    private var failures = 0

    package init() {}

    /// The wait before the next dial, after a link or a dial ended.
    ///
    /// Uniform between 0 and a ceiling that doubles with every end that was not preceded by a healthy link.
    package mutating func next(
        readyFor ready: UInt64?, policy: BackOffPolicy, using generator: inout some RandomNumberGenerator
    ) -> UInt64 {
        if let ready, ready >= policy.healthyNanoseconds { failures = 0 }
        let doubled = policy.firstNanoseconds << UInt64(min(failures, 20))
        let ceiling = min(max(doubled, policy.firstNanoseconds), policy.maximumNanoseconds)
        failures += 1
        return UInt64.random(in: 0...ceiling, using: &generator)
    }
}
