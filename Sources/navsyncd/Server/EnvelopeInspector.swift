// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync
import NavWire

/// Verifies envelopes that came from outside and hashes what they hold.
enum EnvelopeInspector {
    /// The check that a replica wants. Every byte of the payload is looked at before it is hashed.
    static func make(maximumByteCount: Int) -> Replica.Inspect {
        { envelope throws(SyncError) in
            guard envelope.count <= maximumByteCount else {
                throw SyncError(
                    code: .valueTooLarge, reason: "envelope of \(envelope.count) bytes, limit is \(maximumByteCount)")
            }
            let payload: [UInt8]
            do throws(NavWireError) {
                payload = try PathEnvelope.verifiedPayload(of: envelope)
            } catch {
                throw SyncError(code: .invalidEnvelope, reason: error.description)
            }
            return hash(payload)
        }
    }

    static func hash(_ payload: [UInt8]) -> ContentHash {
        let digest = SHA256Digest.hash(payload)
        func word(_ number: Int) -> UInt64 {
            digest[(number * 8)..<(number * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return ContentHash(words: (word(0), word(1), word(2), word(3)))
    }
}
