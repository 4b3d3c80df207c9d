// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// What a peer can do that was let in and then does not keep to the rules: nothing beyond its rights, and nothing to
/// anybody else.
@Suite(.serialized) struct HostilePeerTests {
    private let stage: HostileStage

    init() throws { stage = try HostileStage() }

    // MARK: Records

    /// One record that must not be taken, and the code that says why.
    private func expectRefusal(
        _ code: SyncError.Code, _ rights: Rights = .all, _ place: SourceLocation = #_sourceLocation,
        _ spoil: (inout WireRecord, HostileStage) throws -> Void
    ) throws {
        try stage.start(rights) { $0.limits.maximumEnvelopeByteCount = 4096 }
        let link = try stage.link()
        var bad = try link.record("shop/bad")
        try spoil(&bad, stage)
        link.send([bad, try link.record("shop/good")])
        #expect(try link.refusals() == ["\(bad.name)": code], sourceLocation: place)
        #expect(try stage.daemon.pull("\(bad.name)") == nil, sourceLocation: place)
        // The rest of the message is as good as ever.
        #expect(try stage.daemon.pull("shop/good") == envelope("x"), sourceLocation: place)
        try stage.expectOthersWellAndStop(place)
    }

    @Test func aStampOfAFarFutureIsNotTakenAndMovesNoClock() throws {
        try expectRefusal(.clockDrift) { record, stage in
            record.stamp = Stamp(time: HybridTime(rawValue: .max), origin: record.stamp.origin)
        }
        let ahead = try #require(stage.facts["clock.floor-ahead-ms"].flatMap { Int($0) })
        #expect(ahead < 60_000)
    }

    @Test func anEnvelopeThatDoesNotVerifyIsNotTaken() throws {
        try expectRefusal(.invalidEnvelope) { record, _ in
            var bytes = try envelope("y")
            bytes[bytes.count - 1] ^= 1
            record.content = .envelope(bytes)
        }
    }

    @Test func bytesThatAreNoEnvelopeAreNotTaken() throws {
        try expectRefusal(.invalidEnvelope) { record, _ in record.content = .envelope(Array("{}".utf8)) }
    }

    @Test func aRecordWithoutItsEnvelopeIsNotTaken() throws {
        try expectRefusal(.invalidEnvelope) { record, _ in record.content = .omitted(byteCount: .max) }
    }

    @Test func anEnvelopeThatIsTooLargeIsNotTaken() throws {
        try expectRefusal(.valueTooLarge) { record, _ in
            record.content = .envelope([UInt8](repeating: 7, count: 4097))
        }
    }

    @Test(arguments: ["mail/x", "shop", "Shop/x", "sho\u{301}p/x", "../shop/x"])
    func aNameOutsideTheGrantedPrefixesIsNotTaken(_ text: String) throws {
        let shop = try PrefixSet([Array("shop/".utf8)])
        try expectRefusal(.notPermitted, Rights(read: shop, write: shop)) { record, _ in
            record.name = try StackName(text)
        }
    }

    @Test func aRemovalOutsideTheGrantedPrefixesIsNotTaken() throws {
        let shop = try PrefixSet([Array("shop/".utf8)])
        try stage.start(Rights(read: .all, write: shop))
        try stage.daemon.push("mail/x", "stays")
        let link = try stage.link()
        link.send([try link.record("mail/x", .tombstone)])
        #expect(try link.refusals() == ["mail/x": .notPermitted])
        #expect(try stage.daemon.pull("mail/x") == envelope("stays"))
        try stage.expectOthersWellAndStop()
    }

    @Test func aForgedWriteOfOurOwnCannotUseUpOurCounter() throws {
        try stage.start()
        let link = try stage.link()
        var bad = try link.record("shop/bad")
        bad.stamp = Stamp(time: bad.stamp.time, origin: try stage.ownID())
        bad.writeCount = .max
        link.send([bad])
        #expect(try link.refusals() == ["shop/bad": .malformedMessage])
        // The count of a start is the greatest that the store holds: another start, and writing still works.
        try stage.restart()
        try stage.expectOthersWellAndStop()
    }

    @Test func aRecordInAnothersNameIsShownAsClaimedAndALocalWriteStillWins() throws {
        try stage.start()
        let link = try stage.link()
        let ahead = HybridTime(milliseconds: SystemClock.wallMilliseconds() + 50_000)
        for (name, origin) in [("theirs", NodeID(high: 1, low: 2)), ("ours", try stage.ownID())] {
            var forged = try link.record(name)
            forged.stamp = Stamp(time: ahead, origin: origin)
            link.send([forged])
            #expect(try link.refusals().isEmpty)
            #expect(try stage.daemon.pull(name) == envelope("x"))
            try stage.daemon.push(name, "later")
            #expect(try stage.daemon.pull(name) == envelope("later"))
        }
        try stage.expectOthersWellAndStop()
    }

    // MARK: Messages

    /// Frames after which the daemon must end the link, and the code that says why.
    private func expectEnd(
        _ code: SyncError.Code, _ place: SourceLocation = #_sourceLocation,
        _ frame: (HostileLink) throws -> [UInt8]
    ) throws {
        try stage.start()
        let link = try stage.link()
        link.line.send(try frame(link))
        #expect(try link.goodbye() == code, sourceLocation: place)
        try stage.expectOthersWellAndStop(place)
    }

    @Test func aPeerGivesNoOrders() throws {
        let request = RequestID(rawValue: 9)
        let name = try StackName("shop/a")
        let orders: [[UInt8]] = [
            Manage(request: request, verb: "peer.revoke", arguments: [.init(key: "peer", value: "witness")]).frame,
            Push(request: request, name: name, envelope: try envelope("x"), expected: .anything).frame,
            Pull(request: request, name: name).frame, Delete(request: request, name: name).frame,
            Pull(request: request, name: name, version: Sequence(rawValue: 1)).frame,
            List(request: request, stack: name).frame,
            List(request: request, prefix: [], after: [], limit: 0).frame, Status(request: request).frame,
        ]
        try stage.start()
        for order in orders {
            let link = try stage.link()
            link.line.send(order)
            #expect(try link.goodbye() == .unexpectedMessage, "type \(order[4])")
        }
        try stage.expectOthersWellAndStop()
    }

    @Test func helloIsSaidOnce() throws {
        try expectEnd(.unexpectedMessage) { HostileLine.hello($0.node).frame }
    }

    @Test func answersThatNobodyAskedForAreRefusedAndTheLinkGoesOn() throws {
        try stage.start()
        let link = try stage.link()
        let request = RequestID(rawValue: 9)
        let odd: [([UInt8], SyncError.Code)] = [
            (Listing(request: request, items: [], hasMore: false).frame, .unexpectedMessage),
            (StatusReport(request: request, items: []).frame, .unexpectedMessage),
            ([0, 0, 0, 1, 200, 9], .unknownMessage),
        ]
        for (frame, code) in odd {
            link.line.send(frame)
            let answer = try link.line.message { if case .error(let found) = $0 { found } else { nil } }
            #expect(answer?.request == request && answer?.code == code.rawValue)
        }
        // Late or meaningless, and dropped without a word.
        link.line.send(Unsubscribe(request: request).frame)
        link.line.send(Records(request: request, through: .zero, mark: Mark(rawValue: 1), items: []).frame)
        link.line.send(ErrorMessage(request: request, .draining).frame)
        link.send([try link.record("still/here")])
        #expect(try link.refusals().isEmpty)
        try stage.expectOthersWellAndStop()
    }

    @Test func aFrameLongerThanTheLimitIsNotWaitedFor() throws {
        try expectEnd(.frameTooLarge) { _ in [0x00, 0x11, 0x00, 0x01, MessageType.records.rawValue] }
    }

    @Test(arguments: [10, 1 << 20, 1 << 62] as [UInt64])
    func aCountThatLiesIsNotBelieved(_ count: UInt64) throws {
        try expectEnd(.malformedMessage) { link in
            var frame: [UInt8] = []
            let start = frame.beginFrame(.records)
            frame.appendVarint(link.request.rawValue)
            frame.appendUInt64(1)
            frame.appendUInt64(1)
            frame += [1, 1]
            frame.appendVarint(count)
            frame += [0x61]
            frame.endFrame(at: start)
            return frame
        }
    }

    @Test(arguments: ["\u{1B}", "\u{0}", "\u{7F}", "\n"]) func aNameOutsideTheGrammarEndsTheLink(_ text: String) throws
    {
        try expectEnd(.invalidName) { link in
            let frame = Records(
                request: link.request, through: Sequence(rawValue: 1), mark: Mark(rawValue: 1),
                items: [try link.record("shop/@")]
            ).frame
            // Where else the byte may stand does not matter: the name comes first.
            return frame.map { $0 == UInt8(ascii: "@") ? Array(text.utf8)[0] : $0 }
        }
    }

    @Test func sequencesMustAscendAndStayBelowWhatIsSaid() throws {
        try expectEnd(.malformedMessage) { link in
            let item = try link.record("shop/a")
            return Records(
                request: link.request, through: item.sequence, mark: Mark(rawValue: 1), items: [item, item]
            ).frame
        }
    }

    @Test func aSubscriptionOfOursStartsWhereWeAsked() throws {
        try expectEnd(.malformedMessage) { link in
            Acknowledge(request: link.request, sequence: Sequence(rawValue: 1 << 50)).frame
        }
    }

    @Test func whatWasNeverSentCannotBeAcknowledged() throws {
        try expectEnd(.malformedMessage) { link in
            let request = RequestID(rawValue: 3)
            return Subscribe(request: request, start: .beginning).frame
                + Acknowledge(request: request, sequence: Sequence(rawValue: 1 << 50)).frame
        }
    }

    @Test func aCursorBehindEverythingMeansTheBeginningAndOnlyWhatMayBeRead() throws {
        let shop = try PrefixSet([Array("shop/".utf8)])
        try stage.start(Rights(read: shop, write: shop))
        try stage.daemon.push("shop/a", "a")
        try stage.daemon.push("mail/b", "b")
        let link = try stage.link()
        let cursor = Cursor(
            incarnation: Incarnation(rawValue: 1), sequence: Sequence(rawValue: .max), mark: Mark(rawValue: .max),
            scope: Scope(rawValue: .max))
        link.line.send(Subscribe(request: RequestID(rawValue: 3), start: .cursor(cursor)).frame)
        let sent = try link.line.message { if case .records(let found) = $0 { found } else { nil } }
        #expect(sent?.items.map(\.name.description) == ["shop/a"])
        try stage.expectOthersWellAndStop()
    }

    // MARK: Floods

    @Test func aFloodOfPingsThatNobodyReadsStopsAtTheSender() throws {
        try stage.start()
        let link = try stage.link()
        let heartbeat = Heartbeat(
            token: 1, incarnation: Incarnation(rawValue: 1), head: .zero, wallMilliseconds: 1, isSynchronised: false)
        let pings = (0..<4000).flatMap { _ in Ping(heartbeat).frame }
        var rounds = 0
        // Answers are as long as pings: the daemon stops reading before it owes us much.
        while rounds < 400, link.line.send(pings) { rounds += 1 }
        #expect(rounds < 400, "\(rounds * pings.count >> 20) MiB of pings were taken and not one answer was read")
        try stage.expectOthersWellAndStop()
    }

    @Test func aFloodOfSubscriptionsLeavesOne() throws {
        try stage.start()
        for number in 0..<50 { try stage.daemon.push("shop/\(number)", "x") }
        let link = try stage.link()
        for number in 0..<2000 as Range<UInt64> {
            link.line.send(Subscribe(request: RequestID(rawValue: 2 * number + 1), start: .beginning).frame)
        }
        try stage.daemon.push("shop/last", "y")
        var last: RequestID?
        let isTold = try link.line.message { message -> Bool? in
            guard case .records(let found) = message else { return nil }
            last = found.request
            return found.items.contains { $0.name.description == "shop/last" } ? true : nil
        }
        #expect(isTold == true && last == RequestID(rawValue: 3999))
        try stage.expectOthersWellAndStop()
    }

    @Test func whoSendsTooFastIsReadSlowlyAndLosesNothing() throws {
        try stage.start { $0.limits.peerByteRate = 512 << 10 }
        let link = try stage.link()
        let large = try envelope(String(String(repeating: "letters that are many ", count: 4000).shuffled()))
        let begin = SystemClock.monotonicNanoseconds()
        var sent = 0
        var items = 0
        while sent < 2 << 20 {
            items += 1
            link.send([try link.record("s\(items)", .envelope(large))])
            sent += large.count
        }
        #expect(try link.refusals().isEmpty)
        let seconds = Double(SystemClock.monotonicNanoseconds() - begin) / 1e9
        // A second's worth may come at once, and as much as is read in one go.
        #expect(seconds > 1.5, "2 MiB at 512 KiB a second took \(seconds) s")
        for number in [1, items] { #expect(try stage.daemon.pull("s\(number)") == large) }
        try stage.expectOthersWellAndStop()
    }
}
