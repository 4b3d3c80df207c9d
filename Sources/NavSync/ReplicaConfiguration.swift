// SPDX-License-Identifier: Apache-2.0

/// A peer that this replica dials.
package struct PeerTarget: Hashable, Sendable {
    /// Its address as the configuration spells it, shown in status.
    package var label: String
    package init(label: String) { self.label = label }
}

/// What an operator decides about a replica.
package struct ReplicaConfiguration: Hashable, Sendable {
    /// Peers to dial; their places count from 0 in this order.
    package var targets: [PeerTarget]
    package var limits: SyncLimits
    package var backOff: BackOffPolicy
    /// Name and version of the program, told in hello and shown in status.
    package var software: String

    package init(
        targets: [PeerTarget] = [], limits: SyncLimits = .default, backOff: BackOffPolicy = .default,
        software: String = "navsync"
    ) {
        self.targets = targets
        self.limits = limits
        self.backOff = backOff
        self.software = software
    }
}
