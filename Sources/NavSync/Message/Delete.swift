// SPDX-License-Identifier: Apache-2.0

/// Client: remove a stack. Answered by `acknowledge` once the tombstone is on disk, or by `error`; `notFound` when
/// there is no live stack of that name.
package struct Delete: WireMessage {
    package static let type = MessageType.delete

    package var request: RequestID
    package var name: StackName
    package var expected: Expectation

    package init(request: RequestID, name: StackName, expected: Expectation = .anything) {
        self.request = request
        self.name = name
        self.expected = expected
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendCounted(name.bytes)
        expected.write(to: &bytes)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        name = try reader.readName()
        expected = try Expectation(reading: &reader)
    }
}
