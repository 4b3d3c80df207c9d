// SPDX-License-Identifier: Apache-2.0

/// The key of a node's TLS certificate. It rotates; the identity key signs each one.
///
/// Generations only grow: who has seen a node use generation 7 refuses its generation 6 from then on, so a stolen old
/// key is worth nothing after a rotation.
package struct TLSKey: Sendable {
    /// The 32 secret bytes of an Ed25519 key.
    let seed: [UInt8]
    package let publicKey: [UInt8]
    package let proof: TLSKeyProof

    package var generation: UInt64 { proof.generation }

    /// A key with any proof; `issue` makes one that others accept.
    package init(_ key: IdentityKey, proof: TLSKeyProof) {
        (seed, publicKey, self.proof) = (key.seed, key.publicKey, proof)
    }

    /// Makes a key of `generation` and has `identity` sign it.
    package static func issue(by identity: IdentityKey, generation: UInt64) -> Self {
        issue(.generate(), by: identity, generation: generation)
    }

    /// Has `identity` sign a key that exists.
    package static func issue(_ key: IdentityKey, by identity: IdentityKey, generation: UInt64) -> Self {
        let statement = TLSKeyProof.statement(generation: generation, tlsPublicKey: key.publicKey)
        let proof = TLSKeyProof(
            identityPublicKey: identity.publicKey, generation: generation, signature: identity.sign(statement))
        return Self(key, proof: proof)
    }

    /// The generation after `last`: the clock's milliseconds, or one more than the last when the clock is behind. So a
    /// rotation after a restore from a backup is newer than what was used before the restore.
    package static func nextGeneration(after last: UInt64, wallMilliseconds: UInt64) -> UInt64 {
        max(wallMilliseconds, last == .max ? last : last + 1)
    }
}

/// What ties a TLS key to an identity; travels as an extension of the certificate.
///
///     identity public key   32 bytes
///     generation             8 bytes, big-endian
///     signature             64 bytes, Ed25519 by the identity over the statement
package struct TLSKeyProof: Hashable, Sendable {
    package let identityPublicKey: [UInt8]
    package let generation: UInt64
    package let signature: [UInt8]

    static let byteCount = 32 + 8 + 64
    /// An object identifier under the arc of UUIDs, which anybody may use.
    static let objectIdentifier = "2.25.219453921837310422586034188302756612381"

    package init(identityPublicKey: [UInt8], generation: UInt64, signature: [UInt8]) {
        self.identityPublicKey = identityPublicKey
        self.generation = generation
        self.signature = signature
    }

    /// nil unless `bytes` has the layout above. The signature is not checked here.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        identityPublicKey = Array(bytes[..<32])
        generation = bytes[32..<40].reduce(0) { $0 << 8 | UInt64($1) }
        signature = Array(bytes[40...])
    }

    var bytes: [UInt8] { identityPublicKey + generation.bigEndianBytes + signature }

    /// Whether the identity really signed this key and generation.
    func isValid(for tlsPublicKey: [UInt8]) -> Bool {
        IdentityKey.isSignature(
            signature, of: Self.statement(generation: generation, tlsPublicKey: tlsPublicKey), by: identityPublicKey)
    }

    /// The fixed first part keeps the signature from meaning anything elsewhere.
    static func statement(generation: UInt64, tlsPublicKey: [UInt8]) -> [UInt8] {
        Array("navsync tls key 1\0".utf8) + generation.bigEndianBytes + tlsPublicKey
    }
}

extension UInt64 {
    var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) } }
}
