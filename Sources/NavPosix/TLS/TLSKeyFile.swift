// SPDX-License-Identifier: Apache-2.0

/// The current TLS key in the state directory.
///
///     navsync tls key 1
///     generation <decimal>
///     private <64 lower-case hexadecimal digits>
///     public <64 lower-case hexadecimal digits>
///
/// Unlike the identity it can be replaced at any time, so a damaged or foreign file is replaced by a new key.
package enum TLSKeyFile {
    package static let name = "tls.key"
    private static let header = "navsync tls key 1"
    private static let maximumByteCount = 1024

    /// The key in the directory, or a new one if there is no usable one. `isNew` is worth a log line.
    package static func load(
        stateDirectory: String, identity: IdentityKey, wallMilliseconds: UInt64
    ) throws(PosixError) -> (key: TLSKey, isNew: Bool) {
        let path = stateDirectory + "/" + name
        // A file that cannot be read (too large, no permission) is an error only if it cannot be replaced either.
        if let bytes = try? AtomicFile.read(path, limit: maximumByteCount), let found = decode(bytes) {
            return (TLSKey.issue(found.key, by: identity, generation: found.generation), false)
        }
        return (try rotate(stateDirectory: stateDirectory, identity: identity, last: 0, wallMilliseconds), true)
    }

    /// Makes a key of a newer generation than `last` and writes it before it is used.
    package static func rotate(
        stateDirectory: String, identity: IdentityKey, last: UInt64, _ wallMilliseconds: UInt64
    ) throws(PosixError) -> TLSKey {
        let generation = TLSKey.nextGeneration(after: last, wallMilliseconds: wallMilliseconds)
        let key = IdentityKey.generate()
        try AtomicFile.write(encode(key, generation: generation), to: stateDirectory + "/" + name, mode: 0o600)
        return TLSKey.issue(key, by: identity, generation: generation)
    }

    static func encode(_ key: IdentityKey, generation: UInt64) -> [UInt8] {
        Array(
            """
            \(header)
            generation \(generation)
            private \(Hexadecimal.encode(key.seed))
            public \(Hexadecimal.encode(key.publicKey))

            """.utf8)
    }

    static func decode(_ bytes: [UInt8]) -> (key: IdentityKey, generation: UInt64)? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == header, lines[4].isEmpty, lines[1].hasPrefix("generation "),
            lines[2].hasPrefix("private "), lines[3].hasPrefix("public "),
            let generation = UInt64(lines[1].dropFirst("generation ".count)),
            let seed = Hexadecimal.decode(lines[2].dropFirst("private ".count)), let key = IdentityKey(seed: seed),
            Hexadecimal.decode(lines[3].dropFirst("public ".count)) == key.publicKey
        else { return nil }
        return (key, generation)
    }
}
