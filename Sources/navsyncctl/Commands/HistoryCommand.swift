// SPDX-License-Identifier: Apache-2.0
import NavClient

enum HistoryCommand {
    static let definition = CommandDefinition(
        name: "history",
        summary: "list the versions of a stack that the daemon still has",
        details:
            "One line for each version, newest first, in the order in which they came to this daemon: its number, by"
            + " which pull and undo take it, when and where it was written, and its size. 'live' is what the stack is;"
            + " 'lost' is a write that knew nothing of a later one which was there already. Numbers are the daemon's own:"
            + " each daemon of the network has others.",
        operands: [.stack],
        options: [OptionDefinition("limit", short: "n", .text("N"), "at most so many (20)"), .json],
        examples: ["navsyncctl history shop/cart", "navsyncctl history shop/cart -n 100"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let name = try StackOperand.name(arguments)
        let limit = try arguments.number("limit", default: 20, in: 1...1_000_000)
        let (versions, mayHaveMore) = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            try session.history(of: name, limit: limit, deadline: deadline)
        }
        if arguments.isSet("json") {
            try console.writeLine(JSONText.array(versions.map(object)))
        } else {
            for line in lines(versions) { try console.writeLine(line) }
        }
        if mayHaveMore { console.note("there may be older ones: -n \(limit * 10) shows more") }
    }

    static func object(_ version: StackVersion) -> [UInt8] {
        JSONText.object(
            [("version", .number(version.number))] + StampText.fields(version.stamp) + [
                ("size", version.byteCount.map { .number(UInt64($0)) } ?? .null),
                ("removed", .boolean(version.byteCount == nil)), ("live", .boolean(version.isLive)),
                ("lost", .boolean(version.isLoser)),
            ])
    }

    static func lines(_ versions: [StackVersion]) -> [String] {
        let rows = [("VERSION", "SIZE")] + versions.map { ("\($0.number)", $0.byteCount.map { "\($0)" } ?? "removed") }
        let numberWidth = rows.map(\.0.count).max() ?? 0
        let sizeWidth = rows.map(\.1.count).max() ?? 0
        let middles =
            ["WRITTEN                   ORIGIN "]
            + versions.map {
                "\(StampText.time($0.stamp.milliseconds))  \($0.stamp.shortOrigin)"
            }
        let states = [""] + versions.map { $0.isLive ? "  live" : $0.isLoser ? "  lost" : "" }
        return rows.indices.map { index in
            Display.padded(rows[index].0, numberWidth) + "  " + middles[index] + "  "
                + Display.padded(rows[index].1, sizeWidth) + states[index]
        }
    }
}
