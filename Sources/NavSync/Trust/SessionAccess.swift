// SPDX-License-Identifier: Apache-2.0

/// What the runtime knows about the other end of a connection before the core sees its first byte.
package struct SessionAccess: Hashable, Sendable {
    /// A peer that has proved its identity, and what it may do over this link.
    package struct ProvenPeer: Hashable, Sendable {
        package let id: NodeID
        package let rights: Rights

        package init(id: NodeID, rights: Rights) {
            self.id = id
            self.rights = rights
        }
    }

    /// What it may do as a local program.
    package let local: LocalRole
    /// nil when it is no peer.
    package let peer: ProvenPeer?

    package static func client(_ role: LocalRole) -> Self { Self(local: role, peer: nil) }
    package static func peer(_ id: NodeID, _ rights: Rights) -> Self {
        Self(local: .none, peer: ProvenPeer(id: id, rights: rights))
    }

    private init(local: LocalRole, peer: ProvenPeer?) {
        self.local = local
        self.peer = peer
    }
}
