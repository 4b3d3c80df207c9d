// SPDX-License-Identifier: Apache-2.0

/// Client: one page of the names of live stacks, in byte order. Answered by `listing`.
package struct List: WireMessage {
    package static let type = MessageType.list

    package var request: RequestID
    package var prefix: [UInt8]
    /// The page starts behind this name; empty for the first page.
    package var after: [UInt8]
    /// The most names wanted; 0 leaves it to the replica.
    package var limit: Int

    package init(request: RequestID, prefix: [UInt8] = [], after: [UInt8] = [], limit: Int = 0) {
        self.request = request
        self.prefix = prefix
        self.after = after
        self.limit = limit
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(prefix)
        bytes.appendCounted(after)
        bytes.appendVarint(UInt64(limit))
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        prefix = try reader.readBytes()
        after = try reader.readBytes()
        limit = Int(clamping: try reader.readVarint())
        try reader.skipOptionalFields()
    }
}
