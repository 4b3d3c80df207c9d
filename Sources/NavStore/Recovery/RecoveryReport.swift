// SPDX-License-Identifier: Apache-2.0

/// What opening a store found, for the log and for `status`.
package struct RecoveryReport: Hashable, Sendable {
    /// Rows that verified.
    package var rowCount = 0
    /// Rows that did not verify and are not served.
    package var damagedRowCount = 0
    /// Cursors that did not verify: their peers are read from the start.
    package var damagedCursorCount = 0
    /// Refusals that did not verify.
    package var damagedRefusalCount = 0
    /// The store was not closed: its last run was killed or lost power.
    package var wasInterrupted = false
    /// Set when SQLite could not read the store: what it said, and where the old files are now.
    package var setAside: SetAside?

    package struct SetAside: Hashable, Sendable {
        package let path: String
        package let reason: String
    }

    package init() {}

    /// Something that was once durable may be gone.
    package var hasLoss: Bool { damagedRowCount > 0 || setAside != nil }
}
