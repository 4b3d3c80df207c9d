// SPDX-License-Identifier: Apache-2.0

/// Why a TLS connection ended. Only `code` takes part in `==`.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// What came in is not TLS 1.3, or broke its rules.
        case protocolViolation
        /// The other end's certificate is not one of ours: no identity, or not signed by it.
        case malformedCertificate
        /// The other end proved an identity that is not trusted here.
        case untrustedIdentity
        /// The other end uses a TLS key older than one it used before.
        case retiredKey
        /// The other end refused us; the reason names its alert.
        case refusedByPeer
        /// More bytes than a handshake needs came before its end.
        case handshakeTooLarge
        /// The other end offers none of our protocols.
        case noCommonProtocol
        /// The connection was closed in order.
        case closed
        /// OpenSSL failed at our end.
        case internalFailure
    }

    package let code: Code
    package let reason: String

    package init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code): \(reason)" }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
