// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import NavWire
import Testing

/// Input that is wrong gets an error that says what was found; the daemon goes on and the stack stays as it was.
@Suite struct BadInputTests {
    /// Envelopes that were good before something happened to them, and the exit status that each must get.
    private static func damaged() throws -> [(what: String, bytes: [UInt8], status: Int32)] {
        let good = try PathEnvelope.encode(SwiftUIJSON.decode(Samples.bytes("shop")))
        var cases: [(String, [UInt8], Int32)] = []
        for count in [1, 4, 8, good.count / 2, good.count - 1] {
            cases.append(("cut to \(count)", Array(good.prefix(count)), 5))
        }
        var magic = good
        magic[0] ^= 0xFF
        cases.append(("wrong magic", magic, 5))
        for offset in [2, 4, good.count / 2, good.count - 1] {
            var flipped = good
            flipped[offset] ^= 0x41
            cases.append(("byte \(offset) changed", flipped, 5))
        }
        cases.append(("a byte too many", good + [0], 5))
        cases.append(("no byte", [], 5))
        cases.append(("not UTF-8", [0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], 5))
        return cases
    }

    @Test func aDamagedEnvelopeIsRefusedByTheCommandLine() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let before = try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text
        for (what, bytes, status) in try Self.damaged() {
            let result = try daemon.ctl("push", "cart", input: bytes)
            #expect(result.status == status, "\(what): \(result.diagnostics)")
            #expect(result.diagnostics.hasPrefix("navsyncctl: error: "), "\(what)")
        }
        #expect(try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text == before)
    }

    @Test func aDamagedEnvelopeIsRefusedByTheDaemonItself() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let before = try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text
        let line = try RawLine.greeted(daemon)
        for (index, (what, bytes, _)) in try Self.damaged().enumerated() {
            let request = RequestID(rawValue: UInt64(index + 1))
            line.send(Push(request: request, name: try StackName("cart"), envelope: bytes).frame)
            guard case .error(let error)? = try line.receive() else {
                Issue.record("\(what): not refused")
                continue
            }
            #expect(error.request == request)
            #expect(error.error.code == .invalidEnvelope, "\(what): \(error.error)")
        }
        #expect(try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text == before)
    }

    @Test(arguments: ["", String(repeating: "n", count: 513), "a\nb", "a\u{7F}", "a\u{202E}b", "a\u{85}b"])
    func aNameOutsideTheGrammarIsRefusedByTheCommandLine(_ name: String) throws {
        let daemon = try Daemon(Scratch(), "a")
        for command in ["push", "pull", "rm"] {
            let result = try daemon.ctl(command, name, input: Samples.bytes("shop"))
            #expect(result.status == 5, "\(command): \(result.diagnostics)")
            #expect(!result.diagnostics.contains(name) || name.isEmpty, "\(command) shows the name as it came")
        }
    }

    @Test func aNameOutsideTheGrammarIsRefusedByTheDaemonItself() throws {
        let daemon = try Daemon(Scratch(), "a")
        let envelope = try PathEnvelope.encode([])
        let names: [[UInt8]] = [[], Array(repeating: 0x61, count: 513), [0x61, 0], [0x0A], [0xFF], [0xC0, 0x80]]
        for name in names {
            let line = try RawLine.greeted(daemon)
            var frame: [UInt8] = []
            frame.appendFrame(.push) { payload in
                payload.appendVarint(1)
                payload.appendCounted(name)
                payload.appendCounted(envelope)
            }
            line.send(frame)
            guard case .error(let error)? = try line.receive() else {
                Issue.record("\(name): not refused")
                continue
            }
            #expect(error.error.code == .invalidName, "\(name): \(error.error)")
        }
        #expect(try daemon.ctl.succeed("list", "--json").text == "[]\n")
    }

    @Test func namesThatLookLikeFilesAreNamesAndNothingElse() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        let names = ["../x", "/etc/x", "a/../../b", ".", "CON", "a\u{302}", "\u{E2}", "日本", "-", "$x"]
        for name in names { try daemon.ctl.succeed("push", "--", name, Samples.path("shop")) }
        let listed = try daemon.session().list(prefix: "", deadline: .after(milliseconds: 10_000)).map {
            Array($0.name.utf8)
        }
        #expect(Set(listed) == Set(names.map { Array($0.utf8) }))
        #expect(!Files.exists(scratch.file("x")) && !Files.exists("/etc/x"))
    }

    @Test(
        arguments: [
            ("an absurd length", [0xFF, 0xFF, 0xFF, 0xFF, 1]), ("a length over the limit for hello", [0, 1, 0, 0, 1]),
            ("another protocol", Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            ("a hello that ends early", [0, 0, 0, 2, 1, 1, 1]),
            ("a push before hello", [0, 0, 0, 1, 2, 1]), ("an empty frame", [0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func aStreamThatIsNotOursIsClosedAndTheDaemonGoesOn(_ what: String, _ bytes: [UInt8]) throws {
        let daemon = try Daemon(Scratch(), "a")
        let line = try RawLine(daemon)
        line.send(bytes)
        _ = try line.messagesUntilClosed()
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
    }

    @Test func connectionsThatDribbleKeepNobodyOut() throws {
        let daemon = try Daemon(Scratch(), "a")
        let lines = try (0..<200).map { _ in try RawLine(daemon) }
        for line in lines { line.send([0]) }
        let start = Wait.now()
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        #expect(Wait.now() - start < 3)
        // All of them have one deadline for the whole handshake, however they spread their bytes.
        for line in lines { line.send([0]) }
        #expect(try Wait.until(10) { try daemon.status()["sessions.without-hello"] == "0" })
    }

    @Test func aFrameOverTheLimitIsRefusedFromItsLengthAlone() throws {
        let daemon = try Daemon(Scratch(), "a")
        let line = try RawLine.greeted(daemon)
        line.send([0x7F, 0xFF, 0xFF, 0xFF, 2])
        let messages = try line.messagesUntilClosed()
        let codes = messages.compactMap { message -> SyncError.Code? in
            switch message {
            case .error(let error): error.error.code
            case .goodbye(let goodbye): SyncError.Code(rawValue: goodbye.code)
            default: nil
            }
        }
        #expect(codes.contains(.frameTooLarge), "\(messages)")
        try daemon.ctl.succeed("list")
    }

    @Test func anUnknownMessageGetsATypedRefusalAndTheSessionGoesOn() throws {
        let daemon = try Daemon(Scratch(), "a")
        let line = try RawLine.greeted(daemon)
        line.send([0, 0, 0, 3, 200, 1, 2, 3])
        guard case .error(let error)? = try line.receive() else {
            Issue.record("no refusal")
            return
        }
        #expect(error.error.code == .unknownMessage)
        line.send(Status(request: RequestID(rawValue: 9)).frame)
        guard case .statusReport(let report)? = try line.receive() else {
            Issue.record("the session did not go on")
            return
        }
        #expect(report.request.rawValue == 9)
    }

    @Test func anotherProtocolVersionIsRefusedWithBothRanges() throws {
        let daemon = try Daemon(Scratch(), "a")
        let line = try RawLine(daemon)
        var hello = Hello.client(software: "test")
        hello.versions = 90...91
        line.send(hello.frame)
        let reasons = try line.messagesUntilClosed().compactMap { message -> SyncError? in
            switch message {
            case .error(let error): error.error
            case .goodbye(let goodbye):
                SyncError.Code(rawValue: goodbye.code).map { SyncError(code: $0, reason: goodbye.reason) }
            default: nil
            }
        }
        let refusal = try #require(reasons.first { $0.code == .versionMismatch })
        #expect(refusal.reason.contains("90") && refusal.reason.contains("1"))
        try daemon.ctl.succeed("list")
    }

    @Test func aPathOverTheLimitIsTooLarge() throws {
        let daemon = try Daemon(Scratch(), "a")
        let json = Array("[\"Swift.String\",\"\\\"\(String(repeating: "x", count: 1_100_000))\\\"\"]".utf8)
        let result = try daemon.ctl("push", "big", input: json)
        #expect(result.status == 6, "\(result.diagnostics)")
        #expect(try daemon.ctl("pull", "big").status == 3)
    }

    @Test func aFailedCommandWritesNoFile() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        #expect(try daemon.ctl("pull", "nothing", "-o", scratch.file("out")).status == 3)
        #expect(try Ctl.run(["encode", Samples.path("odd-count"), "-o", scratch.file("out")]).status == 5)
        #expect(try Ctl.run(["decode", Samples.path("shop"), "-o", scratch.file("out")]).status == 5)
        #expect(!Files.exists(scratch.file("out")))
        #expect(Files.names(in: scratch.path).allSatisfy { !$0.hasPrefix("out") })
    }
}
