// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavStore
import NavSync
import Testing

@testable import navsyncd

@Suite struct ClockAheadTests {
    /// What a daemon has kept that wrote under a clock ten years ahead.
    private func writeAhead(_ directory: String) throws {
        let node = NodeID(high: 1, low: 1)
        let (store, _) = try SQLiteStore.open(
            directory: directory, node: node, limits: .default, wallMilliseconds: 0, random: { 7 })
        let then = SystemClock.wallMilliseconds() + 10 * 365 * 86_400_000
        let bytes = try envelope("x")
        let record = Record(
            name: try StackName("shop"), stamp: Stamp(time: HybridTime(milliseconds: then), origin: node),
            writeCount: 1, base: nil, content: .envelope(bytes, ContentHash(words: (1, 2, 3, 4))))
        var batch = CommitBatch(mark: Mark(rawValue: 1))
        batch.rows = [Row(sequence: Sequence(rawValue: 1), state: .merged, source: nil, record: record)]
        try store.apply(batch)
        try store.close()
    }

    @Test func aDaemonWhoseWritesPeersWillRefuseSaysSo() throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.file("state"), 0o700) == 0)
        try writeAhead(scratch.file("state"))
        let daemon = try RunningDaemon(in: scratch.path)
        try daemon.awaitReady()
        try daemon.push("shop", "y")
        #expect(daemon.count("msg=clock_ahead ahead_ms=3153") == 1, "\(daemon.lines)")
        #expect(daemon.has("AFTER A WRONG CLOCK"))
        let status = try daemon.session().status(deadline: .after(milliseconds: 10_000))
        let value = try #require(status.first { $0.key == "clock.refused-for-ms" }.flatMap { UInt64($0.value) })
        #expect(value > 9 * 365 * 86_400_000)
        #expect(try daemon.stop() == .success)
    }
}
