// SPDX-License-Identifier: Apache-2.0

/// What a scanned payload holds: one entry for each value, containers before what is in them.
///
///     {"id": 7, "tags": ["a", "b"]}
///
///     0  object of shape 0, ends before 5
///     1      integer 7
///     2      array of 2, ends before 5
///     3          string at offset …
///     4          string at offset …
///
/// Everything that can be wrong with bytes is found while the tape is made. What reads the tape looks at no byte of
/// unknown meaning again.
@safe
struct Tape {
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    private(set) var count = 0
    private(set) var capacity: Int

    private static let usualCapacity = 512

    init() {
        capacity = Self.usualCapacity
        unsafe entries = .allocate(capacity: capacity)
    }

    func free() { unsafe entries.deallocate() }

    mutating func removeAll() {
        count = 0
        guard capacity > 1 << 16 else { return }
        unsafe entries.deallocate()
        capacity = Self.usualCapacity
        unsafe entries = .allocate(capacity: capacity)
    }

    @inline(__always)
    mutating func append(_ entry: TapeEntry) {
        if count == capacity { grow() }
        unsafe (entries + count).initialize(to: entry)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = unsafe larger
        capacity *= 2
    }

    /// The entry after a value and all that is in it.
    @inline(__always)
    func next(after index: Int) -> Int {
        let entry = unsafe entries + index
        return unsafe entry.pointee.kind.isContainer ? entry.pointee.end : index + 1
    }
}

/// One value on a tape. Sixteen bytes.
struct TapeEntry {
    var kind: Kind
    /// Strings: where the bytes are. Integers and decimals: 1 when negative.
    var flag: UInt8 = 0
    /// Strings, data, URLs: bytes. Containers: items, a map's or dictionary's keys and values counted apart.
    /// Decimals: the bits of the exponent. Nested null: the depth.
    var length: UInt32 = 0
    /// Scalars: the value's bits. What does not fit: an offset into the payload. Containers: the entry after them.
    /// In the upper half, objects: the number of the shape; strings: that among the strings seen and one, or 0.
    var bits: UInt64 = 0

    enum Kind: UInt8 {
        case null, nestedNull, bool
        /// `bits`, or `-1 - bits` when flagged.
        case integer
        /// Sixteen bytes in the payload.
        case wideInteger
        case half, float, double
        case decimal, longDecimal, decimalNaN, negativeZero
        case string, uuid, date, data, webURL, url
        /// One string entry for the relative part and one for the base follow.
        case urlWithBase
        case array, object, map, pairs, set
        /// The next entry was imported from JSON.
        case imported
        case verbatim

        @inline(__always)
        var isContainer: Bool { rawValue >= Self.urlWithBase.rawValue && rawValue <= Self.imported.rawValue }
    }

    /// Where the bytes of a string are: `flag`.
    enum Source {
        static let payload: UInt8 = 0
        /// Strings that stand nowhere in one piece.
        static let arena: UInt8 = 1
    }

    @inline(__always)
    var shape: Int { Int(bits >> 32) }

    @inline(__always)
    var seen: Int { Int(bits >> 32) }

    @inline(__always)
    var end: Int { Int(bits & 0xFFFF_FFFF) }
}
