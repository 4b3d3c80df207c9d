// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The way from another thread into a loop: messages are handed over and the loop is woken.
package final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wakeup: Wakeup

    init(wakeup: Wakeup) { self.wakeup = wakeup }

    /// Hands a message over. From any thread; messages of one thread arrive in its order.
    package func send(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeup.signal()
    }

    /// Everything handed over so far, in order.
    func takeAll() -> [Message] {
        messages.withLock { messages in
            guard !messages.isEmpty else { return [] }
            let taken = messages
            messages = []
            return taken
        }
    }
}
