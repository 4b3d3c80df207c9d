// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavSync
import NavWire
import Testing

/// Start, stop, and who owns a state directory.
@Suite struct LifecycleTests {
    @Test func aSecondDaemonOnTheSameDirectoryEndsAndTouchesNothing() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        var before = stat()
        stat(daemon.socket, &before)
        let second = try Daemon(scratch, "a", start: false)
        try second.launch()
        #expect(second.wait(within: 5) == .exited(4))
        #expect(second.log.contains("\(try #require(daemon.pid))"), "the holder is not named: \(second.log)")
        var after = stat()
        stat(daemon.socket, &after)
        #expect(before.st_ino == after.st_ino)
        try PathText.expectSamePath(daemon.ctl.succeed("pull", "cart").output, Samples.bytes("shop"))
    }

    @Test func twentyDaemonsStartedAtOnceOnOneDirectoryLeaveOne() throws {
        let scratch = try Scratch()
        let daemons = try (0..<20).map { _ in try Daemon(scratch, "a", start: false) }
        for daemon in daemons { try daemon.launch() }
        let isSettled = Wait.until(20) { daemons.filter { $0.wait(within: 0) == nil }.count == 1 }
        #expect(isSettled)
        let endings = daemons.compactMap { $0.wait(within: 0) }
        #expect(endings.allSatisfy { $0 == .exited(4) }, "\(endings)")
        #expect(Wait.until(5) { (try? daemons[0].ctl("list").status) == 0 })
    }

    @Test func theTermSignalEndsADaemonUnderLoadInTwoSecondsAndLosesNothing() throws {
        let daemon = try Daemon(Scratch(), "a")
        let envelope = try PathEnvelope.encode(SwiftUIJSON.decode(Samples.bytes("shop")))
        let line = try RawLine.greeted(daemon)
        let watcher = try RawLine.greeted(daemon)
        watcher.send(Subscribe(request: RequestID(rawValue: 1), start: .beginning).frame)
        for index in 1...200 {
            let request = RequestID(rawValue: UInt64(index))
            line.send(Push(request: request, name: try StackName("s\(index)"), envelope: envelope).frame)
        }
        guard case .acknowledge(let first)? = try line.receive() else {
            Issue.record("the first push was not acknowledged")
            return
        }
        let start = Wait.now()
        #expect(try daemon.stop(within: 5) == .exited(0))
        #expect(Wait.now() - start < 2)
        var acknowledged = ["s\(first.request.rawValue)"]
        for case .acknowledge(let answer) in try line.messagesUntilClosed() {
            acknowledged.append("s\(answer.request.rawValue)")
        }
        try daemon.start()
        let present = try daemon.session().list(prefix: "", deadline: .after(milliseconds: 10_000)).map(\.name)
        #expect(Set(acknowledged).subtracting(present).isEmpty)
    }

    @Test func theInterruptSignalEndsItInGoodOrderAndRemovesTheSocket() throws {
        let daemon = try Daemon(Scratch(), "a")
        daemon.signal(SIGINT)
        #expect(daemon.wait(within: 2) == .exited(0))
        #expect(!Files.exists(daemon.socket))
    }

    @Test func aDaemonThatDoesNotAnswerEndsTheCommandAtItsDeadline() throws {
        let daemon = try Daemon(Scratch(), "a")
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        let start = Wait.now()
        let result = try daemon.ctl("list", "--timeout", "0.3")
        #expect(result.status == 8)
        #expect(result.diagnostics.contains("hint:"))
        #expect(Wait.now() - start < 3)
    }

    @Test func itsFilesAreItsOwnersAlone() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let files = Files.names(in: daemon.stateDirectory).filter { !$0.hasSuffix(".pub") }.map { "/" + $0 }
        #expect(files.count >= 3)
        for name in files + [""] {
            var status = stat()
            try #require(stat(daemon.stateDirectory + name, &status) == 0)
            #expect(status.st_mode & 0o077 == 0, "\(name)")
        }
    }
}
