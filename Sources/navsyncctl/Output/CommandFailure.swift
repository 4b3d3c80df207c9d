// SPDX-License-Identifier: Apache-2.0

/// Why a command did not do what was asked: the exit status, a sentence for people, and what to try next.
struct CommandFailure: Error, Sendable {
    let status: ExitStatus
    let message: String
    let hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// The reader of our output closed it: nothing is left to say, and nothing is wrong.
    static let outputClosed = CommandFailure(.success, "")

    static func usage(_ message: String, hint: String? = nil) -> Self { Self(.usage, message, hint: hint) }
}
