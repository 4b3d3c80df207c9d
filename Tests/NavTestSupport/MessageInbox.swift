// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// Puts the bytes of one direction of a connection back into messages.
package struct MessageInbox {
    private var cutter = FrameCutter()

    package init() {}

    package mutating func read(_ bytes: [UInt8]) throws(SyncError) -> [Message] {
        cutter.append(bytes)
        var messages: [Message] = []
        while let frame = try cutter.next(limit: 4 << 20) { messages.append(try Message(reading: frame)) }
        return messages
    }
}
