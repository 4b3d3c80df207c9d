// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

@testable import navsyncd

/// A trusted peer that does whatever the test wants: its key is known to the daemon, its hello is in order, and the daemon
/// has asked for its records.
final class HostileLink {
    let line: HostileLine
    let node: NodeID
    /// The daemon's subscription.
    let request: RequestID
    private var nextSequence: UInt64 = 1

    init(_ address: String, _ key: IdentityKey, startCounter: UInt64 = 1, nonce: UInt64 = 77) throws {
        guard let node = NodeID(bytes: key.nodeID) else { throw TimedOut(what: "an id") }
        self.node = node
        line = try HostileLine.greeted(address, key, startCounter: startCounter, nonce: nonce)
        let asked = try line.message { if case .subscribe(let found) = $0 { found.request } else { nil } }
        guard let asked else { throw TimedOut(what: "a subscription") }
        request = asked
    }

    /// A record of this peer as it should be.
    func record(_ name: String, _ content: WireRecord.Content? = nil) throws -> WireRecord {
        defer { nextSequence += 1 }
        let time = HybridTime(rawValue: (SystemClock.wallMilliseconds() << 16) + nextSequence)
        return WireRecord(
            sequence: Sequence(rawValue: nextSequence), name: try StackName(name),
            stamp: Stamp(time: time, origin: node), writeCount: nextSequence, base: nil,
            content: try content ?? .envelope(envelope("x")))
    }

    /// Sends records through the last of their sequences.
    func send(_ items: [WireRecord]) {
        let through = items.last?.sequence ?? Sequence(rawValue: nextSequence - 1)
        line.send(Records(request: request, through: through, mark: Mark(rawValue: 1), items: items).frame)
    }

    /// The codes with which the daemon refuses what was sent last, by name, once it has acknowledged all of it.
    func refusals() throws -> [String: SyncError.Code] {
        let through = Sequence(rawValue: nextSequence - 1)
        var codes: [String: SyncError.Code] = [:]
        let isAnswered = try line.message { message -> Bool? in
            guard case .acknowledge(let found) = message, found.request == request else { return nil }
            for refused in found.refused { codes["\(refused.name)"] = SyncError.Code(rawValue: refused.code) }
            return found.sequence >= through ? true : nil
        }
        guard isAnswered == true else { throw TimedOut(what: "an acknowledgement") }
        return codes
    }

    /// The code of the daemon's goodbye; nil when it closed without one.
    func goodbye() throws -> SyncError.Code? {
        for case .goodbye(let message) in try line.messagesUntilClosed() {
            return SyncError.Code(rawValue: message.code)
        }
        return nil
    }
}
