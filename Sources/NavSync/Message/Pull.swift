// SPDX-License-Identifier: Apache-2.0

/// Client: read a stack, or one of its versions. Answered by `records` with one item, or by `error` (`notFound`).
package struct Pull: WireMessage {
    package static let type = MessageType.pull
    private static let withoutEnvelopeTag: UInt64 = 1
    private static let versionTag: UInt64 = 2

    package var request: RequestID
    package var name: StackName
    /// Only stamp, origin and size are wanted.
    package var withoutEnvelope: Bool

    /// The sequence of the version that is wanted, live or not; nil for the live one.
    package var version: Sequence?

    package init(request: RequestID, name: StackName, withoutEnvelope: Bool = false, version: Sequence? = nil) {
        self.request = request
        self.name = name
        self.withoutEnvelope = withoutEnvelope
        self.version = version
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(name.bytes)
        bytes.appendOptionalSign(withoutEnvelope, tag: Self.withoutEnvelopeTag)
        if let version { bytes.appendOptional(tag: Self.versionTag) { $0.appendVarint(version.rawValue) } }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        name = try reader.readName()
        withoutEnvelope = false
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.withoutEnvelopeTag: withoutEnvelope = true
            case Self.versionTag: version = Sequence(rawValue: try field.value.readVarint())
            default: continue
            }
            try field.value.finish()
        }
    }
}
