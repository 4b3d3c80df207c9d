// SPDX-License-Identifier: Apache-2.0
import NavClient

enum BenchCommand {
    static let definition = CommandDefinition(
        name: "bench",
        summary: "measure a running daemon over its own socket",
        details: "Writes stacks named bench/… into the daemon, so use one that nobody needs. push counts"
            + " acknowledgements, and a push is acknowledged when it is on disk; pull counts answers; sync measures from"
            + " a push on one daemon until a watcher of another (--to) has it. The last line is: ops/s p50_us p99_us."
            + " The latency of a push or pull is that of a batch of --depth.",
        operands: [],
        options: [
            OptionDefinition("op", .choice("OPERATION", ["push", "pull", "sync"]), "what to measure (push)"),
            OptionDefinition("size", .text("BYTES"), "bytes of each envelope (300)"),
            OptionDefinition("connections", .text("NUMBER"), "connections (1)"),
            OptionDefinition("depth", .text("NUMBER"), "requests in flight on each connection (1)"),
            OptionDefinition("count", short: "n", .text("NUMBER"), "requests in all (10000)"),
            OptionDefinition("stacks", .text("NUMBER"), "different stacks, chosen at random (1000)"),
            OptionDefinition("to", .text("ADDRESS"), "with sync: the daemon whose watcher waits"),
            OptionDefinition("gap", .text("MICROSECONDS"), "with sync: rest between two pushes (500)"),
        ],
        examples: [
            "navsyncctl bench --op push --connections 50 --depth 16 --count 200000",
            "navsyncctl bench --op sync --to /run/b/navsyncd.sock --count 500",
        ],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        guard arguments.text("op") != "sync" else { return try runSync(arguments, console) }
        let isPull = arguments.text("op") == "pull"
        let plan = LoadPlan(
            operation: isPull ? .pull : .push, byteCount: try arguments.number("size", default: 300, in: 1...1_000_000),
            connections: try arguments.number("connections", default: 1, in: 1...4_000),
            depth: try arguments.number("depth", default: 1, in: 1...4_000),
            count: try arguments.number("count", default: 10_000, in: 1...1_000_000_000),
            stacks: try stacks(arguments), timeoutMilliseconds: try arguments.timeoutMilliseconds())
        let address = try DaemonCall.address(arguments)
        let result = try DaemonCall.asking { () throws(NavClientError) in try LoadRun.perform(plan, at: address) }
        let byteCount = try DaemonCall.asking { () throws(NavClientError) in
            try LoadRun.envelopeByteCount(near: plan.byteCount)
        }
        try console.writeLine(
            "\(isPull ? "pull" : "push")  \(byteCount) bytes, \(plan.stacks) stacks, \(plan.connections) connections,"
                + " \(plan.depth) in flight on each")
        try console.writeLine(isPull ? "answered = read from the committed state" : "acknowledged = on disk")
        try write(result, console)
    }

    private static func runSync(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        guard let target = arguments.text("to") else {
            throw .usage("--op sync needs a second daemon", hint: "name its socket with --to ADDRESS")
        }
        let watcher = try DaemonCall.asking { () throws(NavClientError) in try DaemonAddress(target) }
        let plan = SyncProbe.Plan(
            writer: try DaemonCall.address(arguments), watcher: watcher,
            byteCount: try arguments.number("size", default: 300, in: 1...1_000_000),
            count: try arguments.number("count", default: 1_000, in: 1...1_000_000_000),
            stacks: try stacks(arguments),
            gapMicroseconds: try arguments.number("gap", default: 500, in: 0...1_000_000),
            timeoutMilliseconds: try arguments.timeoutMilliseconds())
        let result = try DaemonCall.asking { () throws(NavClientError) in try SyncProbe.perform(plan) }
        try console.writeLine("sync  \(plan.byteCount) bytes from \(plan.writer) to a watcher of \(plan.watcher)")
        try write(result, console)
    }

    private static func stacks(_ arguments: ParsedArguments) throws(CommandFailure) -> Int {
        try arguments.number("stacks", default: 1_000, in: 1...100_000_000)
    }

    private static func write(_ result: LoadResult, _ console: Console) throws(CommandFailure) {
        let rate = UInt64(result.operationsPerSecond)
        let p50 = microseconds(result.p50Nanoseconds)
        let p99 = microseconds(result.p99Nanoseconds)
        try console.writeLine("\(result.operations) operations in \(result.nanoseconds / 1_000_000) ms")
        try console.writeLine(
            "rate \(rate) ops/s, p50 \(p50) us, p99 \(p99) us, max \(microseconds(result.maximumNanoseconds)) us")
        try console.writeLine("\(rate) \(p50) \(p99)")
    }

    /// With one decimal.
    private static func microseconds(_ nanoseconds: UInt64) -> String {
        let tenths = (nanoseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}
