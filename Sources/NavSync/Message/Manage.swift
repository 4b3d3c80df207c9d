// SPDX-License-Identifier: Apache-2.0

/// Administrator: do something that concerns the daemon and not a stack, such as pairing. Answered by `statusReport`
/// or `error`.
///
/// The core passes it on with the role of who asks: what the verbs mean, and who may use which, is the runtime's. Verbs
/// and keys are only ever added.
package struct Manage: WireMessage {
    package static let type = MessageType.manage

    package var request: RequestID
    package var verb: String
    package var arguments: [StatusReport.Item]

    package init(request: RequestID, verb: String, arguments: [StatusReport.Item] = []) {
        self.request = request
        self.verb = verb
        self.arguments = arguments
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(request.rawValue)
        bytes.appendText(verb)
        bytes.appendVarint(UInt64(arguments.count))
        for argument in arguments {
            bytes.appendText(argument.key)
            bytes.appendText(argument.value)
        }
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        request = RequestID(rawValue: try reader.readVarint())
        verb = try reader.readText()
        arguments = []
        for _ in 0..<(try reader.readCount()) {
            arguments.append(StatusReport.Item(key: try reader.readText(), value: try reader.readText()))
        }
        try reader.skipOptionalFields()
    }
}
