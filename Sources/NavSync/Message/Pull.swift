// SPDX-License-Identifier: Apache-2.0

/// Client: read a stack. Answered by `records` with one item, or by `error` (`notFound`).
package struct Pull: WireMessage {
    package static let type = MessageType.pull
    private static let withoutEnvelopeTag: UInt64 = 1

    package var request: RequestID
    package var name: StackName
    /// Only stamp, origin and size are wanted.
    package var withoutEnvelope: Bool

    package init(request: RequestID, name: StackName, withoutEnvelope: Bool = false) {
        self.request = request
        self.name = name
        self.withoutEnvelope = withoutEnvelope
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(name.bytes)
        bytes.appendOptionalSign(withoutEnvelope, tag: Self.withoutEnvelopeTag)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        name = try reader.readName()
        withoutEnvelope = false
        var last: UInt64 = 0
        while let field = try reader.readOptionalField(after: &last) {
            guard field.tag == Self.withoutEnvelopeTag else { continue }
            try field.value.finish()
            withoutEnvelope = true
        }
    }
}
