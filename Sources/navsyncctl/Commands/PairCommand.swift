// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient

/// Makes a pairing link, or uses one.
enum PairCommand {
    static let definition = CommandDefinition(
        name: "pair",
        summary: "make two daemons trust each other",
        details: """
            Without LINK, prints a link that works once within ten minutes, and waits until it was used. With LINK (or '-'
            to read it from standard input), uses it. Afterwards both sides show six words: they are the same when nobody
            is in between. The other side may read and write nothing but what the options grant it here.
            """,
        operands: [
            OperandDefinition(
                "LINK", .word([]), isRequired: false, "the link that the other side printed; '-': read it")
        ],
        options: PeerRights.options + [
            OptionDefinition("name", .text("NAME"), "what the other side is called here"),
            OptionDefinition(
                "address", .text("HOST:PORT"), "where the link says this daemon is; may be repeated (its TCP listeners)"
            ),
            OptionDefinition("no-wait", "print the link and do not wait until it was used"),
            .json,
        ],
        examples: ["navsyncctl pair --all", "navsyncctl pair --read shop/ --write shop/ 'navsync://…'"],
        run: run)

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        var facts = try PeerRights.facts(arguments)
        if let name = arguments.text("name") { facts.append(StatusFact(key: "name", value: name)) }
        if !PeerRights.isGiven(arguments) {
            console.note(
                "the other side may read and write nothing yet: --all, --read and --write grant rights,"
                    + " and so does 'navsyncctl peer allow' later")
        }
        if let link = arguments.operand(0) {
            try use(link == "-" ? try readLink() : link, facts, arguments, console)
        } else {
            try offer(facts, arguments, console)
        }
    }

    private static func use(
        _ link: String, _ facts: [StatusFact], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        var arguments = arguments
        // Several addresses may have to be tried.
        if !arguments.isSet("timeout") { arguments.options["timeout"] = "30" }
        let answer = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
            // The daemon gives up first, so that its answer says how it ended.
            let left = Int(deadline.remainingMilliseconds)
            let its = min(max(1, left - min(2_000, left / 4)), 600_000)
            let link = [StatusFact(key: "link", value: link), StatusFact(key: "timeout-ms", value: "\(its)")]
            return try session.manage("pair.accept", link + facts, deadline: deadline)
        }
        try show(answer, arguments, console)
    }

    private static func offer(
        _ facts: [StatusFact], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let places = arguments.texts("address").map { StatusFact(key: "address", value: $0) }
        let call = try DaemonCall(arguments)
        let answer = try call.ask { session, deadline throws(NavClientError) in
            try session.manage("pair.offer", facts + places, deadline: deadline)
        }
        let link = answer.first { $0.key == "link" }?.value ?? ""
        if arguments.isSet("json") {
            try console.writeLine(JSONText.object(answer.map { ($0.key, .text($0.value)) }))
        } else {
            try console.writeLine(Display.escaped(link))
            if console.isOutputTerminal { try drawCode(link, console) }
        }
        guard !arguments.isSet("no-wait") else { return }
        // Whoever passes the link on must have it while it can be used.
        try console.flush()
        console.note("run 'navsyncctl pair LINK' on the other machine within ten minutes; waiting for it")
        let offer = answer.filter { $0.key == "offer" }
        try show(try waitForUse(of: offer, arguments), arguments, console)
    }

    private static func drawCode(_ link: String, _ console: Console) throws(CommandFailure) {
        guard let code = QRCode.render(link) else {
            return console.note("with the package libqrencode4 installed, a QR code is shown too")
        }
        try console.write(Array(code.utf8))
    }

    private static func waitForUse(
        of offer: [StatusFact], _ arguments: ParsedArguments
    ) throws(CommandFailure) -> [StatusFact] {
        // A link lives ten minutes; the daemon says when it is over.
        for _ in 0..<2_400 {
            let answer = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
                try session.manage("pair.status", offer, deadline: deadline)
            }
            switch answer.first(where: { $0.key == "pairing" })?.value {
            case "done": return answer.filter { $0.key != "pairing" }
            case "open": poll(nil, 0, 300)
            default:
                let reason = answer.first { $0.key == "reason" }?.value ?? "the daemon does not say why"
                throw CommandFailure(
                    .refused, "the link was not used: \(reason)", hint: "'navsyncctl pair' makes another")
            }
        }
        throw CommandFailure(.deadlineExceeded, "the link was not used", hint: "'navsyncctl pair' makes another")
    }

    private static func show(
        _ answer: [StatusFact], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.object(answer.map { ($0.key, .text($0.value)) }))
        }
        let shown = ["name", "id", "read", "write", "phrase"]
        try PeerText.writeLines(PeerText.joined(answer).filter { shown.contains($0.key) }, console)
        try console.flush()
        console.note("compare the six words with those of the other side")
    }

    private static func readLink() throws(CommandFailure) -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandFailure(
                .badInput, "standard input holds no link", hint: "paste the line that begins with navsync://")
        }
        return line
    }
}
