// SPDX-License-Identifier: Apache-2.0

/// What NavWire accepts and writes at most. The same limits hold in both directions.
public struct NavWireLimits: Hashable, Sendable {
    /// Bytes of one payload before compression: at most 1 GiB, whatever is set.
    public var maximumPayloadByteCount = 1 << 20
    /// Bytes of the JSON text of one path, read or written. Larger than a payload's, since JSON escapes each item twice.
    /// A payload within its limits can still have more: strings that repeat, and characters that JSON escapes.
    public var maximumJSONByteCount = 4 << 20
    /// Bytes of one element's item: its JSON text when it is read or written, or what a Swift value takes in a path at least.
    public var maximumElementByteCount = 1 << 20
    /// How deep values may nest. Coders and trees of values call themselves for each level, so beyond some thousands it is the
    /// stack that ends first, and the process with it: raise it only for bytes of your own.
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
    /// For a value of a path as a payload of its own.
    ///
    /// That can be larger than the path. What a path used before has a short number in it, and may have a long one
    /// where only the value itself uses it: a string of one byte can take eight then, and a key two more where its shape is
    /// written. So a limit that both are held to would refuse values of paths that were accepted.
    var forValueAlone: Self {
        var limits = self
        let growth = Self.growthAlone(maximumValueCount)
        let (sum, isTooLarge) = maximumPayloadByteCount.addingReportingOverflow(growth)
        limits.maximumPayloadByteCount = isTooLarge ? .max : sum
        return limits
    }

    /// For what is imported from JSON. What an item is kept as is the same to every reader, so the format has its own limits
    /// for that: 64 containers inside each other, and 262,144 values.
    var forImport: Self {
        var limits = self
        limits.maximumDepth = min(maximumDepth, Self.importedDepth)
        limits.maximumValueCount = min(maximumValueCount, Self.importedValueCount)
        return limits
    }

    static let importedDepth = 64
    static let importedValueCount = 1 << 18

    /// How many members of a set, or keys of a dictionary in pairs, may be equal. A Swift set holds nothing twice but what is
    /// not equal to itself, as NaN is, and takes time by the square of those. The format has this limit, for every reader.
    static let equalNeighbourCount = 64

    /// How many bytes a payload may have. Offsets in it have 32 bits, and those of keys are after the keys of other documents.
    var mostByteCount: Int { min(maximumPayloadByteCount, Self.mostByteCount) }

    /// How many bytes a payload that is within the limits can take while it is written, when arrays of numbers are not yet
    /// packed: a byte more for each item. Offsets of 32 bits hold that.
    var mostUnpackedByteCount: Int {
        let (sum, isTooLarge) = max(0, maximumPayloadByteCount).addingReportingOverflow(max(0, maximumValueCount))
        return isTooLarge ? Self.mostByteCount : min(sum, Self.mostByteCount)
    }

    private static let mostByteCount = 1 << 30

    /// How many bytes more than a path a value of it can take alone, at most.
    static func growthAlone(_ valueCount: Int) -> Int {
        let (product, isTooLarge) = valueCount.multipliedReportingOverflow(by: 10)
        return isTooLarge || product > .max - 64 ? .max : product + 64
    }

    /// For what was held to the limits of an app already, and for bytes that this library has just written itself.
    static let boundless: Self = {
        var limits = Self()
        limits.maximumPayloadByteCount = .max
        limits.maximumJSONByteCount = .max
        limits.maximumElementByteCount = .max
        limits.maximumDepth = .max
        limits.maximumElementCount = .max
        limits.maximumTagByteCount = .max
        limits.maximumValueCount = .max
        limits.maximumExpandedByteCount = .max
        return limits
    }()

    /// For values that a path holds, which were held to the limits of an app when they came in. Only the stack has its own.
    static let held: Self = {
        var limits = boundless
        limits.maximumDepth = 4 * NavWireLimits.default.maximumDepth
        return limits
    }()
}
