// SPDX-License-Identifier: Apache-2.0
import NavClient

/// The options that say what a peer may do, for those commands that grant it.
enum PeerRights {
    static let options = [
        OptionDefinition("read", .text("PREFIX"), "let it read stacks whose name begins so; may be repeated"),
        OptionDefinition("write", .text("PREFIX"), "let it write stacks whose name begins so; may be repeated"),
        OptionDefinition("all", "let it read and write every stack"),
        OptionDefinition("max-stacks", .text("COUNT"), "how many live stacks may come from it; none: no limit"),
        OptionDefinition("max-bytes", .text("COUNT"), "how many bytes of live stacks may come from it; none: no limit"),
    ]

    static func isGiven(_ arguments: ParsedArguments) -> Bool {
        ["read", "write", "all"].contains { arguments.isSet($0) }
    }

    /// The options as the daemon wants them.
    static func facts(_ arguments: ParsedArguments) throws(CommandFailure) -> [StatusFact] {
        var facts: [StatusFact] = []
        for key in ["read", "write"] {
            if arguments.isSet("all"), arguments.isSet(key) {
                throw .usage("--all and --\(key) exclude each other")
            }
            if arguments.isSet("all") { facts.append(StatusFact(key: "\(key)-all", value: "")) }
            facts += arguments.texts(key).map { StatusFact(key: key, value: $0) }
        }
        for key in ["max-stacks", "max-bytes"] {
            guard let text = arguments.text(key) else { continue }
            guard text == "none" || Int(text).map({ $0 >= 0 }) ?? false else {
                throw .usage("--\(key) \(Display.quoted(text)): a whole number or none is needed")
            }
            facts.append(StatusFact(key: key, value: text))
        }
        return facts
    }
}

/// What the daemon says of peers, as lines.
enum PeerText {
    /// Joins "read" and its numbered prefixes to one fact, and likewise for "write" and "address".
    static func joined(_ facts: [StatusFact]) -> [StatusFact] {
        var result: [StatusFact] = []
        for fact in facts {
            guard let dot = fact.key.lastIndex(of: "."), Int(fact.key[fact.key.index(after: dot)...]) != nil else {
                result.append(fact)
                continue
            }
            let key = String(fact.key[..<dot])
            if let last = result.last, last.key == key {
                result.removeLast()
                let value = last.value == "prefixes" ? fact.value : "\(last.value), \(fact.value)"
                result.append(StatusFact(key: key, value: value))
            } else {
                result.append(StatusFact(key: key, value: fact.value))
            }
        }
        return result
    }

    static func writeLines(_ facts: [StatusFact], _ console: Console) throws(CommandFailure) {
        let width = facts.map(\.key.count).max() ?? 0
        for fact in facts {
            let gap = String(repeating: " ", count: width - fact.key.count)
            try console.writeLine("\(Display.escaped(fact.key))\(gap)  \(Display.escaped(fact.value))")
        }
    }
}
