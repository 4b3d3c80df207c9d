// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import Testing

@Suite struct ClientSessionTests {
    private func open(_ daemon: FakeDaemon, milliseconds: Int = 5_000) throws(NavClientError) -> ClientSession {
        try ClientSession(to: DaemonAddress(daemon.path), deadline: .after(milliseconds: milliseconds))
    }

    private var soon: Deadline { .after(milliseconds: 5_000) }

    @Test func aPushReturnsTheStampOfItsAcknowledgement() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            return Acknowledge(request: push.request, sequence: Sequence(rawValue: 7), stamp: FakeDaemon.stamp).frame
        }
        let receipt = try open(daemon).push([1, 2, 3], to: "cart", expecting: .anything, deadline: soon)
        #expect(receipt.stamp.milliseconds == 1_000)
        #expect(receipt.name == "cart")
    }

    @Test func answersToOtherRequestsArePassedOver() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .pull(let pull) = message, let record = try? FakeDaemon.record("a", sequence: 1, .envelope([9]))
            else { return nil }
            let other = Acknowledge(request: RequestID(rawValue: 99), sequence: .zero).frame
            let mark = Mark(rawValue: 0)
            return other
                + Records(request: pull.request, through: Sequence(rawValue: 1), mark: mark, items: [record]).frame
        }
        #expect(try open(daemon).pull("a", deadline: soon).envelope == [9])
    }

    @Test func aListOfSeveralPagesIsPutTogether() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .list(let list) = message, let first = try? StackName("a"), let second = try? StackName("b")
            else {
                return nil
            }
            let isFirst = list.after.isEmpty
            let item = Listing.Item(
                name: isFirst ? first : second, stamp: FakeDaemon.stamp, sequence: Sequence(rawValue: 1),
                envelopeByteCount: 5)
            return Listing(request: list.request, items: [item], hasMore: isFirst).frame
        }
        #expect(try open(daemon).list(prefix: "", deadline: soon).map(\.name) == ["a", "b"])
    }

    @Test(arguments: [
        (SyncError.Code.notFound, NavClientError.Code.notFound), (.invalidEnvelope, .invalidPath),
        (.unknownDictionary, .unknownDictionary), (.valueTooLarge, .tooLarge), (.staleBase, .staleBase),
        (.storeFull, .refused), (.draining, .unreachable),
        (.notPermitted, .refused), (.linkUnusable, .refused), (.versionMismatch, .incompatible),
    ])
    func aRefusalIsThrownWithItsReason(_ code: SyncError.Code, _ expected: NavClientError.Code) throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .pull(let pull) = message else { return nil }
            return ErrorMessage(request: pull.request, SyncError(code: code, reason: "because")).frame
        }
        let session = try open(daemon)
        #expect {
            try session.pull("a", deadline: soon)
        } throws: {
            guard let error = $0 as? NavClientError else { return false }
            return error.code == expected && error.reason.contains("because")
        }
    }

    @Test func aStaleBaseTellsTheStampThatStandsThere() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            let error = SyncError(code: .staleBase, reason: "stale")
            return ErrorMessage(request: push.request, error, current: FakeDaemon.stamp).frame
        }
        let session = try open(daemon)
        #expect {
            try session.push([1], to: "a", expecting: .absent, deadline: soon)
        } throws: {
            ($0 as? NavClientError)?.hint?.contains(FakeDaemon.stampText) == true
        }
    }

    @Test func aStaleBaseWithoutAStackDoesNotSayToPullIt() throws {
        let daemon = FakeDaemon.answering { message, _ in
            guard case .push(let push) = message else { return nil }
            return ErrorMessage(request: push.request, SyncError(code: .staleBase, reason: "stale")).frame
        }
        let session = try open(daemon)
        let error = try #require(throws: NavClientError.self) {
            try session.push([1], to: "a", expecting: .stamp(StackStamp(FakeDaemon.stampText)), deadline: soon)
        }
        #expect(error.hint == "there is no stack of that name now: push it as a new one, or leave it removed")
    }

    @Test func hintsNameNothingThatOnlyTheCommandLineHas() throws {
        let silent = FakeDaemon { $0.waitForEnd() }
        let other = FakeDaemon { line in
            _ = line.receive()
            line.send(Array("SSH-2.0-OpenSSH_9.2p1 Debian".utf8))
        }
        let paths = ["/nonexistent/s", "/dev/null", "/dev/null/s", silent.path, other.path]
        for path in paths + ["/" + String(repeating: "long", count: 30)] {
            let error = try #require(throws: NavClientError.self) {
                try ClientSession(to: try DaemonAddress(path), deadline: .after(milliseconds: 50))
            }
            let hint = try #require(error.hint, "\(error)")
            #expect(!hint.contains("--") && !hint.contains("navsyncctl"), "\(error)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func aDaemonThatIsSilentEndsTheCallAtItsDeadline() throws {
        let silent = FakeDaemon { $0.waitForEnd() }
        #expect(throws: NavClientError(code: .deadlineExceeded, reason: "")) { try open(silent, milliseconds: 20) }
        let mute = FakeDaemon { line in
            line.greet()
            line.waitForEnd()
        }
        let session = try open(mute)
        #expect(throws: NavClientError(code: .deadlineExceeded, reason: "")) {
            try session.pull("a", deadline: .after(milliseconds: 20))
        }
    }

    @Test func aConnectionThatBreaksSaysSo() throws {
        let daemon = FakeDaemon.answering { _, _ in nil }
        let session = try open(daemon)
        #expect(throws: NavClientError(code: .connectionLost, reason: "")) { try session.pull("a", deadline: soon) }
    }

    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0, 0, 0, 1, 1, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1],
    ])
    func whatSpeaksAnotherProtocolIsIncompatible(_ bytes: [UInt8]) {
        let daemon = FakeDaemon { line in
            line.send(bytes)
            line.waitForEnd()
        }
        #expect(throws: NavClientError(code: .incompatible, reason: "")) { try open(daemon) }
    }

    @Test func aDaemonOfAnotherProtocolVersionIsNamedWithBothRanges() {
        let daemon = FakeDaemon { line in
            var hello = FakeDaemon.hello()
            hello.versions = 90...91
            line.send(hello.frame)
            line.waitForEnd()
        }
        #expect {
            try open(daemon)
        } throws: {
            ($0 as? NavClientError)?.code == .incompatible && "\($0)".contains("90 to 91")
        }
    }

    @Test func messagesOfAnUnknownTypeArePassedOver() throws {
        let daemon = FakeDaemon.answering { message, line in
            guard case .status(let status) = message else { return nil }
            line.send([0, 0, 0, 2, 200, 1, 2])
            return StatusReport(request: status.request, items: [.init(key: "a.b", value: "c")]).frame
        }
        #expect(try open(daemon).status(deadline: soon).map(\.key) == ["a.b"])
    }

    @Test func eachWayNotToReachADaemonHasItsOwnSentence() throws {
        let reason = { (path: String) -> String? in
            do throws(NavClientError) {
                _ = try ClientSession(to: try DaemonAddress(path), deadline: .after(milliseconds: 1_000))
                return nil
            } catch {
                return error.code == .unreachable && error.hint != nil ? error.reason : nil
            }
        }
        #expect(reason("/nonexistent/s") == "there is no socket at /nonexistent/s")
        #expect(reason("/dev/null") == "/dev/null is not a socket")
        #expect(reason("/dev/null/s") == "a part of the path /dev/null/s is not a directory")
        let dead = try DeadSocket()
        withExtendedLifetime(dead) {
            #expect(reason(dead.path)?.hasSuffix("no daemon listens there any more") == true)
        }
    }

    @Test func anEnvelopeOverTheLimitIsRefusedBeforeItIsSent() throws {
        let daemon = FakeDaemon.answering { _, _ in nil }
        let session = try open(daemon)
        let large = [UInt8](repeating: 0, count: SyncLimits.default.maximumEnvelopeByteCount + 1)
        #expect(throws: NavClientError(code: .tooLarge, reason: "")) {
            try session.push(large, to: "a", expecting: .anything, deadline: soon)
        }
    }

    @Test func aNameIsCheckedBeforeItIsSent() throws {
        let daemon = FakeDaemon.answering { _, _ in nil }
        let session = try open(daemon)
        for name in ["", "a\nb", String(repeating: "n", count: 513)] {
            #expect(throws: NavClientError(code: .invalidName, reason: "")) { try session.pull(name, deadline: soon) }
        }
    }
}
