// SPDX-License-Identifier: Apache-2.0
import NavClient

/// Shows and changes the peers that the daemon trusts.
enum PeerCommand {
    private static let actions = ["list", "show", "rename", "revoke", "allow"]

    static let definition = CommandDefinition(
        name: "peer",
        summary: "show and change the peers that the daemon trusts",
        details: """
            list                shows all of them
            show PEER           shows what one may do and where it is
            rename PEER NAME    changes what it is called here
            revoke PEER         trusts it no more and cuts its link at once
            allow PEER OPTION…  changes what it may do: what an option does not mention stays as it is

            PEER is a name or an id. A changed right cuts the link, which is made again with the new rights at once.
            """,
        operands: [
            OperandDefinition("ACTION", .word(actions), isRequired: true, actions.joined(separator: ", ")),
            OperandDefinition("PEER", .word([]), isRequired: false, "the peer's name or id"),
            OperandDefinition("NAME", .word([]), isRequired: false, "its new name"),
        ],
        options: PeerRights.options + [
            OptionDefinition("no-read", "let it read nothing"), OptionDefinition("no-write", "let it write nothing"),
            .json,
        ],
        examples: ["navsyncctl peer list", "navsyncctl peer allow kiosk --read shop/ --no-write"],
        run: run)

    private static let peersHint = "'navsyncctl peer list' shows the peers"

    @Sendable static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let action = arguments.operand(0) ?? ""
        guard actions.contains(action) else {
            throw .usage(
                "unknown action \(Display.quoted(action)): one of \(actions.joined(separator: ", ")) is needed",
                hint: Suggestion.nearest(to: action, among: actions).map { "did you mean '\($0)'?" })
        }
        var facts: [StatusFact] = []
        if action != "list" {
            guard let peer = arguments.operand(1) else {
                throw .usage("PEER is missing", hint: peersHint)
            }
            facts.append(StatusFact(key: "peer", value: peer))
        }
        if action == "rename" {
            guard let name = arguments.operand(2) else { throw .usage("the new NAME is missing") }
            facts.append(StatusFact(key: "name", value: name))
        }
        if action == "allow" { facts += try changes(arguments) }
        let (verb, sent) = ("peer.\(action)", facts)
        let answer: [StatusFact]
        do throws(CommandFailure) {
            answer = try DaemonCall(arguments).ask { session, deadline throws(NavClientError) in
                try session.manage(verb, sent, deadline: deadline)
            }
        } catch {
            guard error.status == .notFound else { throw error }
            throw CommandFailure(.notFound, error.message, hint: peersHint)
        }
        if action == "list" { return try writeList(answer, arguments, console) }
        if arguments.isSet("json") {
            return try console.writeLine(JSONText.object(answer.map { ($0.key, .text($0.value)) }))
        }
        try PeerText.writeLines(PeerText.joined(answer), console)
    }

    private static func changes(_ arguments: ParsedArguments) throws(CommandFailure) -> [StatusFact] {
        var facts = try PeerRights.facts(arguments)
        for key in ["read", "write"] where arguments.isSet("no-\(key)") {
            guard !arguments.isSet(key), !arguments.isSet("all") else {
                throw .usage("--no-\(key) excludes --\(key) and --all")
            }
            facts.append(StatusFact(key: "\(key)-none", value: ""))
        }
        guard !facts.isEmpty else {
            throw .usage(
                "allow needs an option",
                hint: "--all, --read, --write, --no-read, --no-write, --max-stacks, --max-bytes")
        }
        return facts
    }

    /// One line or one object for each peer.
    private static func writeList(
        _ facts: [StatusFact], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        var peers: [[StatusFact]] = []
        var number: Substring?
        for fact in facts {
            let parts = fact.key.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0] != number { peers.append([]) }
            number = parts[0]
            peers[peers.count - 1].append(StatusFact(key: String(parts[1]), value: fact.value))
        }
        if arguments.isSet("json") {
            let objects = peers.map { peer in JSONText.object(peer.map { ($0.key, .text($0.value)) }) }
            return try console.writeLine(JSONText.array(objects))
        }
        let rows = peers.map { peer in
            let joined = PeerText.joined(peer)
            return ["name", "state", "id", "read", "write"].map { key in
                Display.escaped(
                    (key == "read" || key == "write" ? "\(key) " : "")
                        + (joined.first { $0.key == key }?.value ?? "-"))
            }
        }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, text in
                column == 4 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            try console.writeLine(cells.joined(separator: "  "))
        }
    }
}
