// SPDX-License-Identifier: Apache-2.0

extension NavWireError {
    static func tooDeep(limit: Int) -> Self {
        Self(code: .tooDeep, reason: "values nest deeper than \(limit) levels")
    }

    static func payloadTooLarge(_ byteCount: Int, limit: Int) -> Self {
        Self(code: .tooLarge, reason: "payload of \(byteCount) bytes, limit is \(limit)")
    }

    /// For one that is not written to its end.
    static func payloadTooLarge(limit: Int) -> Self {
        Self(code: .tooLarge, reason: "payload of more than \(limit) bytes, which is the limit")
    }

    static func tooManyValues(_ count: Int, limit: Int) -> Self {
        Self(code: .tooLarge, reason: "\(count) values or more, limit is \(limit)")
    }

    static func tooManyElements(_ count: Int, limit: Int) -> Self {
        Self(code: .tooLarge, reason: "path of \(count) elements, limit is \(limit)")
    }

    static func expandsTooFar(_ byteCount: Int, limit: Int) -> Self {
        Self(code: .tooLarge, reason: "strings and keys expand to \(byteCount) bytes or more, limit is \(limit)")
    }

    static func tooManyEqual(_ what: StaticString, at offset: Int? = nil) -> Self {
        Self(
            code: .tooLarge,
            reason: "more than \(NavWireLimits.equalNeighbourCount) equal \(what), which is the limit", offset: offset)
    }

    static func tagTooLarge(_ byteCount: Int, limit: Int) -> Self {
        Self(code: .tooLarge, reason: "tag of \(byteCount) bytes, limit is \(limit)")
    }

    static func controlCharacterInTag(at offset: Int?) -> Self {
        Self(code: .invalidTag, reason: "a tag has a control character", offset: offset)
    }

    static func truncated(_ what: String, at offset: Int) -> Self {
        Self(code: .truncated, reason: "the input ends inside \(what)", offset: offset)
    }

    static func malformed(_ reason: String, at offset: Int) -> Self {
        Self(code: .malformed, reason: reason, offset: offset)
    }

    static func trailingBytes(_ count: Int, at offset: Int) -> Self {
        Self(code: .trailingBytes, reason: "\(count) bytes after the end", offset: offset)
    }
}
