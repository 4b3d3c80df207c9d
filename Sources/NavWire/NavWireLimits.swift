// SPDX-License-Identifier: Apache-2.0

/// What NavWire accepts and writes at most. The same limits hold in both directions.
public struct NavWireLimits: Hashable, Sendable {
    /// Bytes of one payload before compression.
    public var maximumPayloadByteCount = 1 << 20
    /// Bytes of the JSON text of one path. Larger than a payload's, since JSON escapes each item twice.
    public var maximumJSONByteCount = 4 << 20
    /// Bytes of one element's item.
    public var maximumElementByteCount = 1 << 20
    /// How deep values may nest.
    public var maximumDepth = 64
    /// Elements of one path.
    public var maximumElementCount = 10_000
    /// UTF-8 bytes of one tag.
    public var maximumTagByteCount = 512

    /// Values of one document, containers and scalars counted alike.
    public var maximumValueCount = 1 << 18
    /// Bytes of all strings and keys of one document when each is written out wherever it is used. A repeated string
    /// costs a byte; this budget keeps a small document from becoming a huge one.
    public var maximumExpandedByteCount = 16 << 20

    public static let `default` = NavWireLimits()

    public init() {}
}

extension NavWireLimits {
    /// For bytes that this library has just written itself.
    static let boundless: Self = {
        var limits = Self()
        limits.maximumPayloadByteCount = .max
        limits.maximumDepth = .max
        limits.maximumElementCount = .max
        limits.maximumTagByteCount = .max
        limits.maximumValueCount = .max
        limits.maximumExpandedByteCount = .max
        return limits
    }()
}
