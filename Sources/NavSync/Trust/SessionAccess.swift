// SPDX-License-Identifier: Apache-2.0

/// What the runtime knows about the other end of a connection before the core sees its first byte.
package struct SessionAccess: Hashable, Sendable {
    /// Which peers the other end may call itself.
    private enum Identity: Hashable {
        case none
        case proven(NodeID)
        case believed
    }

    /// What it may do as a local program.
    package let local: LocalRole
    /// What it may do as a peer.
    package let rights: Rights
    private let identity: Identity

    /// A local program.
    package static func client(_ role: LocalRole) -> Self { Self(local: role, rights: .none, identity: .none) }

    /// A peer that has proved its identity, and what it may do over this link.
    package static func peer(_ id: NodeID, _ rights: Rights) -> Self {
        Self(local: .none, rights: rights, identity: .proven(id))
    }

    /// Whoever it says it is, a writer or a peer with all rights. For tests and simulations, which make both ends.
    package static let believed = Self(local: .writer, rights: .all, identity: .believed)

    /// Whether the other end may call itself this peer.
    package func allowsPeer(_ id: NodeID) -> Bool { identity == .believed || identity == .proven(id) }

    private init(local: LocalRole, rights: Rights, identity: Identity) {
        self.local = local
        self.rights = rights
        self.identity = identity
    }
}
