// SPDX-License-Identifier: Apache-2.0

/// The one line that pairs two daemons.
///
///     navsync://<host:port>[,<host:port>…]/<node id>/<secret>/<expires>
///
/// The port follows the last colon, so an IPv6 host needs no brackets, which shells would take for a pattern. The
/// secret has 128 bits in the form of a node id, so a slip in it is caught before anything is sent. `expires`, in
/// seconds since 1970, is for people and for hints: whether a link still holds is decided by the daemon that made it.
package struct PairingLink: Hashable, Sendable {
    package struct Address: Hashable, Sendable {
        package let host: String
        package let port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    package let addresses: [Address]
    package let id: NodeID
    /// 16 secret bytes.
    package let secret: [UInt8]
    package let expiresSeconds: UInt64

    package static let scheme = "navsync://"
    package static let maximumByteCount = 2048
    package static let secretByteCount = 16
    package static let lifetimeSeconds: UInt64 = 600

    package init(addresses: [Address], id: NodeID, secret: [UInt8], expiresSeconds: UInt64) {
        self.addresses = addresses
        self.id = id
        self.secret = secret
        self.expiresSeconds = expiresSeconds
    }

    package var text: String {
        let places = addresses.map { "\($0.host):\($0.port)" }.joined(separator: ",")
        let secretText = NodeID(bytes: secret)?.text ?? ""
        return "\(Self.scheme)\(places)/\(id.text)/\(secretText)/\(expiresSeconds)"
    }

    /// Reads a link. White space around it is ignored, as pasting adds some.
    package init(_ text: String) throws(SyncError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw Self.fault("\(text.utf8.count) bytes, \(Self.maximumByteCount) are allowed")
        }
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        let link = Array(String(trimmed).utf8)
        guard link.starts(with: Self.scheme.utf8) else { throw Self.fault("it does not begin with \(Self.scheme)") }
        let parts = link.dropFirst(Self.scheme.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4 else {
            throw Self.fault("it has \(parts.count) parts after \(Self.scheme), 4 are needed: part of it is missing")
        }
        addresses = try Self.readAddresses(parts[0])
        do throws(SyncError) { id = try NodeID(text: parts[1]) } catch { throw Self.fault(error.reason) }
        guard let secret = try? NodeID(text: parts[2]) else { throw Self.fault("its secret was mistyped or cut") }
        self.secret = secret.bytes
        guard let expires = UInt64(parts[3]), String(expires) == parts[3] else {
            throw Self.fault("its last part is not a number")
        }
        expiresSeconds = expires
    }

    private static func readAddresses(_ text: String) throws(SyncError) -> [Address] {
        let places = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard places.count <= TrustedPeer.maximumAddressCount else {
            throw fault("\(places.count) addresses, \(TrustedPeer.maximumAddressCount) are allowed")
        }
        var addresses: [Address] = []
        for place in places {
            guard let colon = place.lastIndex(of: UInt8(ascii: ":")),
                let host = String(place[..<colon]), isHost(host),
                let port = String(place[place.index(after: colon)...]).flatMap({ UInt16($0) }), port > 0
            else { throw fault("an address is not host:port") }
            addresses.append(Address(host: host, port: port))
        }
        return addresses
    }

    /// Letters, digits and what IP addresses, zones and host names need; nothing a terminal or a resolver could misuse.
    private static func isHost(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || ".:-_%".utf8.contains(byte)
            }
    }

    private static func fault(_ what: String) -> SyncError {
        SyncError(code: .invalidPairingLink, reason: "this is no pairing link: \(what)")
    }
}

extension NodeID {
    /// The 16 bytes, first byte first.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    }
}
