// SPDX-License-Identifier: Apache-2.0

/// What stands before the payload.
///
///     9E 4E   magic; 9E begins no UTF-8 text
///     1f      version 1, and flags in the low half:
///             1 compressed   2 dictionary   4 tail   8 extensions
///     varint  bytes of the uncompressed payload
///     varint  id of the dictionary               (flag 2)
///     varint  bytes of the tail                  (flag 4)
///     …       the payload, or the frame and the uncompressed tail
///     4 bytes checksum of everything before: the low half of XXH64, least significant byte first
///
/// Normative: docs/spec/wire-format.md, "Envelope".
struct EnvelopeHeader {
    static let magic: (UInt8, UInt8) = (0x9E, 0x4E)
    static let version: UInt8 = 1
    static let checksumByteCount = 4
    static let shortest = 3 + 1 + checksumByteCount
    /// Magic, version, three varints and the checksum.
    static let mostOverhead = 3 + 5 + 10 + 5 + checksumByteCount

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The payload is a zstd frame.
        static let compressed = Flags(rawValue: 1)
        /// The frame needs a dictionary.
        static let dictionary = Flags(rawValue: 2)
        /// The end of the payload, its fixed section, stands uncompressed behind the frame.
        static let tail = Flags(rawValue: 4)
        /// Features by name that the reader must know.
        static let extensions = Flags(rawValue: 8)
    }

    var flags: Flags = []
    var payloadByteCount = 0
    var dictionary: UInt64 = 0
    var tailByteCount = 0
    /// Where the stored payload begins.
    var end = 0

    /// Reads the header and checks the checksum and the lengths; nothing is reserved.
    init(_ bytes: UnsafeRawBufferPointer, limits: NavWireLimits) throws(NavWireError) {
        guard bytes.count >= 2, unsafe bytes[0] == Self.magic.0, unsafe bytes[1] == Self.magic.1 else {
            throw unsafe Self.notAnEnvelope(bytes)
        }
        guard bytes.count >= Self.shortest else { throw .truncated("the header", at: bytes.count) }
        guard unsafe bytes[2] >> 4 == Self.version else {
            throw NavWireError(
                code: .unsupportedVersion,
                reason: unsafe "envelope of version \(bytes[2] >> 4), this library reads version 1",
                offset: 2)
        }
        flags = unsafe Flags(rawValue: bytes[2] & 0x0F)
        end = 3
        if flags.contains(.extensions) { throw unsafe Self.unknownExtension(bytes) }
        payloadByteCount = unsafe try readLength(bytes, "the payload's length")
        if flags.contains(.dictionary) { dictionary = unsafe try readVarint(bytes, "the dictionary's id") }
        if flags.contains(.tail) { tailByteCount = unsafe try readLength(bytes, "the tail's length") }
        unsafe try checkLengths(bytes, limits)
        let sum = unsafe XXHash64.hash(
            UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - Self.checksumByteCount)]))
        let stored = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - Self.checksumByteCount, as: UInt32.self)
        guard UInt32(littleEndian: stored) == UInt32(truncatingIfNeeded: sum) else {
            throw NavWireError(code: .badChecksum, reason: "the checksum does not match: the envelope was damaged")
        }
    }

    private func checkLengths(_ bytes: UnsafeRawBufferPointer, _ limits: NavWireLimits) throws(NavWireError) {
        guard payloadByteCount <= limits.mostByteCount else {
            throw .payloadTooLarge(payloadByteCount, limit: limits.mostByteCount)
        }
        let stored = bytes.count - Self.checksumByteCount - end
        guard stored >= 0 else { throw .truncated("the header", at: bytes.count) }
        if flags.contains(.compressed) {
            guard tailByteCount <= stored, tailByteCount <= payloadByteCount else {
                throw .truncated("the tail", at: bytes.count)
            }
            if flags.contains(.tail), tailByteCount == 0 { throw .malformed("an empty tail", at: end) }
        } else {
            guard flags.isEmpty else { throw .malformed("flags of compression on a payload without", at: 2) }
            guard stored >= payloadByteCount else { throw .truncated("the payload", at: bytes.count) }
            guard stored == payloadByteCount else {
                throw .trailingBytes(stored - payloadByteCount, at: bytes.count - stored + payloadByteCount)
            }
        }
    }

    private mutating func readLength(_ bytes: UnsafeRawBufferPointer, _ what: String) throws(NavWireError) -> Int {
        let place = end
        let value = unsafe try readVarint(bytes, what)
        guard value <= 1 << 31 else {
            throw NavWireError(code: .tooLarge, reason: "\(what) is \(value)", offset: place)
        }
        return Int(truncatingIfNeeded: value)
    }

    private mutating func readVarint(_ bytes: UnsafeRawBufferPointer, _ what: String) throws(NavWireError) -> UInt64 {
        let place = end
        var value: UInt64 = 0
        for index in 0..<10 {
            guard end < bytes.count - Self.checksumByteCount else { throw .truncated(what, at: bytes.count) }
            let byte = unsafe bytes[end]
            end += 1
            if index == 9, byte > 1 { break }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 {
                guard byte != 0 || index == 0 else {
                    throw .malformed("\(what) has more bytes than it needs", at: place)
                }
                return value
            }
        }
        throw .malformed("\(what) has more than 64 bits", at: place)
    }

    private static func notAnEnvelope(_ bytes: UnsafeRawBufferPointer) -> NavWireError {
        let found = unsafe bytes.prefix(2).map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
        return unsafe NavWireError(
            code: .badMagic,
            reason: bytes.isEmpty
                ? "no bytes where an envelope was expected" : "begins with \(found), an envelope with 9E 4E",
            offset: 0)
    }

    /// The first feature that the envelope demands, by the name it gives: length and ASCII text.
    private static func unknownExtension(_ bytes: UnsafeRawBufferPointer) -> NavWireError {
        let count = unsafe Int(bytes[3])
        let name = unsafe bytes.dropFirst(4).prefix(min(count, 64)).prefix { (0x21...0x7E).contains($0) }
        return NavWireError(
            code: .unknownFlag,
            reason:
                unsafe "the envelope needs '\(String(decoding: name, as: UTF8.self))', which this library does not know",
            offset: 3)
    }
}
