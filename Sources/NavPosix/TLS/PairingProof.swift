// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// What shows over a pairing connection that an end knows the secret of the link.
///
/// Each proof covers the connection (its exported secret) and both identities, so a proof seen on one connection is
/// worth nothing on another, and the two ends' proofs differ.
package struct PairingProof: Sendable {
    package enum Side: String, Hashable, Sendable {
        case dialler, acceptor
    }

    private let secret: [UInt8]
    private let context: [UInt8]

    package static let exporterLabel = "EXPORTER-navsync-pair-1"
    package static let byteCount = 32

    /// nil when the handshake is not done.
    package init?(secret: [UInt8], endpoint: TLSEndpoint, ownIdentity: [UInt8], side: Side) {
        guard let peer = endpoint.peer, let exported = endpoint.exportSecret(label: Self.exporterLabel, count: 32)
        else { return nil }
        let dialler = side == .dialler ? ownIdentity : peer.identityPublicKey
        let acceptor = side == .dialler ? peer.identityPublicKey : ownIdentity
        self.init(secret: secret, exported: exported, diallerIdentity: dialler, acceptorIdentity: acceptor)
    }

    package init(secret: [UInt8], exported: [UInt8], diallerIdentity: [UInt8], acceptorIdentity: [UInt8]) {
        self.secret = secret
        context = exported + diallerIdentity + acceptorIdentity
    }

    /// What `side` sends.
    package func proof(of side: Side) -> [UInt8] { code(for: "navsync pair 1 \(side.rawValue)\0") }

    /// Whether `proof` is what `side` would send; takes the same time wherever they differ.
    package func isProof(_ proof: [UInt8], of side: Side) -> Bool {
        let expected = self.proof(of: side)
        return proof.count == expected.count && CRYPTO_memcmp(proof, expected, expected.count) == 0
    }

    /// The bytes of the check phrase; they say nothing about the secret.
    package var phraseBytes: [UInt8] { Array(code(for: "navsync pair 1 phrase\0").prefix(6)) }

    private func code(for label: String) -> [UInt8] {
        let message = Array(label.utf8) + context
        var code = [UInt8](repeating: 0, count: Self.byteCount)
        var count: UInt32 = 0
        let done = HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &code, &count)
        precondition(done != nil && count == Self.byteCount, "OpenSSL cannot compute HMAC-SHA-256")
        return code
    }
}
