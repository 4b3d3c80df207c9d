// SPDX-License-Identifier: Apache-2.0

/// Many small byte strings in a few large chunks: a heap block for each name and envelope would cost half as much again as
/// the bytes.
///
/// Strings are put one behind the other, each after eight bytes that say whose it is. What is released leaves a hole. When
/// the holes are more than half of what is held, the owner empties the chunk with the most of them: it moves what is left
/// there behind everything else, and the chunk is given back. So the memory is bounded by what is held, whatever sizes
/// come and go, and each byte written costs a small number of bytes moved.
struct ByteArena: Sendable {
    /// Where a string starts, in units of 8 bytes.
    struct Location: Hashable, Sendable {
        let granule: UInt32

        /// No place.
        static let none = Location(granule: .max)
    }

    /// A string that was put somewhere, there still or not.
    struct Place {
        let owner: Int
        let location: Location
    }

    static let granuleByteCount = 8
    static let chunkByteCount = 256 << 10
    /// The longest string: a name and an envelope that is kept in memory.
    static let maximumByteCount = StackName.maximumByteCount + StackIndex.maximumHeldEnvelopeByteCount
    /// As many chunks as locations can tell apart: 32 GiB.
    static let maximumChunkCount = Int(UInt32.max) / granulesPerChunk
    private static let granulesPerChunk = chunkByteCount / granuleByteCount
    /// Granules of holes that are no matter: else a small arena would be emptied again and again.
    private static let slackGranuleCount = 4 * granulesPerChunk

    /// Empty where a chunk was given back.
    private var chunks: [[UInt8]] = []
    /// Granules of each chunk that belong to somebody.
    private var used: [Int] = []
    /// Chunks that were given back.
    private var free: [Int] = []
    /// A chunk that was emptied last: the next one need not be asked for.
    private var spare: [UInt8] = []
    private let maximumChunkCount: Int
    /// The chunk that is being filled, and how far.
    private var last = -1
    private var nextGranule = granulesPerChunk
    private var usedGranuleCount = 0
    private var chunkCount = 0

    init(maximumChunkCount: Int = ByteArena.maximumChunkCount) { self.maximumChunkCount = maximumChunkCount }

    /// Bytes that the arena takes.
    var byteCount: Int { (chunkCount + (spare.isEmpty ? 0 : 1)) * Self.chunkByteCount }

    /// Bytes that it will take with one more string.
    func byteCount(withAnother byteCount: Int) -> Int {
        self.byteCount + (hasRoom(byteCount) || !spare.isEmpty ? 0 : Self.chunkByteCount)
    }

    private func hasRoom(_ byteCount: Int) -> Bool {
        nextGranule + 1 + Self.granules(byteCount) <= Self.granulesPerChunk
    }

    /// Whether a string of `new` bytes fits exactly where one of `old` bytes stands.
    static func isSameSize(_ old: Int, _ new: Int) -> Bool { granules(old) == granules(new) }

    // MARK: Strings

    /// A place for `byteCount` bytes of an owner; its content is whatever was there. Nil when there is no room for another
    /// chunk.
    mutating func allocate(_ byteCount: Int, owner: Int) -> Location? {
        precondition(byteCount <= Self.maximumByteCount)
        if !hasRoom(byteCount), !addChunk() { return nil }
        let size = 1 + Self.granules(byteCount)
        let location = Location(granule: UInt32(last * Self.granulesPerChunk + nextGranule))
        write(UInt64(size) << 32 | UInt64(UInt32(truncatingIfNeeded: owner)), at: location)
        nextGranule += size
        used[last] += size
        usedGranuleCount += size
        return location
    }

    /// Gives the string that was put last another size, where it is; false when it is not the last or there is no room.
    mutating func resize(_ location: Location, to byteCount: Int) -> Bool {
        guard Self.chunk(of: location) == last else { return false }
        let head = read(at: location)
        let (old, new) = (Int(head >> 32), 1 + Self.granules(byteCount))
        let start = Int(location.granule) - last * Self.granulesPerChunk
        guard start + old == nextGranule, start + new <= Self.granulesPerChunk else { return false }
        write(UInt64(new) << 32 | head & UInt64(UInt32.max), at: location)
        nextGranule += new - old
        used[last] += new - old
        usedGranuleCount += new - old
        return true
    }

    mutating func release(_ location: Location) {
        let chunk = Self.chunk(of: location)
        let size = Int(read(at: location) >> 32)
        used[chunk] -= size
        usedGranuleCount -= size
        if used[chunk] == 0, chunk != last { giveBack(chunk) }
    }

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

    // MARK: Holes

    /// Whether the chunk with the most holes is to be emptied.
    var isWasteful: Bool {
        2 * (chunkCount * Self.granulesPerChunk - Self.slackGranuleCount) > 3 * usedGranuleCount
    }

    /// Every string that was put into the chunk with the most holes, in the order of places.
    func placesInEmptiestChunk() -> [Place] {
        var found: Int?
        var least = Int.max
        for chunk in used.indices where chunk != last && used[chunk] < least && !chunks[chunk].isEmpty {
            (found, least) = (chunk, used[chunk])
        }
        guard let found else { return [] }
        var places: [Place] = []
        var granule = found * Self.granulesPerChunk
        let end = granule + Self.granulesPerChunk
        while granule < end {
            let location = Location(granule: UInt32(granule))
            let head = read(at: location)
            guard head > 0 else { break }
            places.append(Place(owner: Int(UInt32(truncatingIfNeeded: head)), location: location))
            granule += Int(head >> 32)
        }
        return places
    }

    /// Puts a string behind all others; nil when there is no room for another chunk.
    mutating func move(_ place: Place) -> Location? {
        let byteCount = (Int(read(at: place.location) >> 32) - 1) * Self.granuleByteCount
        guard let location = allocate(byteCount, owner: place.owner) else { return nil }
        write(Array(bytes(at: place.location, offset: 0, count: byteCount)), at: location, offset: 0)
        release(place.location)
        return location
    }

    // MARK: Chunks

    private mutating func addChunk() -> Bool {
        guard chunkCount < maximumChunkCount else { return false }
        endLastChunk()
        var chunk: [UInt8] = []
        swap(&chunk, &spare)
        if chunk.isEmpty { chunk = [UInt8](repeating: 0, count: Self.chunkByteCount) }
        if let place = free.popLast() {
            chunks[place] = chunk
            last = place
        } else {
            chunks.append(chunk)
            used.append(0)
            last = chunks.count - 1
        }
        chunkCount += 1
        nextGranule = 0
        return true
    }

    /// Nothing more is put into it: what follows the last string is none.
    private mutating func endLastChunk() {
        guard last >= 0 else { return }
        if nextGranule < Self.granulesPerChunk {
            write(0, at: Location(granule: UInt32(last * Self.granulesPerChunk + nextGranule)))
        }
        let ended = last
        last = -1
        if used[ended] == 0 { giveBack(ended) }
    }

    private mutating func giveBack(_ chunk: Int) {
        spare = []
        swap(&spare, &chunks[chunk])
        free.append(chunk)
        chunkCount -= 1
    }

    // MARK: Heads

    private func read(at location: Location) -> UInt64 {
        let start = Self.headStart(of: location)
        return unsafe chunks[Self.chunk(of: location)].withUnsafeBytes { chunk in
            unsafe chunk.load(fromByteOffset: start, as: UInt64.self)
        }
    }

    private mutating func write(_ head: UInt64, at location: Location) {
        let start = Self.headStart(of: location)
        unsafe chunks[Self.chunk(of: location)].withUnsafeMutableBytes { chunk in
            unsafe chunk.storeBytes(of: head, toByteOffset: start, as: UInt64.self)
        }
    }

    private static func granules(_ byteCount: Int) -> Int { (byteCount + granuleByteCount - 1) / granuleByteCount }
    private static func chunk(of location: Location) -> Int { Int(location.granule) / granulesPerChunk }
    private static func headStart(of location: Location) -> Int {
        Int(location.granule) % granulesPerChunk * granuleByteCount
    }
    private static func start(of location: Location) -> Int { headStart(of: location) + granuleByteCount }
}
