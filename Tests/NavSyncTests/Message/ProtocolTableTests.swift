// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// The document's tables explain every byte that the code writes, and its examples are what the code writes.
@Suite struct ProtocolTableTests {
    private let tables: ProtocolTables

    init() throws { tables = ProtocolTables(try ProtocolTables.document()) }

    @Test(arguments: MessageType.allCases) func theTableOfAMessageExplainsEveryByte(_ type: MessageType) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = RandomMessages(seed: seed)
        for _ in 0..<300 {
            var frame: [UInt8] = []
            random.message(type).write(to: &frame)
            #expect(throws: Never.self, "\(type), seed \(seed)") {
                try tables.read(Array(frame[5...]), of: type.rawValue)
            }
        }
    }

    @Test(arguments: MessageType.allCases) func aByteMoreOrLessFitsNoTable(_ type: MessageType) throws {
        var frame: [UInt8] = []
        Self.example(type).write(to: &frame)
        let payload = Array(frame[5...])
        #expect(throws: (any Error).self) { try tables.read(payload + [0], of: type.rawValue) }
        #expect(throws: (any Error).self) { try tables.read(payload.dropLast(), of: type.rawValue) }
    }

    @Test(arguments: MessageType.allCases) func theExampleIsWhatIsWritten(_ type: MessageType) throws {
        var frame: [UInt8] = []
        Self.example(type).write(to: &frame)
        let text = frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(tables.examples[type.rawValue] == text, "\(type)")
    }

    // MARK: Examples

    private static let request = RequestID(rawValue: 5)
    private static let origin = NodeID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
    private static let stamp = Stamp(time: HybridTime(rawValue: 0x018B_CFE5_6800_0001), origin: origin)
    private static let sequence = Sequence(rawValue: 300)
    private static let heartbeat = Heartbeat(
        token: 9, incarnation: Incarnation(rawValue: 0x11), head: sequence, wallMilliseconds: 1_700_000_000_000,
        isSynchronised: true)

    private static func example(_ type: MessageType) -> Message {
        let shop = name("shop")
        return switch type {
        case .hello: .hello(hello)
        case .push: .push(Push(request: request, name: shop, envelope: [1, 2, 3], expected: .stamp(stamp)))
        case .pull: .pull(Pull(request: request, name: shop, withoutEnvelope: true, version: sequence))
        case .list:
            .list(
                List(
                    request: request, prefix: Array("sh".utf8), after: shop.bytes, limit: 100, stack: shop,
                    before: sequence))
        case .delete: .delete(Delete(request: request, name: shop, expected: .absent))
        case .subscribe: .subscribe(subscribe)
        case .unsubscribe: .unsubscribe(Unsubscribe(request: request))
        case .records: .records(records)
        case .acknowledge: .acknowledge(acknowledge)
        case .ping: .ping(Ping(heartbeat))
        case .pong: .pong(Pong(heartbeat))
        case .error: .error(ErrorMessage(request: request, code: 24, reason: "later", current: stamp))
        case .goodbye: .goodbye(Goodbye(code: 64, reason: "stopping"))
        case .status: .status(Status(request: request))
        case .listing:
            .listing(
                Listing(
                    request: request,
                    items: [.init(name: shop, stamp: stamp, sequence: sequence, envelopeByteCount: 3)], hasMore: false,
                    history: .init(
                        through: Sequence(rawValue: 2), live: sequence, liveStamp: stamp,
                        losers: [Sequence(rawValue: 299)])))
        case .statusReport: .statusReport(StatusReport(request: request, items: [.init(key: "state", value: "ready")]))
        case .manage:
            .manage(Manage(request: request, verb: "peer.revoke", arguments: [.init(key: "peer", value: "kiosk")]))
        }
    }

    private static var hello: Hello {
        Hello(
            role: .peer, node: origin, incarnation: Incarnation(rawValue: 0x11), startCounter: 7, nonce: 0x22,
            wallMilliseconds: 1_700_000_000_000, isSynchronised: true, floor: stamp.time, software: "navsync 1",
            grants: Grants(read: 0x33, write: 0x44))
    }

    private static var subscribe: Subscribe {
        let cursor = Cursor(
            incarnation: Incarnation(rawValue: 0x11), sequence: sequence, mark: Mark(rawValue: 0x55),
            scope: Scope(rawValue: 0x66))
        return Subscribe(request: request, start: .cursor(cursor))
    }

    private static var records: Records {
        func record(_ number: UInt64, _ base: Stamp?, _ content: WireRecord.Content) -> WireRecord {
            WireRecord(
                sequence: Sequence(rawValue: number), name: name("shop"), stamp: stamp, writeCount: 2, base: base,
                content: content)
        }
        return Records(
            request: request, through: sequence, mark: Mark(rawValue: 0x55),
            items: [record(299, nil, .envelope([1, 2, 3])), record(300, stamp, .tombstone)])
    }

    private static var acknowledge: Acknowledge {
        Acknowledge(
            request: request, sequence: sequence,
            refused: [.init(code: 65, sequence: sequence, name: name("shop"), stamp: stamp, retryMilliseconds: 0)],
            mark: Mark(rawValue: 0x55))
    }
}
