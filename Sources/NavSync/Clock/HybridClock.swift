// SPDX-License-Identifier: Apache-2.0

/// The clock that stamps local writes.
///
/// It never gives the same reading twice, never goes back, and is at or above every stamp that was merged. A wall clock
/// that was set back costs nothing: the counter carries on from the floor.
package struct HybridClock: Hashable, Sendable {
    /// The greatest reading given or merged: no local write will be at or below it.
    package private(set) var floor: HybridTime

    package init(floor: HybridTime) { self.floor = floor }

    /// The stamp's time for a local write to a name whose greatest stamp is at `known`.
    package mutating func tick(at now: Instant, above known: HybridTime?) -> HybridTime {
        var time = max(HybridTime(milliseconds: now.wallMilliseconds), floor.successor)
        if let known { time = max(time, known.successor) }
        floor = time
        return time
    }

    /// Takes the time of a record that is merged. Only call it for stamps within the drift that is allowed.
    package mutating func observe(_ time: HybridTime) { floor = max(floor, time) }

    /// How far a remote stamp is beyond what is allowed ahead of the wall clock; nil when it is not.
    ///
    /// Measured against the wall clock and not the floor: else each record could carry the floor a little further.
    package static func excessDrift(of time: HybridTime, at now: Instant, limits: SyncLimits) -> UInt64? {
        let (allowed, overflow) = now.wallMilliseconds.addingReportingOverflow(limits.maximumDriftMilliseconds)
        guard !overflow, time.milliseconds > allowed else { return nil }
        return time.milliseconds - allowed
    }
}
