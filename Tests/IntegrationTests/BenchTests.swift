// SPDX-License-Identifier: Apache-2.0
import Testing

/// The bench measures a running daemon and ends with a line that programs read.
@Suite struct BenchTests {
    private func numbers(_ result: Ctl.Result) throws -> [Double] {
        let last = try #require(result.lines.last)
        return last.split(separator: " ").compactMap { Double($0) }
    }

    @Test(arguments: [["--op", "push"], ["--op", "pull", "--stacks", "50"]])
    func theLastLineIsRateAndPercentiles(_ words: [String]) throws {
        let daemon = try Daemon(Scratch(), "a")
        let shape = ["--connections", "4", "--depth", "8", "--count", "400", "--timeout", "20"]
        let result = try Ctl.run(["--socket", daemon.socket, "bench"] + words + shape)
        #expect(result.status == 0, "\(result.diagnostics)")
        let numbers = try numbers(result)
        #expect(numbers.count == 3 && numbers.allSatisfy { $0 > 0 } && numbers[1] <= numbers[2], "\(result.text)")
        #expect(result.text.contains("400 operations"))
    }

    @Test func aPushIsReportedAsAcknowledgedOnDiskAndIsThere() throws {
        let daemon = try Daemon(Scratch(), "a")
        let result = try daemon.ctl.succeed("bench", "--count", "30", "--stacks", "5")
        #expect(result.lines.contains("acknowledged = on disk"))
        let names = try daemon.ctl.succeed("list", "bench/", "--names").lines
        #expect(!names.isEmpty && names.count <= 5)
        try daemon.ctl.succeed("pull", try #require(names.first))
    }

    @Test func syncMeasuresFromAPushUntilAWatcherOfTheOtherHasIt() throws {
        let cluster = try Cluster(peersOf: [[], [0]])
        try cluster.linkUp()
        let result = try cluster[0].ctl.succeed(
            "bench", "--op", "sync", "--to", cluster[1].socket, "--count", "20", "--timeout", "20")
        #expect(try numbers(result).count == 3, "\(result.text)")
        #expect(try cluster[0].ctl("bench", "--op", "sync").status == 2)
    }
}
