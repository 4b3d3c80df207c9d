// SPDX-License-Identifier: Apache-2.0
import Testing

/// What two real daemons let each other do, while they are linked and when it changes.
@Suite struct TrustTests {
    private let scratch: Scratch
    /// It listens; `kiosk` dials it.
    private let desk: Daemon
    private let kiosk: Daemon

    init() throws {
        scratch = try Scratch()
        desk = try Daemon(scratch, "desk", listens: true)
        kiosk = try Daemon(scratch, "kiosk", listens: true)
    }

    private func push(_ name: String, on daemon: Daemon) throws {
        try daemon.ctl.succeed("push", name, Samples.path("empty"))
    }

    private func holds(_ daemon: Daemon, _ name: String) throws -> Bool { try daemon.ctl("pull", name).status == 0 }

    private func expectArrival(
        _ name: String, at daemon: Daemon, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let hasArrived = try Wait.until(15) { try holds(daemon, name) }
        #expect(hasArrived, "\(name) is not at \(daemon.name): \(daemon.log)", sourceLocation: place)
    }

    /// What a daemon's status shows under keys with this part in them.
    private func shown(_ daemon: Daemon, _ part: String) throws -> [String] {
        try daemon.status().filter { $0.key.contains(part) }.map(\.value).sorted()
    }

    private func said(by daemon: Daemon) -> String { (try? daemon.status()).map { "\($0)" } ?? daemon.log }

    @Test func aNarrowedRightHoldsAtOnceForALinkThatIsOpen() throws {
        try kiosk.pair(with: desk)
        try push("mail/before", on: desk)
        try expectArrival("mail/before", at: kiosk)
        try desk.ctl.succeed("peer", "allow", "kiosk", "--read", "shop/", "--write", "shop/")

        // Sent in the order of their writes: had the first been let through, it would be there before the second.
        try push("mail/after", on: desk)
        try push("shop/after", on: desk)
        try expectArrival("shop/after", at: kiosk)
        #expect(try !holds(kiosk, "mail/after"))

        try push("mail/there", on: kiosk)
        try push("shop/there", on: kiosk)
        try expectArrival("shop/there", at: desk)
        #expect(try !holds(desk, "mail/there"))
        let isShown = try Wait.until(10) {
            try shown(desk, "refusal.").contains { $0.hasPrefix("notPermitted stack=mail/there") }
                && shown(kiosk, "refused-there.").contains { $0.hasPrefix("notPermitted stack=mail/there") }
        }
        #expect(isShown, "\(said(by: desk)) \(said(by: kiosk))")
        #expect(desk.log.contains("msg=rights_changed") && desk.log.contains("msg=record_refused"))

        // Given back, what is there already comes, and nothing says any more that it was refused.
        try desk.ctl.succeed("peer", "allow", "kiosk", "--all")
        try expectArrival("mail/after", at: kiosk)
        try expectArrival("mail/there", at: desk)
        let isSettled = try Wait.until(10) {
            try shown(desk, "refusal.").isEmpty && shown(kiosk, "refused-there.").isEmpty
        }
        #expect(isSettled, "\(said(by: desk)) \(said(by: kiosk))")
    }

    @Test func aRevokedPeerGetsAndGivesNothingMore() throws {
        try kiosk.pair(with: desk)
        try push("before", on: desk)
        try expectArrival("before", at: kiosk)
        try desk.ctl.succeed("peer", "revoke", "kiosk")
        try push("after", on: desk)
        try push("there", on: kiosk)
        // It has tried to come back, and was refused.
        let isRefused = Wait.until(15) { desk.log.contains("msg=identity_refused code=untrustedIdentity") }
        #expect(isRefused, "\(desk.log)")
        #expect(try !holds(kiosk, "after") && !holds(desk, "there"))
        #expect(desk.log.contains("msg=peer_revoked"))
        let isAway = try Wait.until(10) { try shown(kiosk, "peer.0.state") == ["away"] }
        #expect(isAway)
    }

    @Test func aPeerKeepsNoMoreStacksAndBytesThanItsQuota() throws {
        try kiosk.pair(with: desk, and: ["--all", "--max-stacks", "2"])
        for name in ["a", "b", "c"] { try push(name, on: kiosk) }
        let isRefused = try Wait.until(15) {
            try shown(desk, "refusal.").contains { $0.hasPrefix("limitExceeded stack=c") }
        }
        #expect(isRefused, "\(said(by: desk))")
        #expect(try holds(desk, "a") && holds(desk, "b") && !holds(desk, "c"))
        // Less than one envelope: what is there stays, nothing more comes, and reading goes on.
        try desk.ctl.succeed("peer", "allow", "kiosk", "--max-stacks", "none", "--max-bytes", "1")
        try push("d", on: kiosk)
        let isTooMuch = try Wait.until(15) {
            try shown(desk, "refusal.").contains { $0.hasPrefix("limitExceeded stack=d") }
        }
        #expect(isTooMuch, "\(said(by: desk))")
        try push("ours", on: desk)
        try expectArrival("ours", at: kiosk)
        try desk.ctl.succeed("peer", "allow", "kiosk", "--max-bytes", "none")
        for name in ["c", "d"] { try expectArrival(name, at: desk) }
        #expect(try shown(desk, "refusal.").isEmpty)
    }

    @Test func twoDaemonsOfOneMachineSyncOverAUnixSocket() throws {
        // Paired over TCP, which needs an address; from then on the socket is the only way.
        try kiosk.pair(with: desk)
        try desk.stop()
        let desk = try Daemon(scratch, "desk")
        try kiosk.stop()
        try kiosk.start(adding: ["--peer", "unix:\(desk.socket)"])
        try push("from-desk", on: desk)
        try expectArrival("from-desk", at: kiosk)
        try push("from-kiosk", on: kiosk)
        try expectArrival("from-kiosk", at: desk)
        try desk.ctl.succeed("peer", "allow", "kiosk", "--read", "shop/")
        try push("mail/a", on: desk)
        try push("shop/a", on: desk)
        try expectArrival("shop/a", at: kiosk)
        #expect(try !holds(kiosk, "mail/a"))
    }

    @Test func aDaemonThatIsNotTrustedIsNoPeerOnAUnixSocketEither() throws {
        // The kernel says that it is this user's process; as a daemon it must prove more.
        try kiosk.pair(with: desk)
        try desk.ctl.succeed("peer", "revoke", "kiosk")
        try desk.stop()
        let logged = desk.log.count
        let desk = try Daemon(scratch, "desk")
        try push("secret", on: desk)
        try kiosk.stop()
        try kiosk.start(adding: ["--peer", "unix:\(desk.socket)"])
        let isRefused = Wait.until(15) {
            desk.log.dropFirst(logged).contains("msg=identity_refused code=untrustedIdentity")
        }
        #expect(isRefused, "\(desk.log)")
        #expect(try !holds(kiosk, "secret"))
    }
}
