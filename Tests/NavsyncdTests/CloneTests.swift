// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// Two machines with one identity, as after copying a state directory: said clearly, kept apart, and no link is made
/// again and again.
@Suite(.serialized) struct CloneTests {
    private let scratch: Scratch
    private let peer = IdentityKey.generate()

    init() throws { scratch = try Scratch() }

    private func start() throws -> RunningDaemon {
        try Pairing.trust(peer, "kiosk", in: scratch.path)
        let daemon = try RunningDaemon(in: scratch.path) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
        }
        try daemon.awaitReady()
        return daemon
    }

    private func code(_ line: HostileLine) throws -> SyncError.Code? {
        for case .goodbye(let message) in try line.messagesUntilClosed() {
            return SyncError.Code(rawValue: message.code)
        }
        return nil
    }

    @Test func aCopyOfALinkedPeerIsRefusedKeptAwayAndNamedAndTheLinkStays() throws {
        let daemon = try start()
        let address = try daemon.chosenAddress()
        let link = try HostileLink(address, peer, startCounter: 5, nonce: 1)
        // As old as the one that is here, or older: no restart.
        for counter in [5, 4] as [UInt64] {
            let copy = try HostileLine.greeted(address, peer, startCounter: counter, nonce: 2)
            #expect(try code(copy) == .duplicateIdentity)
        }
        let id = try #require(NodeID(bytes: peer.nodeID))
        try waitUntil(seconds: 10, "a line that names the copy") {
            daemon.has("msg=duplicate_identity node=\(id.text) name=kiosk address=127.0.0.1")
        }
        link.send([try link.record("still/linked")])
        #expect(try link.refusals().isEmpty)
        #expect(try daemon.pull("still/linked") == envelope("x"))
        #expect(daemon.count("msg=link_ready") == 1)
        // It waits even when the one that was here has gone.
        link.line.send(Goodbye(code: 0, reason: "").frame)
        try link.line.read { _ in false }
        try waitUntil(seconds: 10, "the end of the link") { daemon.has("msg=link_lost") }
        let late = try HostileLine.greeted(address, peer, startCounter: 5, nonce: 2)
        #expect(try code(late) == .duplicateIdentity)
        #expect(try daemon.stop() == .success)
    }

    @Test func aRestartedPeerTakesThePlaceOfItsDeadLink() throws {
        let daemon = try start()
        let address = try daemon.chosenAddress()
        let old = try HostileLink(address, peer, startCounter: 5, nonce: 1)
        let new = try HostileLink(address, peer, startCounter: 6, nonce: 2)
        #expect(try old.goodbye() == .duplicateLink)
        new.send([try new.record("after")])
        #expect(try new.refusals().isEmpty)
        #expect(!daemon.has("msg=duplicate_identity"))
        #expect(try daemon.stop() == .success)
    }

    @Test func whoPresentsOurOwnIdentityIsToldThatOneOfUsIsACopy() throws {
        let daemon = try start()
        let own = try Pairing.identity(in: scratch.path)
        let line = try HostileLine.greeted(daemon.chosenAddress(), own)
        #expect(try code(line) == .duplicateIdentity)
        let id = try #require(NodeID(bytes: own.nodeID))
        try waitUntil(seconds: 10, "a line in the log") {
            daemon.has("msg=duplicate_identity node=\(id.text) name=this-daemon address=127.0.0.1")
        }
        // The key alone opens nothing: neither as somebody else, nor as a program.
        let other = try HostileLine.greeted(daemon.chosenAddress(), own, as: NodeID(bytes: peer.nodeID))
        #expect(try code(other) == .notPermitted)
        let program = try HostileLine.secured(daemon.chosenAddress(), .issue(by: own, generation: 1))
        program.send(Hello.client(software: "x").frame)
        #expect(try code(program) == .notPermitted)
        #expect(try daemon.stop() == .success)
    }

    @Test func bothDaemonsWithOneStateDirectorySayThatOneIsACopy() throws {
        let copy = try Scratch()
        let daemon = try start()
        let address = try SocketAddress(parsing: daemon.chosenAddress())
        mkdir(copy.file("state"), 0o700)
        for name in ["identity.key", "identity.pub", "peers"] {
            let bytes = try AtomicFile.read(scratch.file("state/\(name)"), limit: 1 << 16)
            if let bytes { try AtomicFile.write(bytes, to: copy.file("state/\(name)"), mode: 0o600) }
        }
        let clone = try RunningDaemon(in: copy.path) {
            $0.peers = [address]
            $0.backOff.firstNanoseconds = 1_000_000
            $0.backOff.maximumNanoseconds = 10_000_000
        }
        try clone.awaitReady()
        for one in [daemon, clone] {
            try waitUntil(seconds: 10, "a line at both: \(one.lines)") { one.has("msg=duplicate_identity") }
        }
        try waitUntil(seconds: 10, "a wait of minutes") { clone.has("delay_ms=300000") }
        #expect(daemon.count("msg=duplicate_identity") == 1)
        #expect(try clone.stop() == .success)
        #expect(try daemon.stop() == .success)
    }

    @Test func aDaemonThatDialsItselfSaysSoAndRaisesNoAlarm() throws {
        let daemon = try start()
        let address = try SocketAddress(parsing: daemon.chosenAddress())
        try daemon.reload { $0.peers = [address] }
        try waitUntil(seconds: 10, "the reason: \(daemon.lines)") { daemon.has("this replica dialled itself") }
        #expect(!daemon.has("msg=duplicate_identity"))
        #expect(try daemon.stop() == .success)
    }
}
