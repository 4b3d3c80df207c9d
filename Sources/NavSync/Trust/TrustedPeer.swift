// SPDX-License-Identifier: Apache-2.0

/// A daemon that this one was paired with: who it is, what it may do, where it was last found.
package struct TrustedPeer: Hashable, Sendable {
    /// The name given here; the peer does not choose it.
    package var name: PeerName
    package let id: NodeID
    /// The pin: 32 bytes of an Ed25519 key. The runtime checks that `id` is its hash.
    package let publicKey: [UInt8]
    package var rights: Rights
    /// Where to dial it, as written in links and configuration; empty when only the peer dials.
    package var addresses: [String]
    /// The newest generation of its TLS key that was seen; older ones are refused.
    package var tlsGeneration: UInt64
    /// When it was paired, in seconds since 1970; shown, never compared.
    package let addedSeconds: UInt64

    package static let publicKeyByteCount = 32
    package static let maximumAddressCount = 8
    package static let maximumAddressByteCount = 280

    package init(
        name: PeerName, id: NodeID, publicKey: [UInt8], rights: Rights, addresses: [String], tlsGeneration: UInt64,
        addedSeconds: UInt64
    ) {
        self.name = name
        self.id = id
        self.publicKey = publicKey
        self.rights = rights
        self.addresses = addresses
        self.tlsGeneration = tlsGeneration
        self.addedSeconds = addedSeconds
    }
}

/// What a peer is called here.
///
///     name = 1*63 of a-z 0-9 "." "_" "-", the first one a letter or digit
///
/// Nothing in it needs quoting in a shell, a log line or a terminal. A text with the shape of a node id is not a name.
package struct PeerName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let maximumByteCount = 63

    package init(_ text: String) throws(SyncError) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumByteCount).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            let first = bytes.first, Self.isLetterOrDigit(first), (try? NodeID(text: text)) == nil
        else {
            throw SyncError(
                code: .invalidPeerName,
                reason: "a peer name is 1 to \(Self.maximumByteCount) of a-z, 0-9, '.', '_' and '-', a letter or "
                    + "digit first")
        }
        self.text = text
    }

    /// The nearest name to what a peer or a host calls itself; nil when nothing usable is left.
    package init?(suggested text: String) {
        let kept = text.utf8.prefix(1024).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
            .filter(Self.isAllowed).drop { !Self.isLetterOrDigit($0) }.prefix(Self.maximumByteCount)
        guard let name = try? PeerName(String(decoding: kept, as: UTF8.self)) else { return nil }
        self = name
    }

    package var description: String { text }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
