// SPDX-License-Identifier: Apache-2.0

/// A request was refused, or (request 0) something else that the receiver sent was.
package struct ErrorMessage: WireMessage {
    package static let type = MessageType.error
    private static let currentTag: UInt64 = 1

    package var request: RequestID
    /// A `SyncError.Code`; kept as a number, because a newer sender may know more of them.
    package var code: UInt16
    package var reason: String
    /// With `staleBase`: the stamp that stands there; nil when there is no live stack.
    package var current: Stamp?

    package init(request: RequestID, code: UInt16, reason: String, current: Stamp? = nil) {
        self.request = request
        self.code = code
        self.reason = reason
        self.current = current
    }

    package init(request: RequestID, _ error: SyncError, current: Stamp? = nil) {
        self.init(request: request, code: error.code.rawValue, reason: error.reason, current: current)
    }

    /// The error as this build knows it; a code that it does not know is `unexpectedMessage` with the number told.
    package var error: SyncError {
        let reason = Self.printable(reason)
        if let known = SyncError.Code(rawValue: code) { return SyncError(code: known, reason: reason) }
        return SyncError(code: .unexpectedMessage, reason: "error \(code): \(reason)")
    }

    /// A stranger's text as it may stand in a log or on a terminal: one line, no control characters, not endless.
    static func printable(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(400) {
            shown.append(StackName.isForbidden(scalar) ? "?" : scalar)
        }
        return String(shown)
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendVarint(UInt64(code))
        bytes.appendText(reason)
        bytes.appendOptionalStamp(current, tag: Self.currentTag)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        let code = try reader.readVarint()
        guard let code = UInt16(exactly: code) else { throw .malformed("an error code of \(code)") }
        self.code = code
        reason = try reader.readText()
        current = nil
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            guard field.tag == Self.currentTag else { continue }
            current = try field.value.readStamp()
            try field.value.finish()
        }
    }
}
