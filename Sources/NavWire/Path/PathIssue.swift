// SPDX-License-Identifier: Apache-2.0

/// One element of a path that could not be read or written as a Swift value, and why.
///
/// Only ``code``, ``index`` and ``tag`` take part in `==`. New codes may be added.
public struct PathIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a value that never changes its meaning.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The element was appended through an overload that does not know it as Codable.
        public static let notCodable = Code(rawValue: "notCodable")
        /// The value's `encode(to:)` threw or wrote nothing.
        public static let notEncodable = Code(rawValue: "notEncodable")
        /// No registered type has this tag.
        public static let unknownTag = Code(rawValue: "unknownTag")
        /// The item does not decode as the type that the tag names.
        public static let notDecodable = Code(rawValue: "notDecodable")
        /// The item is not JSON.
        public static let itemNotJSON = Code(rawValue: "itemNotJSON")
        /// The value was left out when the path was written, by a redaction rule.
        public static let redacted = Code(rawValue: "redacted")
    }

    public let code: Code
    /// The element's place, counted from the root.
    public let index: Int
    public let tag: String
    /// What was found, in words. They may quote a part of the value, unless a redaction rule hides it.
    public let reason: String

    public init(code: Code, index: Int, tag: String, reason: String) {
        self.code = code
        self.index = index
        self.tag = tag
        self.reason = reason
    }

    public var description: String { "element \(index) (\(tag)): \(reason)" }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.code == rhs.code && lhs.index == rhs.index && lhs.tag == rhs.tag
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(index)
    }
}

extension PathIssue {
    static func unknownTag(_ element: PathElement, at index: Int) -> Self {
        Self(code: .unknownTag, index: index, tag: element.tag, reason: "no registered type has this tag")
    }

    static func notCodable(_ tag: String, at index: Int) -> Self {
        Self(
            code: .notCodable, index: index, tag: tag,
            reason: "presented value was appended as Hashable only; append it where its type is known to be Codable")
    }
}
