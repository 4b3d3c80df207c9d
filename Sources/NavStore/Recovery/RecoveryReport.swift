// SPDX-License-Identifier: Apache-2.0

/// What opening a store found, for the log and for `status`.
package struct RecoveryReport: Hashable, Sendable {
    /// Rows that verified.
    package var rowCount = 0
    /// Rows that did not verify when the damaged store was set aside: lost here, unless a peer has them.
    package var damagedRowCount = 0
    /// Cursors that did not verify: their peers are read from the start.
    package var damagedCursorCount = 0
    /// Refusals that did not verify.
    package var damagedRefusalCount = 0
    /// The store was not closed: its last run was killed or lost power.
    package var wasInterrupted = false
    /// Set when the store was damaged and has been rebuilt from the rows that verify, as another incarnation: why, and
    /// where the old files are now.
    package var setAside: SetAside?

    package struct SetAside: Hashable, Sendable {
        package let path: String
        package let reason: String
    }

    package init() {}
}
