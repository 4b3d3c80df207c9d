// SPDX-License-Identifier: Apache-2.0

/// A moment as the runtime sees it, passed into every event: the core never looks at a clock.
package struct Instant: Hashable, Sendable {
    /// Milliseconds since 1970 UTC. May jump either way; used for stamps only.
    package var wallMilliseconds: UInt64
    /// Never goes back; used for every timer.
    package var monotonicNanoseconds: UInt64
    /// Whether the kernel calls the wall clock synchronised.
    package var isSynchronised: Bool

    package init(wallMilliseconds: UInt64, monotonicNanoseconds: UInt64, isSynchronised: Bool) {
        self.wallMilliseconds = wallMilliseconds
        self.monotonicNanoseconds = monotonicNanoseconds
        self.isSynchronised = isSynchronised
    }
}
