// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport

/// Messages of every type with random fields.
struct RandomMessages {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number() -> UInt64 {
        let bits = UInt64.random(in: 0...63, using: &generator)
        return UInt64.random(in: .min ... .max, using: &generator) >> bits
    }

    mutating func coin() -> Bool { Bool.random(using: &generator) }
    mutating func request() -> RequestID { RequestID(rawValue: number()) }
    mutating func id() -> NodeID { NodeID(high: number(), low: number()) }
    mutating func time() -> Stamp { Stamp(time: HybridTime(rawValue: number()), origin: id()) }
    mutating func place() -> Sequence { Sequence(rawValue: number()) }

    mutating func bytes(_ range: ClosedRange<Int> = 0...40) -> [UInt8] {
        (0..<Int.random(in: range, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    mutating func someName() -> StackName {
        let letters = Array("abc/é日 ")
        return name(
            String(
                (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? "a"
                }))
    }

    mutating func expectation() -> Expectation {
        switch UInt8.random(in: 0...2, using: &generator) {
        case 0: .anything
        case 1: .absent
        default: .stamp(time())
        }
    }

    mutating func record() -> WireRecord {
        let content: WireRecord.Content =
            switch UInt8.random(in: 0...2, using: &generator) {
            case 0: .tombstone
            case 1: .omitted(byteCount: Int(number() >> 1))
            default: .envelope(bytes())
            }
        return WireRecord(
            sequence: place(), name: someName(), stamp: time(), writeCount: number(), base: coin() ? time() : nil,
            content: content)
    }

    mutating func cursor() -> Cursor {
        Cursor(
            incarnation: Incarnation(rawValue: number()), sequence: place(), mark: Mark(rawValue: number()),
            scope: Scope(rawValue: number()))
    }

    mutating func heartbeat() -> Heartbeat {
        Heartbeat(
            token: number(), incarnation: Incarnation(rawValue: number()), head: place(), wallMilliseconds: number(),
            isSynchronised: coin())
    }

    mutating func hello() -> Hello {
        Hello(
            versions: 1...(1 + number() >> 1), role: coin() ? .client : .peer, capabilities: number(), node: id(),
            incarnation: Incarnation(rawValue: number()), startCounter: number(), nonce: number(),
            wallMilliseconds: number(), isSynchronised: coin(), floor: HybridTime(rawValue: number()),
            software: "navsync é", grants: coin() ? Grants(read: number(), write: number()) : nil)
    }

    mutating func subscribe() -> Subscribe {
        let start: SubscriptionStart =
            switch UInt8.random(in: 0...2, using: &generator) {
            case 0: .now
            case 1: .beginning
            default: .cursor(cursor())
            }
        return Subscribe(request: request(), prefix: bytes(), start: start, withoutEnvelopes: coin())
    }

    mutating func items() -> [StatusReport.Item] {
        (0..<Int.random(in: 0...5, using: &generator)).map { StatusReport.Item(key: "key.\($0)", value: "é \($0)") }
    }

    mutating func refused() -> [Acknowledge.Refused] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            Acknowledge.Refused(
                code: UInt16.random(in: .min ... .max, using: &generator), sequence: place(), name: someName(),
                stamp: time(), retryMilliseconds: number())
        }
    }

    mutating func listing() -> Listing {
        let items = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            Listing.Item(name: someName(), stamp: time(), sequence: place(), envelopeByteCount: Int(number() >> 1))
        }
        guard coin() else { return Listing(request: request(), items: items, hasMore: coin()) }
        let losers = (0..<Int.random(in: 0...3, using: &generator)).map { _ in place() }
        return Listing(
            request: request(), items: items, hasMore: coin(),
            history: .init(through: place(), live: place(), liveStamp: time(), losers: losers))
    }

    mutating func list() -> List {
        List(
            request: request(), prefix: bytes(), after: bytes(), limit: Int(number() >> 1),
            stack: coin() ? someName() : nil, before: coin() ? place() : nil)
    }

    mutating func message(_ type: MessageType) -> Message {
        switch type {
        case .hello: .hello(hello())
        case .push: .push(Push(request: request(), name: someName(), envelope: bytes(), expected: expectation()))
        case .pull:
            .pull(
                Pull(
                    request: request(), name: someName(), withoutEnvelope: coin(), version: coin() ? place() : nil))
        case .list: .list(list())
        case .delete: .delete(Delete(request: request(), name: someName(), expected: expectation()))
        case .subscribe: .subscribe(subscribe())
        case .unsubscribe: .unsubscribe(Unsubscribe(request: request()))
        case .records:
            .records(
                Records(
                    request: request(), through: place(), mark: Mark(rawValue: number()),
                    items: (0..<Int.random(in: 0...4, using: &generator)).map { _ in record() }))
        case .acknowledge:
            .acknowledge(
                Acknowledge(
                    request: request(), sequence: place(), stamp: coin() ? time() : nil, isCursorVoid: coin(),
                    refused: refused(), mark: coin() ? Mark(rawValue: number()) : nil))
        case .ping: .ping(Ping(heartbeat()))
        case .pong: .pong(Pong(heartbeat()))
        case .error:
            .error(
                ErrorMessage(
                    request: request(), code: UInt16.random(in: .min ... .max, using: &generator), reason: "é",
                    current: coin() ? time() : nil))
        case .goodbye: .goodbye(Goodbye(code: UInt16.random(in: .min ... .max, using: &generator), reason: "é"))
        case .status: .status(Status(request: request()))
        case .listing: .listing(listing())
        case .statusReport: .statusReport(StatusReport(request: request(), items: items()))
        case .manage: .manage(Manage(request: request(), verb: "pair", arguments: items()))
        }
    }
}
