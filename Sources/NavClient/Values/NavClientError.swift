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

        /// The address is not one: wrong form, or a path that no Unix socket can have.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// No daemon answers at the socket.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The connection broke while a request was under way: a write may or may not have happened.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The daemon did not answer in time: a write may or may not have happened.
        public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
        /// The task was cancelled: a write may or may not have happened.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There is no stack of that name.
        public static let notFound = Code(rawValue: "notFound")
        /// The name breaks the grammar of stack names.
        public static let invalidName = Code(rawValue: "invalidName")
        /// The path or envelope is not one.
        public static let invalidPath = Code(rawValue: "invalidPath")
        /// The envelope needs a dictionary that the daemon does not have: it keeps only what every replica can read.
        public static let unknownDictionary = Code(rawValue: "unknownDictionary")
        /// The path is over a limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The text is not a stamp.
        public static let invalidStamp = Code(rawValue: "invalidStamp")
        /// The stack has changed since the stamp that the write expected.
        public static let staleBase = Code(rawValue: "staleBase")
        /// The daemon refused the request; `reason` is its own.
        public static let refused = Code(rawValue: "refused")
        /// The daemon speaks another version of the protocol, or not this protocol at all.
        public static let incompatible = Code(rawValue: "incompatible")
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
