// SPDX-License-Identifier: Apache-2.0

/// The sender closes in good order and says why; nothing follows.
package struct Goodbye: WireMessage {
    package static let type = MessageType.goodbye

    /// A `SyncError.Code`, or 0 when nothing is wrong.
    package var code: UInt16
    package var reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// What is wrong; nil when nothing is.
    package var error: SyncError? {
        code == 0 ? nil : ErrorMessage(request: .none, code: code, reason: reason).error
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(code))
        bytes.appendText(reason)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        let code = try reader.readVarint()
        guard let code = UInt16(exactly: code) else { throw .malformed("an error code of \(code)") }
        self.code = code
        reason = try reader.readText()
        try reader.skipOptionalFields()
    }
}
