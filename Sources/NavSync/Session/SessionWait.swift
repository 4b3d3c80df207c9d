// SPDX-License-Identifier: Apache-2.0

/// What the next frame of a session waits for, unread. The words are those of the status report.
enum SessionWait: String, CaseIterable, Sendable {
    /// The other side must first take what it is owed.
    case output
    /// Many of its requests must first be answered.
    case requests
    /// The log must first be looked at for it.
    case history
    /// So much was looked at for it in this round that it is the others' turn.
    case turn
    /// The store must first take the open batch.
    case store
    /// The acknowledgement must first go out that tells what was refused.
    case acknowledgement
}
