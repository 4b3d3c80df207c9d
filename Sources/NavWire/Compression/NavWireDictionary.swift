// SPDX-License-Identifier: Apache-2.0

/// Bytes that are typical for many payloads, so that zstd need not learn them from each small one anew.
///
/// An envelope names its dictionary by id and is unreadable without it. Dictionaries that ship with the library have
/// small ids and are always there; one that was trained has an id made from its content.
public struct NavWireDictionary: Hashable, Sendable {
    /// Shipped ones are below 2^34. Those of trained ones are from there to 2^35, so that five bytes hold one: a small
    /// envelope would pay for more.
    public let id: UInt64
    public let bytes: [UInt8]
    let contexts: DictionaryContexts

    /// A dictionary from what was trained and stored. Any bytes can serve; useless ones only gain nothing.
    public init(bytes: [UInt8]) {
        let hash = unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0) }
        self.init(id: Self.firstTrained | hash & (Self.firstTrained - 1), bytes: bytes)
    }

    /// A dictionary from a file that somebody names: throws unless the bytes are one that a trainer made.
    public init(checking bytes: [UInt8]) throws(NavWireError) {
        guard bytes.starts(with: Self.magic) else {
            throw NavWireError(code: .malformed, reason: "these bytes are no dictionary: one begins with 37 A4 30 EC")
        }
        self.init(bytes: bytes)
        guard unsafe contexts.forDecompression() != nil, unsafe contexts.forCompression(level: 3) != nil else {
            throw NavWireError(code: .malformed, reason: "the dictionary is damaged: zstd cannot read its tables")
        }
    }

    /// What zstd puts before every dictionary that it trains.
    private static let magic: [UInt8] = [0x37, 0xA4, 0x30, 0xEC]

    init(id: UInt64, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
        contexts = DictionaryContexts(bytes)
    }

    /// Whether every installation of the library has it.
    public var isShipped: Bool { id < Self.firstTrained }

    static let firstTrained: UInt64 = 1 << 34

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.bytes == rhs.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
