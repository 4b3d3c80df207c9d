// SPDX-License-Identifier: Apache-2.0

/// What is compared when two links to one peer exist.
package struct LinkIdentity: Hashable, Sendable {
    /// The peer's start counter and nonce, from its hello on that link.
    package var startCounter: UInt64
    package var nonce: UInt64
    /// Whether we dialled it.
    package var isDialled: Bool

    package init(startCounter: UInt64, nonce: UInt64, isDialled: Bool) {
        self.startCounter = startCounter
        self.nonce = nonce
        self.isDialled = isDialled
    }
}

/// Which of two links to one peer stays. Both sides come to the same answer by themselves.
package enum LinkRule {
    package enum Verdict: Hashable, Sendable {
        /// The new link takes the place of the old one, which closes.
        case replace
        /// The old link stays, the new one closes.
        case keep
        /// Somebody else uses the peer's identity: the new link is refused, and kept away for a while.
        case refuseIdentity
    }

    /// The verdict on a link whose hello is complete while an older one is in use.
    package static func verdict(old: LinkIdentity, new: LinkIdentity, us: NodeID, peer: NodeID) -> Verdict {
        guard old.nonce == new.nonce else {
            // Another process: a restart counts on, a copy does not.
            return new.startCounter > old.startCounter ? .replace : .refuseIdentity
        }
        // One process, dialled again from the same side: the old link is dead, though it may not look so yet.
        guard old.isDialled != new.isDialled else { return .replace }
        // Both dialled at once: the link that the lower id dialled stays.
        return new.isDialled == (us < peer) ? .replace : .keep
    }

    /// What is wrong with a peer's identity when it is our own; nil when it is another's.
    package static func faultOfIdentity(_ hello: Hello, us: NodeID, nonce: UInt64) -> SyncError? {
        guard hello.node == us else { return nil }
        if hello.nonce == nonce {
            return SyncError(code: .selfConnection, reason: "this replica dialled itself, remove that peer address")
        }
        return SyncError(
            code: .duplicateIdentity, reason: "another daemon uses the identity of this one: one of the two is a copy")
    }
}
