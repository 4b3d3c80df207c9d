// SPDX-License-Identifier: Apache-2.0

/// What a local program may do over the daemon's Unix socket. Each one includes those before it.
package enum LocalRole: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case none = 0
    /// Pull, list, watch, status.
    case reader = 1
    /// Push and delete too.
    case writer = 2
    /// Pair, revoke, change rights, rotate keys too.
    case administrator = 3

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Which users and groups have which role. A user has the greatest role that any entry gives; without an entry, none.
package struct LocalAccess: Hashable, Sendable {
    private var users: [UInt32: LocalRole] = [:]
    private var groups: [UInt32: LocalRole] = [:]

    package init() {}

    package mutating func grant(_ role: LocalRole, toUser id: UInt32) { users[id] = max(role, users[id] ?? .none) }
    package mutating func grant(_ role: LocalRole, toGroup id: UInt32) { groups[id] = max(role, groups[id] ?? .none) }

    /// The role of a process with these credentials, all its groups included.
    package func role(ofUser user: UInt32, groups memberships: [UInt32]) -> LocalRole {
        memberships.reduce(users[user] ?? .none) { max($0, groups[$1] ?? .none) }
    }
}
