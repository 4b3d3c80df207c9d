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
                throw refusal(error)
            }
            return hash(payload)
        }
    }

    /// A stack must be readable on every machine that it may travel to, so only dictionaries that ship will do.
    private static func refusal(_ error: NavWireError) -> SyncError {
        guard error.code == .unknownDictionary else {
            return SyncError(code: .invalidEnvelope, reason: error.description)
        }
        return SyncError(
            code: .unknownDictionary,
            reason: "\(error.reason); a daemon stores envelopes only with dictionaries that ship")
    }

    static func hash(_ payload: [UInt8]) -> ContentHash {
        let words = SHA256Digest.words(payload)
        return ContentHash(words: (words.0, words.1, words.2, words.3))
    }
}
