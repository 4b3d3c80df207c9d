// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync
import Testing

@testable import navsyncd

/// What a peer can do that was let in and then does not keep to the rules: nothing beyond its rights, and nothing to
/// anybody else.
@Suite(.serialized) struct HostilePeerTests {
    private let scratch: Scratch
    private let peer = IdentityKey.generate()

    init() throws { scratch = try Scratch() }

    private func start(
        _ rights: Rights = .all, _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) throws -> RunningDaemon {
        try Pairing.trust(peer, "peer", rights, in: scratch.path)
        let daemon = try RunningDaemon(in: scratch.path) {
            $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)]
            change(&$0)
        }
        try daemon.awaitReady()
        return daemon
    }

    /// The daemon still serves who may be served, local programs and this peer on a new link.
    private func expectHealthy(_ daemon: RunningDaemon) throws {
        try daemon.push("health", "ok")
        #expect(try daemon.pull("health") == envelope("ok"))
        #expect(try daemon.stop() == .success)
    }

    @Test func whoSendsTooFastIsReadSlowlyAndLosesNothing() throws {
        let daemon = try start { $0.limits.peerByteRate = 512 << 10 }
        let link = try HostileLink(daemon.chosenAddress(), peer)
        let large = try envelope(String(repeating: "no envelope of one letter ", count: 4000).shuffledText())
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
        for number in [1, items] { #expect(try daemon.pull("s\(number)") == large) }
        try expectHealthy(daemon)
    }
}

extension String {
    /// The same letters in an order that does not compress.
    fileprivate func shuffledText() -> String { String(shuffled()) }
}
