// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// What a local program may ask of the daemon about trust, and who may ask it.
enum TrustVerb: String, CaseIterable, Sendable {
    case idShow = "id.show"
    case idRotate = "id.rotate"
    case pairOffer = "pair.offer"
    case pairStatus = "pair.status"
    case pairCancel = "pair.cancel"
    case pairAccept = "pair.accept"
    case peerList = "peer.list"
    case peerShow = "peer.show"
    case peerRename = "peer.rename"
    case peerRevoke = "peer.revoke"
    case peerAllow = "peer.allow"

    var neededRole: LocalRole {
        switch self {
        case .idShow, .peerList, .peerShow: .reader
        case .idRotate, .pairOffer, .pairStatus, .pairCancel, .pairAccept, .peerRename, .peerRevoke, .peerAllow:
            .administrator
        }
    }

    // MARK: Rights in arguments and answers

    /// The rights that arguments ask for: what they do not mention stays as in `present`.
    static func rights(_ arguments: [StatusReport.Item], changing present: Rights) throws(SyncError) -> Rights {
        var rights = present
        rights.read = try prefixes("read", arguments) ?? present.read
        rights.write = try prefixes("write", arguments) ?? present.write
        if let text = value("max-stacks", arguments) { rights.maximumStackCount = try limit(text) }
        if let text = value("max-bytes", arguments) { rights.maximumByteCount = try limit(text) }
        return rights
    }

    private static func prefixes(_ key: String, _ arguments: [StatusReport.Item]) throws(SyncError) -> PrefixSet? {
        let keys = arguments.map(\.key)
        if keys.contains("\(key)-none") { return PrefixSet.none }
        if keys.contains("\(key)-all") { return .all }
        guard keys.contains(key) else { return nil }
        return try PrefixSet(arguments.filter { $0.key == key }.map { Array($0.value.utf8) })
    }

    /// "none" lifts a limit.
    private static func limit(_ text: String) throws(SyncError) -> Int? {
        if text == "none" { return nil }
        guard let number = Int(text), number >= 0 else {
            throw SyncError(code: .limitExceeded, reason: "'\(text)' is neither a count nor none")
        }
        return number
    }

    // MARK: Links in arguments and answers

    /// The link that is meant; nil for the newest.
    static func offer(_ arguments: [StatusReport.Item]) throws(SyncError) -> UInt64? {
        guard let text = value("offer", arguments) else { return nil }
        guard let id = UInt64(text, radix: 16), Self.text(ofOffer: id) == text else {
            throw SyncError(code: .notFound, reason: "'\(text)' is no id of an offer")
        }
        return id
    }

    static func text(ofOffer id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// How long a link may be tried in all.
    static func pairingNanoseconds(_ arguments: [StatusReport.Item]) throws(SyncError) -> UInt64 {
        guard let text = value("timeout-ms", arguments) else { return 25_000_000_000 }
        guard let milliseconds = UInt64(text), (1...PairingLink.lifetimeSeconds * 1000).contains(milliseconds) else {
            throw SyncError(
                code: .limitExceeded,
                reason: "'\(text)' is no number of milliseconds from 1 to \(PairingLink.lifetimeSeconds * 1000)")
        }
        return milliseconds * 1_000_000
    }

    static func value(_ key: String, _ arguments: [StatusReport.Item]) -> String? {
        arguments.first { $0.key == key }?.value
    }

    static func items(of outcome: PairingDesk.Outcome) -> [StatusReport.Item] {
        items(of: outcome.peer, isLinked: false) + [.init(key: "phrase", value: outcome.phrase)]
    }

    static func items(of peer: TrustedPeer, isLinked: Bool, under prefix: String = "") -> [StatusReport.Item] {
        var items: [StatusReport.Item] = []
        func add(_ key: String, _ value: String) { items.append(.init(key: prefix + key, value: value)) }
        add("name", peer.name.text)
        add("id", peer.id.text)
        add("state", isLinked ? "linked" : "away")
        for (key, set) in [("read", peer.rights.read), ("write", peer.rights.write)] {
            add(key, set.coversAll ? "all" : set.isEmpty ? "none" : "prefixes")
            for (number, one) in set.prefixes.enumerated() {
                add("\(key).\(number)", String(decoding: one, as: UTF8.self))
            }
        }
        if let limit = peer.rights.maximumStackCount { add("max-stacks", "\(limit)") }
        if let limit = peer.rights.maximumByteCount { add("max-bytes", "\(limit)") }
        for (number, address) in peer.addresses.enumerated() { add("address.\(number)", address) }
        add("tls-generation", "\(peer.tlsGeneration)")
        add("added", "\(peer.addedSeconds)")
        return items
    }

    /// For the log: what somebody may do, in one word a set.
    static func summary(of rights: Rights) -> String {
        func text(_ set: PrefixSet) -> String {
            if set.coversAll { return "all" }
            if set.isEmpty { return "none" }
            return set.prefixes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
        }
        let quotas = [("stacks", rights.maximumStackCount), ("bytes", rights.maximumByteCount)]
            .compactMap { name, limit in limit.map { " max-\(name):\($0)" } }.joined()
        return "read:\(text(rights.read)) write:\(text(rights.write))\(quotas)"
    }
}
