// SPDX-License-Identifier: Apache-2.0

/// The strings of one document in the order of their first use, and which of them were used again.
///
/// Writer and reader keep the same lists, so a number means the same string to both. A string's bytes stay where they
/// are: in the text section, or in `arena` when they stand nowhere in one piece.
@safe
struct SeenStrings {
    struct Entry {
        var offset: UInt32
        var byteCount: UInt8
        var isInArena: Bool
        /// The number among the keys and one, once somebody found it and it fits; or 0.
        var key: UInt16 = 0
        /// The number among the strings used often, or -1.
        var hotNumber: Int32
        /// The lower half of the hash.
        var hash: UInt32
    }

    private struct Slot {
        var generation: UInt32
        var number: UInt32
    }

    private(set) var entries: UnsafeMutablePointer<Entry>
    private(set) var capacity = usualCapacity
    private(set) var count = 0
    private(set) var hot: UnsafeMutablePointer<UInt32>
    private(set) var hotCount = 0
    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 511
    private var generation: UInt32 = 1
    private(set) var arena = ByteBuffer(capacity: 1024)

    private static let usualCapacity = 256

    init() {
        unsafe entries = .allocate(capacity: Self.usualCapacity)
        unsafe hot = .allocate(capacity: Self.usualCapacity)
        unsafe slots = .allocate(capacity: 512)
        unsafe slots.initialize(repeating: Slot(generation: 0, number: 0), count: 512)
    }

    func free() {
        unsafe entries.deallocate()
        unsafe hot.deallocate()
        unsafe slots.deallocate()
        arena.free()
    }

    /// Starts a new document.
    mutating func removeAll() {
        count = 0
        hotCount = 0
        arena.removeAll()
        generation &+= 1
        // The slots are never more than four for each entry that there is room for.
        guard generation == 0 || capacity > 1 << 14 else { return }
        // Wrapped, or grown by a huge document: begin with clean tables.
        arena.trim(to: 1024)
        unsafe entries.deallocate()
        unsafe hot.deallocate()
        capacity = Self.usualCapacity
        unsafe entries = .allocate(capacity: capacity)
        unsafe hot = .allocate(capacity: capacity)
        unsafe slots.deallocate()
        mask = 511
        unsafe slots = .allocate(capacity: 512)
        unsafe slots.initialize(repeating: Slot(generation: 0, number: 0), count: 512)
        generation = 1
    }

    /// The number of a string, or -1 and the slot where `add` puts it.
    @inline(__always)
    func find(
        _ text: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, textSection: UnsafeRawPointer
    ) -> (number: Int, slot: Int) {
        var slot = Int(UInt32(truncatingIfNeeded: hash)) & mask
        let tag = UInt32(truncatingIfNeeded: hash)
        while true {
            let candidate = unsafe slots[slot]
            if candidate.generation != generation { return (-1, slot) }
            let entry = unsafe entries[Int(candidate.number)]
            if unsafe entry.hash == tag && Int(entry.byteCount) == byteCount
                && ByteHash.equal(start(of: entry, textSection: textSection), text, byteCount)
            {
                return (Int(candidate.number), slot)
            }
            slot = (slot + 1) & mask
        }
    }

    @inline(__always)
    func start(of entry: Entry, textSection: UnsafeRawPointer) -> UnsafeRawPointer {
        unsafe (entry.isInArena ? UnsafeRawPointer(arena.start) : textSection) + Int(entry.offset)
    }

    /// Adds a string whose bytes stand in the text section at `offset`.
    @inline(__always)
    mutating func add(textOffset offset: Int, _ byteCount: Int, hash: UInt64, slot: Int) {
        insert(offset: offset, byteCount, isInArena: false, hash: hash, slot: slot)
    }

    /// Adds a string and keeps a copy of its bytes.
    mutating func add(copying text: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, slot: Int) {
        let offset = arena.count
        unsafe arena.append(text, byteCount: byteCount)
        insert(offset: offset, byteCount, isInArena: true, hash: hash, slot: slot)
    }

    /// Gives the next number to a string that is not found here.
    @inline(__always)
    mutating func addElsewhere() {
        // Without bytes, which all have that are found here.
        unsafe (entries + count).initialize(
            to: Entry(offset: 0, byteCount: 0, isInArena: false, hotNumber: -1, hash: 0))
        count += 1
        if count == capacity { growEntries() }
    }

    /// Makes a string one that is used often.
    @inline(__always)
    mutating func makeHot(_ number: Int) {
        unsafe entries[number].hotNumber = Int32(truncatingIfNeeded: hotCount)
        unsafe hot[hotCount] = UInt32(truncatingIfNeeded: number)
        hotCount += 1
    }

    /// Remembers that a string is also a key.
    @inline(__always)
    func note(key: Int, of number: Int) { unsafe entries[number].key = UInt16(exactly: key + 1) ?? 0 }

    @inline(__always)
    private mutating func insert(offset: Int, _ byteCount: Int, isInArena: Bool, hash: UInt64, slot: Int) {
        unsafe (entries + count).initialize(
            to: Entry(
                offset: UInt32(truncatingIfNeeded: offset), byteCount: UInt8(truncatingIfNeeded: byteCount),
                isInArena: isInArena, hotNumber: -1, hash: UInt32(truncatingIfNeeded: hash)))
        unsafe slots[slot] = Slot(generation: generation, number: UInt32(truncatingIfNeeded: count))
        count += 1
        if count == capacity { growEntries() }
        if count * 2 > mask { growSlots() }
    }

    @inline(never)
    private mutating func growEntries() {
        let largerEntries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        unsafe largerEntries.moveInitialize(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = unsafe largerEntries
        let largerHot = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity * 2)
        unsafe largerHot.moveInitialize(from: hot, count: hotCount)
        unsafe hot.deallocate()
        unsafe hot = unsafe largerHot
        capacity *= 2
    }

    @inline(never)
    private mutating func growSlots() {
        let larger = (mask + 1) * 2
        unsafe slots.deallocate()
        unsafe slots = .allocate(capacity: larger)
        unsafe slots.initialize(repeating: Slot(generation: 0, number: 0), count: larger)
        mask = larger - 1
        for number in 0..<count where unsafe entries[number].byteCount > 0 {
            var slot = unsafe Int(entries[number].hash) & mask
            while unsafe slots[slot].generation == generation { slot = (slot + 1) & mask }
            unsafe slots[slot] = Slot(generation: generation, number: UInt32(truncatingIfNeeded: number))
        }
    }
}
