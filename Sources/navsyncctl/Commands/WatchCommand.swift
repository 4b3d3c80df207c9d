// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

enum WatchCommand {
    static let definition = CommandDefinition(
        name: "watch",
        summary: "print each change of a stack as it happens",
        details: "Runs until it is ended, until --count changes were seen, or until the daemon has been away for 30 s."
            + " When the connection breaks it is made again and the watch goes on where it was: of a stack that"
            + " changed meanwhile the newest state is shown. --timeout bounds each answer, not the watch.",
        operands: [.prefix],
        options: [
            .json,
            OptionDefinition("all", "first show the stacks that are there"),
            OptionDefinition("count", short: "n", .text("NUMBER"), "end after so many changes"),
        ],
        examples: ["navsyncctl watch shop/ --json"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        var left = try arguments.number("count", default: .max, in: 1...1_000_000_000)
        var watch = Watch(
            address: try DaemonCall.address(arguments), prefix: arguments.operand(0) ?? "",
            startsWithPresent: arguments.isSet("all"), timeoutMilliseconds: try arguments.timeoutMilliseconds())
        try DaemonCall.asking { () throws(NavClientError) in try watch.start() }
        console.note("watching \(Display.quoted(arguments.operand(0) ?? "")) at \(watch.address)")
        while left > 0 {
            let event = try DaemonCall.asking { () throws(NavClientError) in try watch.next() }
            switch event {
            case .change(let change):
                try write(change, arguments, console)
                left -= 1
            case .reconnecting(let reason): console.note("\(reason); connecting again")
            case .reconnected: console.note("connected again")
            }
        }
    }

    private static func write(
        _ change: StackChange, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        var (word, size) = ("removed", nil as Int?)
        if case .written(let envelope) = change.kind { (word, size) = ("written", envelope.count) }
        if arguments.isSet("json") {
            var fields: [(String, JSONText.Value)] = [("event", .text(word)), ("name", .text(change.name))]
            fields += StampText.fields(change.stamp)
            if let size { fields.append(("size", .number(UInt64(size)))) }
            try console.writeLine(JSONText.object(fields))
        } else {
            let time = StampText.time(change.stamp.milliseconds)
            let bytes = size.map { "\($0) bytes" } ?? ""
            let parts = [time, change.stamp.shortOrigin, word, Display.escaped(change.name), bytes]
            try console.writeLine(parts.filter { !$0.isEmpty }.joined(separator: "  "))
        }
        try console.flush()
    }
}
