// SPDX-License-Identifier: Apache-2.0

/// What two daemons say to each other while they pair, inside TLS. One frame each way, then the connection ends.
///
///     frame    = length (2 bytes, big-endian, of what follows), type (1 byte), payload
///     request  = type 1: proof (32 bytes), name (the rest: what the dialler calls itself)
///     accepted = type 2: proof (32 bytes), name (the rest: what the acceptor calls itself)
///     refused  = type 3: reason (the rest)
package enum PairingMessage: Hashable, Sendable {
    case request(proof: [UInt8], name: String)
    case accepted(proof: [UInt8], name: String)
    case refused(reason: String)

    package static let maximumByteCount = 512
    package static let proofByteCount = 32

    package var encoded: [UInt8] {
        let (type, payload): (UInt8, [UInt8]) =
            switch self {
            case .request(let proof, let name): (1, proof + Array(name.utf8))
            case .accepted(let proof, let name): (2, proof + Array(name.utf8))
            case .refused(let reason): (3, Array(reason.utf8))
            }
        let content = payload.prefix(Self.maximumByteCount - 1)
        let count = content.count + 1
        return [UInt8(count >> 8), UInt8(count & 0xFF), type] + content
    }

    /// The message that `bytes` hold; nil while bytes are missing. Anything after it is an error: nothing may follow.
    package static func decode(_ bytes: [UInt8]) throws(SyncError) -> PairingMessage? {
        guard bytes.count >= 2 else { return nil }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard (1...maximumByteCount).contains(count) else {
            throw SyncError(
                code: .frameTooLarge,
                reason: "a pairing message of \(count) bytes, 1 to \(maximumByteCount) are allowed")
        }
        guard bytes.count >= 2 + count else { return nil }
        guard bytes.count == 2 + count else {
            throw SyncError(code: .malformedMessage, reason: "bytes follow a pairing message")
        }
        let payload = bytes[3...]
        switch bytes[2] {
        case 1, 2:
            guard payload.count >= proofByteCount else {
                throw SyncError(code: .malformedMessage, reason: "a proof of \(payload.count) bytes, 32 are needed")
            }
            let proof = Array(payload.prefix(proofByteCount))
            let name = String(decoding: payload.dropFirst(proofByteCount), as: UTF8.self)
            return bytes[2] == 1 ? .request(proof: proof, name: name) : .accepted(proof: proof, name: name)
        case 3:
            return .refused(reason: String(decoding: payload, as: UTF8.self))
        default:
            throw SyncError(code: .unknownMessage, reason: "pairing message of type \(bytes[2])")
        }
    }
}
