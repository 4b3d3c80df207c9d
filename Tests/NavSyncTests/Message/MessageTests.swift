// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct MessageTests {
    private func read(_ frame: [UInt8]) throws -> [Message] {
        var inbox = MessageInbox()
        return try inbox.read(frame)
    }

    /// The frame with another payload.
    private func reframe(_ type: MessageType, _ payload: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendFrame(type) { $0.append(contentsOf: payload) }
        return bytes
    }

    @Test(arguments: MessageType.allCases)
    func everyMessageComesBack(type: MessageType) throws {
        var random = RandomMessages(seed: UInt64(type.rawValue))
        for _ in 0..<100 {
            let message = random.message(type)
            var bytes: [UInt8] = []
            message.write(to: &bytes)
            #expect(try read(bytes) == [message])
        }
    }

    @Test(arguments: MessageType.allCases)
    func everyMessageThatIsCutShortIsRefusedOrReadsAsAnotherOne(type: MessageType) throws {
        var random = RandomMessages(seed: 1000 + UInt64(type.rawValue))
        for _ in 0..<8 {
            let message = random.message(type)
            var bytes: [UInt8] = []
            message.write(to: &bytes)
            let payload = bytes.dropFirst(Frame.headerByteCount)
            for end in payload.indices {
                // A cut between optional fields, or between records, leaves a whole message; a cut elsewhere does not.
                do throws(SyncError) {
                    var inbox = MessageInbox()
                    let other = try inbox.read(reframe(type, payload[..<end]))
                    #expect(other != [message])
                } catch {
                    #expect(error.code == .malformedMessage || error.code == .invalidName)
                }
            }
        }
    }

    @Test(arguments: MessageType.allCases.filter { $0 != .records })
    func unknownOptionalFieldsAreSkipped(type: MessageType) throws {
        var random = RandomMessages(seed: 2000 + UInt64(type.rawValue))
        for _ in 0..<50 {
            let message = random.message(type)
            var bytes: [UInt8] = []
            message.write(to: &bytes)
            var payload = Array(bytes.dropFirst(Frame.headerByteCount))
            payload.appendVarint(1_000_000)
            payload.appendCounted([1, 2, 3])
            payload.appendVarint(1_000_001)
            payload.appendCounted([])
            #expect(try read(reframe(type, payload)) == [message])
        }
    }

    @Test func anUnknownTypeIsNamed() {
        #expect(throws: SyncError.unknownMessage(99)) {
            var inbox = MessageInbox()
            return try inbox.read([0, 0, 0, 0, 99])
        }
    }

    @Test(arguments: MessageType.allCases)
    func randomBytesNeverTrap(type: MessageType) {
        var random = RandomMessages(seed: 3000 + UInt64(type.rawValue))
        for _ in 0..<1000 {
            let payload = random.bytes(0...60)
            _ = try? read(reframe(type, payload))
        }
    }

    @Test(arguments: MessageType.allCases)
    func flippedBitsNeverTrap(type: MessageType) {
        var random = RandomMessages(seed: 4000 + UInt64(type.rawValue))
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            random.message(type).write(to: &bytes)
            guard bytes.count > Frame.headerByteCount else { continue }
            let place = Int.random(in: Frame.headerByteCount..<bytes.count, using: &random.generator)
            bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random.generator)
            _ = try? read(bytes)
        }
    }

    @Test func aFutureProtocolIsNamedBeforeItsFieldsAreRead() {
        var payload: [UInt8] = []
        payload.appendVarint(7)
        payload.appendVarint(9)
        payload += [0xFF, 0xFF]
        do throws(SyncError) {
            var inbox = MessageInbox()
            _ = try inbox.read(reframe(.hello, payload))
            Issue.record("a protocol that is not spoken here was accepted")
        } catch {
            #expect(error.code == .versionMismatch)
            #expect(error.reason.contains("7 to 9") && error.reason.contains("1 to 1"))
        }
    }

    @Test func aStrangersReasonIsMadeFitForALog() {
        let hostile = ErrorMessage(
            request: .none, code: 64, reason: "a\nb\u{1B}[31m\u{202E}" + String(repeating: "x", count: 9999))
        #expect(hostile.error.reason.hasPrefix("a?b?[31m?xxx"))
        #expect(hostile.error.reason.count == 400)
    }

    @Test func anUnknownErrorCodeKeepsItsNumberAndReason() throws {
        let message = ErrorMessage(request: .none, code: 999, reason: "new")
        #expect(message.error.code == .unexpectedMessage)
        #expect(message.error.reason == "error 999: new")
    }
}
