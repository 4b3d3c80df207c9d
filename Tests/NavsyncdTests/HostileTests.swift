// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// What a stranger, a former peer and a peer that wants more can do to a daemon on TCP: nothing.
@Suite(.serialized) struct HostileTests {
    private let scratch: Scratch
    private let peer = IdentityKey.generate()

    init() throws { scratch = try Scratch() }

    private func start(
        _ rights: Rights?, _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) throws -> RunningDaemon {
        if let rights { try Pairing.trust(peer, "peer", rights, in: scratch.path) }
        let daemon = try RunningDaemon(in: scratch.path) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
            change(&$0)
        }
        try daemon.awaitReady()
        return daemon
    }

    private func manage(_ daemon: RunningDaemon, _ verb: String, _ arguments: [(String, String)]) throws -> [StatusFact]
    {
        try daemon.session().manage(
            verb, arguments.map { StatusFact(key: $0.0, value: $0.1) }, deadline: .after(milliseconds: 10_000))
    }

    /// The daemon still serves who may be served.
    private func expectHealthy(_ daemon: RunningDaemon) throws {
        try daemon.push("health", "ok")
        #expect(try daemon.pull("health") == envelope("ok"))
        #expect(try daemon.stop() == .success)
    }

    private func code(_ messages: [Message]) -> SyncError.Code? {
        for case .goodbye(let message) in messages { return SyncError.Code(rawValue: message.code) }
        return nil
    }

    // MARK: Strangers

    @Test func aStrangersKeyGetsNoByteOfOurs() throws {
        let daemon = try start(.all)
        let line = try HostileLine.greeted(daemon.chosenAddress(), .generate())
        #expect(try line.messagesUntilClosed().isEmpty)
        #expect(line.failure?.code == .refusedByPeer)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("msg=identity_refused code=untrustedIdentity") }
        try expectHealthy(daemon)
    }

    @Test func aStrangerWithTheProofOfAPeerIsRefused() throws {
        let daemon = try start(.all)
        let stolen = TLSKey.issue(by: peer, generation: 1).proof
        let line = try HostileLine.secured(daemon.chosenAddress(), TLSKey(.generate(), proof: stolen))
        #expect(try line.messagesUntilClosed().isEmpty)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("code=malformedCertificate") }
        try expectHealthy(daemon)
    }

    @Test(
        arguments: [
            Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [0, 0, 0, 20, 1] + [UInt8](repeating: 0, count: 20),
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [22, 3, 1, 0xFF, 0xFF, 1, 0, 0xFF, 0xFF],
        ] as [[UInt8]])
    func bytesWithoutTLSAreClosedOn(_ bytes: [UInt8]) throws {
        let daemon = try start(nil) { $0.limits.handshakeNanoseconds = 300_000_000 }
        let line = try HostileLine(daemon.chosenAddress())
        line.sendRaw(bytes)
        try line.read { _ in false }
        #expect(line.takeMessages().isEmpty)
        try expectHealthy(daemon)
    }

    @Test func whoSaysNothingIsClosedOnAndWhoComesTooOftenDoesNotGetIn() throws {
        let daemon = try start(nil) { $0.limits.handshakeNanoseconds = 500_000_000 }
        let address = try daemon.chosenAddress()
        let silent = try (0..<16).map { _ in try HostileLine(address) }
        try waitUntil(seconds: 10, "the refusal of one too many") {
            let line = try HostileLine(address)
            try line.read { _ in false }
            return daemon.has("msg=stranger_refused")
        }
        // Drips keep nobody's place.
        for line in silent { line.sendRaw([22]) }
        for line in silent { try line.read { _ in false } }
        for line in silent { #expect(line.isClosed) }
        try expectHealthy(daemon)
    }

    @Test(arguments: [true, false]) func whoeverResetsAfterBadTLSHarmsNobody(_ overTCP: Bool) throws {
        let daemon = try start(nil)
        let address = try overTCP ? daemon.chosenAddress() : "unix:" + daemon.socket
        for round in 1...3 {
            // Within what the gate lets in: all of them are refused, and gone, in one round of the loop or in a few.
            let lines = try (0..<12).map { _ in try HostileLine(address) }
            for line in lines { line.sendRaw([22, 3, 1, 0, 5] + Array("hello".utf8)) }
            for line in lines { line.reset() }
            try waitUntil(seconds: 10, "the end of all: \(daemon.lines)") {
                daemon.count("msg=disconnected") == round * 12
            }
        }
        #expect(daemon.has("msg=security_failed"))
        try expectHealthy(daemon)
    }

    // MARK: Former peers

    @Test func aRevokedPeerIsCutOffAtOnceAndNotLetInAgain() throws {
        let daemon = try start(.all)
        let line = try HostileLine.greeted(daemon.chosenAddress(), peer)
        let isGreeted = try line.message { if case .hello = $0 { true } else { nil } }
        #expect(isGreeted == true)
        _ = try manage(daemon, "peer.revoke", [("peer", "peer")])
        try line.read { _ in false }
        #expect(line.isClosed)
        let again = try HostileLine.greeted(daemon.chosenAddress(), peer)
        #expect(try again.messagesUntilClosed().isEmpty)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("msg=peer_revoked") }
        // The line is written after the connection is closed.
        try waitUntil(seconds: 10, "the refusal in the log") { daemon.has("code=untrustedIdentity") }
        try expectHealthy(daemon)
    }

    @Test func aTLSKeyFromBeforeARotationIsRefused() throws {
        let daemon = try start(.all)
        let address = try daemon.chosenAddress()
        let new = try HostileLine.secured(address, .issue(by: peer, generation: 9))
        try waitUntil(seconds: 10, "the newer key") { daemon.has("name=peer") }
        let old = try HostileLine.secured(address, .issue(by: peer, generation: 8))
        #expect(try old.messagesUntilClosed().isEmpty)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("code=retiredKey") }
        withExtendedLifetime(new) {}
        try expectHealthy(daemon)
    }

    // MARK: Peers that want more

    @Test func aPeerCannotBeAnotherNorAProgram() throws {
        let daemon = try start(.all)
        let address = try daemon.chosenAddress()
        let other = try HostileLine.greeted(address, peer, as: NodeID(high: 1, low: 2))
        let otherCode = code(try other.messagesUntilClosed())
        #expect(otherCode == .notPermitted)
        let program = try HostileLine.secured(address, .issue(by: peer, generation: 1))
        program.send(Hello.client(software: "x").frame)
        let programCode = code(try program.messagesUntilClosed())
        #expect(programCode == .notPermitted)
        try expectHealthy(daemon)
    }

    @Test func aPeerReadsAndWritesWhatWasGrantedAndNothingElse() throws {
        let shop = try PrefixSet([Array("shop/".utf8)])
        let daemon = try start(Rights(read: shop, write: shop))
        try daemon.push("shop/a", "a")
        try daemon.push("mail/b", "b")
        let line = try HostileLine.greeted(daemon.chosenAddress(), peer)
        let theirs = try #require(try line.message { if case .subscribe(let found) = $0 { found } else { nil } })
        line.send(Subscribe(request: RequestID(rawValue: 3), start: .beginning).frame)
        let sent = try #require(try line.message { if case .records(let found) = $0 { found } else { nil } })
        #expect(sent.items.map(\.name.description) == ["shop/a"])
        let own = try #require(NodeID(bytes: peer.nodeID))
        let items = try ["mail/c", "shop/d"].enumerated().map { number, text in
            WireRecord(
                sequence: Sequence(rawValue: UInt64(number) + 1), name: try StackName(text),
                stamp: Stamp(
                    time: HybridTime(rawValue: (SystemClock.wallMilliseconds() << 16) + UInt64(number)), origin: own),
                writeCount: 1, base: nil, content: .envelope(try envelope("x")))
        }
        let records = Records(
            request: theirs.request, through: Sequence(rawValue: 2), mark: Mark(rawValue: 1), items: items)
        line.send(records.frame)
        let refused = try line.message { message -> [String]? in
            guard case .acknowledge(let found) = message, found.request == theirs.request, !found.refused.isEmpty
            else { return nil }
            return found.refused.map(\.name.description)
        }
        #expect(refused == ["mail/c"])
        try waitUntil(seconds: 10, "what may be written") { try daemon.pull("shop/d") == envelope("x") }
        #expect(try daemon.pull("mail/c") == nil)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("msg=record_refused") }
        try expectHealthy(daemon)
    }

    @Test(arguments: MessageType.allCases, [UInt64.random(in: 0 ... .max)])
    func noMessageInAnyStateHurts(_ type: MessageType, seed: UInt64) throws {
        let daemon = try start(.all)
        let address = try daemon.chosenAddress()
        var generator = SeededGenerator(seed: seed)
        for isGreeted in [false, true] {
            for count in [0, 7, 200] {
                let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let line =
                    isGreeted
                    ? try HostileLine.greeted(address, peer)
                    : try HostileLine.secured(address, .issue(by: peer, generation: 1))
                var frame: [UInt8] = []
                let begin = frame.beginFrame(type)
                frame += payload
                frame.endFrame(at: begin)
                line.send(frame + frame)
            }
        }
        let huge = try HostileLine.greeted(address, peer)
        huge.send([0xFF, 0xFF, 0xFF, 0xFF, type.rawValue])
        _ = try huge.messagesUntilClosed()
        #expect(huge.isClosed, "seed \(seed)")
        try expectHealthy(daemon)
    }

    // MARK: Pairing

    /// Tries a link as a dialler that knows `secret`.
    private func tryLink(
        _ address: String, _ secret: [UInt8], _ key: IdentityKey, generation: UInt64 = 1
    ) throws -> PairingMessage? {
        let line = try HostileLine.secured(address, .issue(by: key, generation: generation), .pairing)
        guard line.failure == nil, let endpoint = line.tls,
            let proof = PairingProof(
                secret: secret, endpoint: endpoint, ownIdentity: key.publicKey, side: .dialler)
        else { return nil }
        line.send(PairingMessage.request(proof: proof.proof(of: .dialler), name: "x\u{1B}[2J").encoded)
        try line.read { (try? PairingMessage.decode($0.plain)) != nil }
        return try PairingMessage.decode(line.plain)
    }

    @Test func aLinkWorksOnceForItsSecretAndWithoutOneNobodyMayTry() throws {
        let daemon = try start(nil)
        let address = try daemon.chosenAddress()
        #expect(try tryLink(address, [1], peer) == nil)
        let answer = try manage(daemon, "pair.offer", [("read-all", ""), ("name", "friend")])
        let link = try PairingLink(#require(answer.first { $0.key == "link" }).value)
        guard case .refused(let reason)? = try tryLink(address, [UInt8](repeating: 7, count: 16), .generate()) else {
            throw TimedOut(what: "a refusal")
        }
        #expect(reason == PairingOffer.Refusal.wrongProof.reason)
        // Straight after a failure nobody gets in, not even with the right secret.
        guard case .refused? = try tryLink(address, link.secret, peer) else { throw TimedOut(what: "a refusal") }
        var accepted: PairingMessage?
        try waitUntil(seconds: 10, "the end of the pause") {
            accepted = try tryLink(address, link.secret, peer)
            if case .accepted? = accepted { return true }
            return false
        }
        #expect(try tryLink(address, link.secret, .generate()) == nil)
        try waitUntil(seconds: 10, "a line in the log") { daemon.has("msg=paired") && !daemon.has("\u{1B}") }
        let shown = try manage(daemon, "peer.show", [("peer", "friend")])
        #expect(shown.contains(StatusFact(key: "read", value: "all")))
        #expect(shown.contains(StatusFact(key: "write", value: "none")))
        try expectHealthy(daemon)
    }

    @Test func aLinkMakesNoRetiredTLSKeyGoodAgain() throws {
        let daemon = try start(nil)
        let address = try daemon.chosenAddress()
        for (generation, isTaken) in [(9, true), (8, false), (9, true)] as [(UInt64, Bool)] {
            let answer = try manage(daemon, "pair.offer", [("name", "friend")])
            let link = try PairingLink(#require(answer.first { $0.key == "link" }).value)
            let found = try tryLink(address, link.secret, peer, generation: generation)
            #expect(found.map { if case .accepted = $0 { true } else { false } } ?? false == isTaken)
            let shown = try manage(daemon, "peer.show", [("peer", "friend")])
            #expect(shown.contains(StatusFact(key: "tls-generation", value: "9")))
        }
        try expectHealthy(daemon)
    }
}
