// SPDX-License-Identifier: Apache-2.0

/// Client: how are you? Answered by `statusReport`.
package struct Status: WireMessage {
    package static let type = MessageType.status

    package var request: RequestID

    package init(request: RequestID) { self.request = request }

    package func writePayload(to bytes: inout [UInt8]) { bytes.appendVarint(request.rawValue) }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        try reader.skipOptionalFields()
    }
}

/// The answer to `status`: dotted keys and their values, in an order made for reading. Keys are only ever added.
package struct StatusReport: WireMessage {
    package static let type = MessageType.statusReport

    package struct Item: Hashable, Sendable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package var request: RequestID
    package var items: [Item]

    package init(request: RequestID, items: [Item]) {
        self.request = request
        self.items = items
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendVarint(UInt64(items.count))
        for item in items {
            bytes.appendText(item.key)
            bytes.appendText(item.value)
        }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        items = []
        for _ in 0..<(try reader.readCount()) {
            items.append(Item(key: try reader.readText(), value: try reader.readText()))
        }
        try reader.skipOptionalFields()
    }
}
