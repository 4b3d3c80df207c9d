// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The text form of an identity key.
///
///     navsync identity key 1
///     private <64 lower-case hexadecimal digits>
///     public <64 lower-case hexadecimal digits>
///
/// The public half can be computed from the private one. It is written all the same: a flipped bit in the private half
/// would otherwise be another valid key, and the node silently somebody else.
enum IdentityFile {
    static let header = "navsync identity key 1"
    static let maximumByteCount = 1024

    static func encode(_ key: IdentityKey) -> [UInt8] {
        Array("\(header)\nprivate \(Hexadecimal.encode(key.seed))\npublic \(Hexadecimal.encode(key.publicKey))\n".utf8)
    }

    /// The key in `bytes`, or what is wrong with them.
    static func decode(_ bytes: [UInt8]) -> Result<IdentityKey, Fault> {
        guard !bytes.isEmpty else { return .failure(Fault(what: "it is empty")) }
        guard bytes.contains(where: { $0 != 0 }) else { return .failure(Fault(what: "it is all zero bytes")) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.first == header else { return .failure(Fault(what: "its first line is not \"\(header)\"")) }
        guard lines.count == 4, lines[3].isEmpty, lines[1].hasPrefix("private "), lines[2].hasPrefix("public ") else {
            return .failure(Fault(what: "a private and a public line must follow the first"))
        }
        guard let seed = Hexadecimal.decode(lines[1].dropFirst("private ".count)), let key = IdentityKey(seed: seed),
            let publicKey = Hexadecimal.decode(lines[2].dropFirst("public ".count))
        else { return .failure(Fault(what: "a key is not 64 lower-case hexadecimal digits")) }
        guard key.publicKey == publicKey else {
            return .failure(Fault(what: "its private and public halves do not belong together"))
        }
        return .success(key)
    }

    struct Fault: Error {
        let what: String
    }
}

/// Lower-case hexadecimal, read strictly: one text per byte string.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = digits.firstIndex(of: characters[index]),
                let low = digits.firstIndex(of: characters[index + 1])
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
