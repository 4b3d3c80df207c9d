// SPDX-License-Identifier: Apache-2.0

/// Why bytes or text were refused, or a path could not be written.
///
/// Handle `code`, show `reason`. Only `code` takes part in `==`. Codes are stable; new ones may be added.
public struct NavWireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, as a value that never changes its meaning.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    public let code: Code
    /// What was found, what was allowed and, where there is one, what to do next.
    public let reason: String
    /// The offset of the byte at fault in the input, when one byte is at fault.
    public let offset: Int?

    public init(code: Code, reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    public var description: String {
        guard let offset else { return "\(code): \(reason)" }
        return "\(code): \(reason) (at byte \(offset))"
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
