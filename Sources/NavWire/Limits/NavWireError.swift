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

        /// The bytes are not JSON text.
        public static let notJSON = Code(rawValue: "notJSON")
        /// The JSON is not a path: not an array, or not an array of strings.
        public static let notAPath = Code(rawValue: "notAPath")
        /// The path ends after a tag.
        public static let oddCount = Code(rawValue: "oddCount")
        /// The JSON is `null`: no path was saved.
        public static let nullPath = Code(rawValue: "nullPath")
        /// A tag with control characters, in JSON or in an envelope.
        public static let invalidTag = Code(rawValue: "invalidTag")
        /// The path is in the form of another library; `reason` names it.
        public static let unsupportedVariant = Code(rawValue: "unsupportedVariant")
        /// More bytes or elements than the limits allow.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Values nest deeper than the limits allow.
        public static let tooDeep = Code(rawValue: "tooDeep")
        /// The bytes do not begin as an envelope does.
        public static let badMagic = Code(rawValue: "badMagic")
        /// An envelope of a version of the format that this library does not read.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// An envelope with a feature that this library does not know; `reason` names it.
        public static let unknownFlag = Code(rawValue: "unknownFlag")
        /// The checksum does not match: bytes were damaged on their way.
        public static let badChecksum = Code(rawValue: "badChecksum")
        /// The input ends before what it announced.
        public static let truncated = Code(rawValue: "truncated")
        /// There are bytes after the end.
        public static let trailingBytes = Code(rawValue: "trailingBytes")
        /// The bytes break a rule of the format, or say something in another than its one way.
        public static let malformed = Code(rawValue: "malformed")
        /// The envelope needs a dictionary that is not here; `reason` names its id.
        public static let unknownDictionary = Code(rawValue: "unknownDictionary")
        /// A value has no form in the format asked for.
        public static let notRepresentable = Code(rawValue: "notRepresentable")
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
