// SPDX-License-Identifier: Apache-2.0

/// The name of a stack, and the only place where its grammar is written.
///
///     name = 1*512 bytes of valid UTF-8
///            without U+0000…U+001F, U+007F…U+009F (controls),
///            U+2028, U+2029 (line breaks), U+202A…U+202E and U+2066…U+2069 (bidi overrides)
///
/// Names are compared and ordered as bytes and are never normalised or rewritten: two spellings of an accented letter
/// are two names. A name is a key, never a file path.
package struct StackName: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    package static let maximumByteCount = 512

    /// Checks `bytes` against the grammar.
    package init(validating bytes: [UInt8]) throws(SyncError) {
        guard !bytes.isEmpty else {
            throw .invalidName("a name is empty, 1 to \(Self.maximumByteCount) bytes are allowed")
        }
        guard bytes.count <= Self.maximumByteCount else {
            throw .invalidName("a name of \(bytes.count) bytes, \(Self.maximumByteCount) are allowed")
        }
        if !bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { try Self.checkScalars(bytes) }
        self.bytes = bytes
    }

    package init(_ text: String) throws(SyncError) { try self.init(validating: Array(text.utf8)) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }

    /// Hashes the bytes in one go: an array hashes element by element, several times slower, and each push hashes its
    /// name more than once.
    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { buffer in unsafe hasher.combine(bytes: buffer) }
    }

    package func hasPrefix(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    private static func checkScalars(_ bytes: [UInt8]) throws(SyncError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalidName("a name is not valid UTF-8, only valid UTF-8 is allowed")
        }
        for scalar in text.unicodeScalars where isForbidden(scalar) {
            throw .invalidName(
                "a name holds U+\(String(scalar.value, radix: 16, uppercase: true)),"
                    + " control, line-break and bidi-override characters are not allowed")
        }
    }

    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension StackName: CustomStringConvertible {
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension SyncError {
    @inline(never)
    package static func prefixTooLong(_ byteCount: Int) -> Self {
        .invalidName("a prefix of \(byteCount) bytes, \(StackName.maximumByteCount) are allowed")
    }

    @inline(never)
    package static func notFound(_ name: StackName) -> Self {
        Self(code: .notFound, reason: "there is no stack \(name)")
    }
}
