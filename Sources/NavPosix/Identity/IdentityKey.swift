// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A node's permanent Ed25519 key. It signs TLS keys and nothing else.
package struct IdentityKey: Sendable {
    /// The 32 secret bytes; they are written to the key file and handed to OpenSSL, and shown nowhere.
    let seed: [UInt8]
    /// The 32 public bytes: what peers pin.
    package let publicKey: [UInt8]

    package static let seedByteCount = 32
    package static let publicByteCount = 32
    package static let signatureByteCount = 64

    /// A new key from the system's secure random generator.
    package static func generate() -> Self {
        // A seed is any 32 bytes, so this fails only if OpenSSL lacks Ed25519.
        guard let key = Self(seed: SecureRandom.bytes(count: seedByteCount)) else {
            preconditionFailure("OpenSSL has no Ed25519")
        }
        return key
    }

    /// nil unless `seed` has 32 bytes.
    package init?(seed: [UInt8]) {
        guard seed.count == Self.seedByteCount,
            let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        else { return nil }
        defer { EVP_PKEY_free(key) }
        var publicKey = [UInt8](repeating: 0, count: Self.publicByteCount)
        var count = publicKey.count
        guard EVP_PKEY_get_raw_public_key(key, &publicKey, &count) == 1, count == publicKey.count else { return nil }
        self.seed = seed
        self.publicKey = publicKey
    }

    /// The bytes of the node id: the first 16 of SHA-256 of the public key.
    package var nodeID: [UInt8] { Self.nodeID(ofPublicKey: publicKey) }

    package static func nodeID(ofPublicKey publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256Digest.hash(publicKey).prefix(16))
    }

    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
        var count = signature.count
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        let done =
            EVP_DigestSignInit(context, nil, nil, nil, key) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(done && count == Self.signatureByteCount, "OpenSSL cannot sign with Ed25519")
        return signature
    }

    /// Whether `signature` was made over `message` by the owner of `publicKey`. False for any malformed argument.
    package static func isSignature(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureByteCount, publicKey.count == publicByteCount,
            let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
        else { return false }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
