// SPDX-License-Identifier: Apache-2.0

/// How the daemon ends, for service managers and scripts. The numbers never change their meaning.
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The store failed while running, or something that cannot happen did.
    case failure = 1
    case usage = 2
    case badConfiguration = 3
    /// Another daemon owns the state directory.
    case locked = 4
    /// A socket that clients or peers need could not be had.
    case cannotListen = 5
    /// The store or the identity cannot be used: damaged, missing, or written by a newer version.
    case unusableState = 6
}

/// Why a start ended, with what to print.
struct StartFailure: Error, Sendable {
    let status: ExitStatus
    let reason: String
    let hint: String?

    init(_ status: ExitStatus, _ reason: String, hint: String? = nil) {
        self.status = status
        self.reason = reason
        self.hint = hint
    }
}
