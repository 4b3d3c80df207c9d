// SPDX-License-Identifier: Apache-2.0

/// Client: one page of the names of live stacks, in byte order; or of the versions of one stack that the log still has,
/// newest first. Answered by `listing`.
package struct List: WireMessage {
    package static let type = MessageType.list
    private static let stackTag: UInt64 = 1
    private static let beforeTag: UInt64 = 2

    package var request: RequestID
    package var prefix: [UInt8]
    /// The page starts behind this name; empty for the first page.
    package var after: [UInt8]
    /// The most names, or versions, wanted; 0 leaves it to the replica.
    package var limit: Int
    /// The stack whose versions are wanted; `prefix` and `after` mean nothing then.
    package var stack: StackName?
    /// Only versions below this sequence.
    package var before: Sequence?

    package init(
        request: RequestID, prefix: [UInt8] = [], after: [UInt8] = [], limit: Int = 0, stack: StackName? = nil,
        before: Sequence? = nil
    ) {
        self.request = request
        self.prefix = prefix
        self.after = after
        self.limit = limit
        self.stack = stack
        self.before = before
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(prefix)
        bytes.appendCounted(after)
        bytes.appendVarint(UInt64(limit))
        if let stack { bytes.appendOptional(tag: Self.stackTag) { $0.appendCounted(stack.bytes) } }
        if let before { bytes.appendOptional(tag: Self.beforeTag) { $0.appendVarint(before.rawValue) } }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        prefix = try reader.readBytes()
        after = try reader.readBytes()
        limit = Int(clamping: try reader.readVarint())
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            switch field.tag {
            case Self.stackTag: stack = try field.value.readName()
            case Self.beforeTag: before = Sequence(rawValue: try field.value.readVarint())
            default: continue
            }
            try field.value.finish()
        }
    }
}
