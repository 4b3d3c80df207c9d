// SPDX-License-Identifier: Apache-2.0

/// Bytes that are typical for many payloads, so that zstd need not learn them from each small one anew.
///
/// An envelope names its dictionary by id and is unreadable without it. Dictionaries that ship with the library have
/// small ids and are always there; one that was trained has an id made from its content.
public struct NavWireDictionary: Hashable, Sendable {
    /// Shipped ones are below 2^32, trained ones have the highest bit set.
    public let id: UInt64
    public let bytes: [UInt8]
    let contexts: DictionaryContexts

    /// A dictionary from what was trained and stored. Any bytes can serve; useless ones only gain nothing.
    public init(bytes: [UInt8]) {
        self.init(id: unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0) } | 1 << 63, bytes: bytes)
    }

    init(id: UInt64, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
        contexts = DictionaryContexts(bytes)
    }

    /// Whether every installation of the library has it.
    public var isShipped: Bool { id < 1 << 32 }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.bytes == rhs.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
