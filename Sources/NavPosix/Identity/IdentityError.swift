// SPDX-License-Identifier: Apache-2.0

/// Why the node's identity key cannot be used. Only `code` takes part in `==`.
package struct IdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// A file exists and does not hold a key.
        case damaged
        /// The directory once had an identity and its key is gone.
        case missing
        /// The key is not the one that this directory belongs to.
        case foreign
        /// Others may read the key file.
        case exposed
        /// The file system failed.
        case unavailable
    }

    package let code: Code
    package let reason: String
    /// What to do next.
    package let hint: String

    package init(code: Code, reason: String, hint: String) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    package var description: String { "\(reason); \(hint)" }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension IdentityError {
    @inline(never)
    static func damaged(_ path: String, _ what: String) -> Self {
        Self(
            code: .damaged, reason: "\(path) holds no identity key: \(what)",
            hint: "restore it from a backup; to give this node a new identity, move it away together with the "
                + "identity.pub beside it")
    }

    @inline(never)
    static func missing(_ path: String, id: String) -> Self {
        Self(
            code: .missing, reason: "the identity key \(path) is gone, this directory belongs to node \(id)",
            hint: "restore the key or its credential; to give this node a new identity, move identity.pub away")
    }

    @inline(never)
    static func foreign(_ path: String, found: String, expected: String) -> Self {
        Self(
            code: .foreign,
            reason: "\(path) holds the key of node \(found), this directory belongs to node \(expected)",
            hint: "restore the right key; to use this directory under the other identity, move identity.pub away")
    }

    @inline(never)
    static func exposed(_ path: String, mode: UInt32) -> Self {
        Self(
            code: .exposed, reason: "the identity key \(path) has mode 0\(String(mode, radix: 8)), 0600 is allowed",
            hint: "if nobody else can have read it: chmod 600 \(path)")
    }

    static func unavailable(_ error: PosixError) -> Self {
        Self(code: .unavailable, reason: "\(error)", hint: "check the state directory and its file system")
    }
}
