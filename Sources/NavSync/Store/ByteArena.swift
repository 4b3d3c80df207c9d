// SPDX-License-Identifier: Apache-2.0

/// Many small byte strings in a few large chunks.
///
/// A heap block for each name and envelope would cost half as much again as the bytes. A freed place is used again for
/// a string of the same size, rounded up to 8 bytes; nothing is ever moved.
struct ByteArena: Sendable {
    /// Where a string starts, in units of 8 bytes.
    struct Location: Hashable, Sendable {
        let granule: UInt32
    }

    static let granuleByteCount = 8
    static let chunkByteCount = 256 << 10
    /// The longest string: a name and an envelope that is kept in memory.
    static let maximumByteCount = StackName.maximumByteCount + StackIndex.maximumHeldEnvelopeByteCount
    private static let granulesPerChunk = chunkByteCount / granuleByteCount

    private var chunks: [[UInt8]] = []
    private var nextGranule = 0
    /// Freed places by their number of granules.
    private var free: [[Location]] = []

    init() {}

    /// A place for `byteCount` bytes; its content is whatever was there. Nil when 32 GiB are in use.
    mutating func allocate(_ byteCount: Int) -> Location? {
        precondition(byteCount <= Self.maximumByteCount)
        let size = Self.granules(byteCount)
        if size < free.count, let location = free[size].popLast() { return location }
        let left = chunks.count * Self.granulesPerChunk - nextGranule
        if left < size {
            nextGranule = chunks.count * Self.granulesPerChunk
            guard nextGranule + Self.granulesPerChunk <= Int(UInt32.max) else { return nil }
            chunks.append([UInt8](repeating: 0, count: Self.chunkByteCount))
        }
        defer { nextGranule += size }
        return Location(granule: UInt32(nextGranule))
    }

    mutating func release(_ location: Location, byteCount: Int) {
        let size = Self.granules(byteCount)
        while free.count <= size { free.append([]) }
        free[size].append(location)
    }

    /// Whether a string of `new` bytes fits exactly where one of `old` bytes stands.
    static func isSameSize(_ old: Int, _ new: Int) -> Bool { granules(old) == granules(new) }

    /// Writes `bytes` at `offset` into a place.
    mutating func write(_ bytes: [UInt8], at location: Location, offset: Int) {
        let start = Self.start(of: location) + offset
        precondition(start + bytes.count <= Self.chunkByteCount)
        // Element by element this costs as much as the whole rest of a push.
        unsafe chunks[Self.chunk(of: location)].withUnsafeMutableBytes { chunk in
            unsafe bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: chunk[start..<start + source.count])
                    .copyMemory(from: source)
            }
        }
    }

    /// The bytes at a place; valid until the next write.
    func bytes(at location: Location, offset: Int, count: Int) -> ArraySlice<UInt8> {
        let start = Self.start(of: location) + offset
        return chunks[Self.chunk(of: location)][start..<start + count]
    }

    private static func granules(_ byteCount: Int) -> Int { (byteCount + granuleByteCount - 1) / granuleByteCount }
    private static func chunk(of location: Location) -> Int { Int(location.granule) / granulesPerChunk }
    private static func start(of location: Location) -> Int {
        Int(location.granule) % granulesPerChunk * granuleByteCount
    }
}
