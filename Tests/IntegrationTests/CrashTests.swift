// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import NavWire
import Testing

/// What was acknowledged is there after any end of the process.
@Suite struct CrashTests {
    @Test func everyAcknowledgedPushIsThereAfterTwentyKills() throws {
        let daemon = try Daemon(Scratch(), "a")
        let envelope = try PathEnvelope.encode(SwiftUIJSON.decode(Samples.bytes("shop")))
        var acknowledged: Set<String> = []
        for round in 0..<20 {
            acknowledged.formUnion(try pushUntilKilled(daemon, round, envelope))
            try daemon.start()
            let present = try daemon.session().list(prefix: "", deadline: .after(milliseconds: 10_000)).map(\.name)
            let missing = acknowledged.subtracting(present)
            #expect(missing.isEmpty, "round \(round): \(missing.count) of \(acknowledged.count) are missing")
        }
        #expect(acknowledged.count >= 200)
        try daemon.ctl.succeed("pull", try #require(acknowledged.min()))
    }

    /// Has many pushes under way, kills the daemon after the tenth answer, and returns the names that were answered:
    /// those whose answer was sent before the kill too.
    private func pushUntilKilled(_ daemon: Daemon, _ round: Int, _ envelope: [UInt8]) throws -> Set<String> {
        let line = try RawLine.greeted(daemon)
        var frames: [UInt8] = []
        for index in 1...60 {
            let request = RequestID(rawValue: UInt64(index))
            frames += Push(request: request, name: try StackName("r\(round)/\(index)"), envelope: envelope).frame
        }
        line.send(frames)
        var names: Set<String> = []
        while let message = try? line.receive() {
            guard case .acknowledge(let answer) = message else { continue }
            names.insert("r\(round)/\(answer.request.rawValue)")
            if names.count == 10 { try daemon.kill() }
        }
        return names
    }

    @Test func aSocketThatAKilledDaemonLeftIsTakenOver() throws {
        let daemon = try Daemon(Scratch(), "a")
        for _ in 0..<3 {
            try daemon.kill()
            #expect(Files.exists(daemon.socket))
            let dead = try daemon.ctl("list")
            #expect(dead.status == 4)
            #expect(dead.diagnostics.contains("is dead"), "\(dead.diagnostics)")
            try daemon.start()
        }
        try daemon.ctl.succeed("list")
    }
}
