// SPDX-License-Identifier: Apache-2.0

/// How much the log says.
enum LogLevel: String, Comparable, CaseIterable, Sendable {
    /// Something is broken: a person must act.
    case error
    /// Somebody should look.
    case warning
    /// State changes that an operator wants to see.
    case info
    /// One line per connection.
    case debug

    static let choices = "error, warning, info or debug"

    /// The syslog priority, for the journal.
    var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }

    /// How much is said at this level, all above it included.
    private var verbosity: Int { priority }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.verbosity < rhs.verbosity }
}
