// SPDX-License-Identifier: Apache-2.0

/// The text form of the table: what the daemon keeps in its state directory.
///
///     navsync peers 1
///     peer <node id>
///     name <peer name>
///     key <64 lower-case hexadecimal digits>
///     added <seconds since 1970>
///     tls-generation <decimal>
///     address <address>                 any number of times
///     read-all | read <prefix>          none, or one read-all, or any number of read
///     write-all | write <prefix>        likewise
///     maximum-stacks <decimal>          at most once
///     maximum-bytes <decimal>           at most once
///     end                               and so on with the next peer
///     checksum <16 lower-case hexadecimal digits>
///
/// Lines stand in this order. A prefix goes on to the end of its line, spaces included: a name cannot hold a line
/// break. Read strictly: one line that is not understood refuses the whole file. The checksum is FNV-1a of all bytes
/// before its line, against damage, not against an attacker, who could write the file as well; so damage never widens
/// a right.
extension PeerTable {
    private static let header = "navsync peers 1"
    private static let checksumLineByteCount = "checksum 0123456789abcdef\n".utf8.count
    package static let maximumByteCount = 16 << 20

    package var encoded: [UInt8] {
        var bytes = Array("\(Self.header)\n".utf8)
        for peer in peers { Self.append(peer, to: &bytes) }
        return Self.sealed(bytes)
    }

    /// `bytes` with their checksum line.
    package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(56 - 8 * $0)) }
        return bytes + Array("checksum \(Hex.encode(digits))\n".utf8)
    }

    private static func append(_ peer: TrustedPeer, to bytes: inout [UInt8]) {
        var lines = [
            "peer \(peer.id.text)", "name \(peer.name)", "key \(Hex.encode(peer.publicKey))",
            "added \(peer.addedSeconds)", "tls-generation \(peer.tlsGeneration)",
        ]
        lines += peer.addresses.map { "address \($0)" }
        lines += Self.lines(of: peer.rights.read, as: "read") + Self.lines(of: peer.rights.write, as: "write")
        if let count = peer.rights.maximumStackCount { lines.append("maximum-stacks \(count)") }
        if let count = peer.rights.maximumByteCount { lines.append("maximum-bytes \(count)") }
        lines.append("end")
        for line in lines { bytes += Array(line.utf8) + [0x0A] }
    }

    private static func lines(of set: PrefixSet, as key: String) -> [String] {
        // Prefixes were checked to be valid UTF-8.
        set.coversAll ? ["\(key)-all"] : set.prefixes.map { "\(key) " + String(decoding: $0, as: UTF8.self) }
    }

    /// Reads what `encoded` wrote.
    package init(decoding bytes: [UInt8]) throws(SyncError) {
        self.init()
        let content = Array(bytes.dropLast(Self.checksumLineByteCount))
        guard bytes.count <= Self.maximumByteCount, Self.sealed(content) == bytes else {
            throw SyncError(code: .invalidPeerTable, reason: "its checksum does not match: it is cut or damaged")
        }
        var reader = try LineReader(content)
        guard reader.next() == Self.header else { throw reader.fault("the first line is not \"\(Self.header)\"") }
        while let line = reader.next() {
            guard let text = line.dropping("peer ") else { throw reader.fault("\"peer\" is expected") }
            let peer = try Self.readPeer(id: text, from: &reader)
            guard self[peer.id] == nil else { throw reader.fault("a second entry of one peer") }
            do throws(SyncError) { try put(peer) } catch { throw reader.fault(error.reason) }
        }
    }

    private static func readPeer(id text: String, from reader: inout LineReader) throws(SyncError) -> TrustedPeer {
        let id = try reader.checked { () throws(SyncError) in try NodeID(text: text) }
        guard id.text == text else { throw reader.fault("a node id is written in lower case with hyphens") }
        let nameText = try reader.value(of: "name")
        let name = try reader.checked { () throws(SyncError) in try PeerName(nameText) }
        guard let key = Hex.decode(try reader.value(of: "key")), key.count == TrustedPeer.publicKeyByteCount else {
            throw reader.fault("a key is 64 lower-case hexadecimal digits")
        }
        let added = try reader.number(of: "added")
        let generation = try reader.number(of: "tls-generation")
        let addresses = reader.values(of: "address")
        guard addresses.count <= TrustedPeer.maximumAddressCount,
            addresses.allSatisfy({ $0.utf8.count <= TrustedPeer.maximumAddressByteCount })
        else { throw reader.fault("too many or too long addresses") }
        var rights = Rights(read: try reader.prefixes(of: "read"), write: try reader.prefixes(of: "write"))
        rights.maximumStackCount = try reader.optionalCount(of: "maximum-stacks")
        rights.maximumByteCount = try reader.optionalCount(of: "maximum-bytes")
        guard reader.next() == "end" else { throw reader.fault("\"end\" is expected") }
        return TrustedPeer(
            name: name, id: id, publicKey: key, rights: rights, addresses: addresses, tlsGeneration: generation,
            addedSeconds: added)
    }
}

/// Takes a text apart line by line and knows where it is for messages.
private struct LineReader {
    private let lines: [String]
    private var index = 0

    init(_ bytes: [UInt8]) throws(SyncError) {
        guard bytes.last == 0x0A, let text = String(validating: bytes, as: UTF8.self)
        else {
            throw SyncError(code: .invalidPeerTable, reason: "it is not UTF-8 text whose last line is complete")
        }
        lines = text.utf8.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
    }

    mutating func next() -> String? {
        guard index < lines.count else { return nil }
        index += 1
        return lines[index - 1]
    }

    private func peek() -> String? { index < lines.count ? lines[index] : nil }

    mutating func value(of key: String) throws(SyncError) -> String {
        guard let value = next()?.dropping(key + " ") else { throw fault("\"\(key)\" is expected") }
        return value
    }

    mutating func values(of key: String) -> [String] {
        var values: [String] = []
        while let value = peek()?.dropping(key + " ") {
            values.append(value)
            index += 1
        }
        return values
    }

    mutating func number(of key: String) throws(SyncError) -> UInt64 {
        let text = try value(of: key)
        guard let number = UInt64(text), String(number) == text else { throw fault("\"\(key)\" is not a plain number") }
        return number
    }

    mutating func optionalCount(of key: String) throws(SyncError) -> Int? {
        guard peek()?.dropping(key + " ") != nil else { return nil }
        guard let count = Int(exactly: try number(of: key)) else { throw fault("\"\(key)\" is too large") }
        return count
    }

    mutating func prefixes(of key: String) throws(SyncError) -> PrefixSet {
        if peek() == key + "-all" {
            index += 1
            return .all
        }
        let values = values(of: key).map { Array($0.utf8) }
        let set = try checked { () throws(SyncError) in try PrefixSet(values) }
        guard set.prefixes == values else { throw fault("the prefixes after \"\(key)\" are not sorted and minimal") }
        return set
    }

    func checked<Value>(_ make: () throws(SyncError) -> Value) throws(SyncError) -> Value {
        do throws(SyncError) { return try make() } catch { throw fault(error.reason) }
    }

    func fault(_ what: String) -> SyncError {
        SyncError(code: .invalidPeerTable, reason: "line \(max(index, 1)): \(what)")
    }
}

extension String {
    /// What follows `prefix`; nil when the text does not begin with it. Compared as bytes, not as characters.
    fileprivate func dropping(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(utf8.dropFirst(prefix.utf8.count)) : nil
    }
}

/// Lower-case hexadecimal, read strictly.
private enum Hex {
    static let digits = Array("0123456789abcdef".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return high == nil ? bytes : nil
    }
}
