// SPDX-License-Identifier: Apache-2.0

/// Why a call to the daemon failed.
///
/// Handle `code`, show `reason` and `hint`. Only `code` takes part in `==`. New codes may be added.
public struct NavClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, as a value that never changes its meaning.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// No daemon answers at the socket.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The daemon did not answer in time.
        public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
        /// There is no stack of that name.
        public static let notFound = Code(rawValue: "notFound")
        /// The daemon refused the request; `reason` is its own.
        public static let refused = Code(rawValue: "refused")
    }

    public let code: Code
    /// What was found and what was allowed.
    public let reason: String
    /// What to do next.
    public let hint: String?

    public init(code: Code, reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    public var description: String { "\(code): \(reason)" + (hint.map { "; \($0)" } ?? "") }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
