// SPDX-License-Identifier: Apache-2.0

/// Strings that are not written out as they stand — static symbols, and names in two parts — with what was found out
/// about them. Tags are such strings, and the same ones stand in document after document.
///
/// Like the key table it outlives documents, and it is emptied between two of them when it holds many; whether a string
/// is here never shows in the bytes.
@safe
struct KnownNames {
    struct Name {
        /// Among the bytes that are kept.
        fileprivate let offset: Int
        let byteCount: Int
        fileprivate let hash: UInt64
        /// The number of the static symbol, which a name in two parts has behind its dot; -1 when it has none there.
        let symbol: Int
        /// The place of the first part; -1 when the whole string is a static symbol.
        let prefix: Int
        /// The document in which `documentNumber` holds.
        var generation: UInt32 = 0
        /// The number among the strings seen, or among the first parts.
        var documentNumber: UInt32 = 0
    }

    /// First parts stand here too, but are never taken for whole strings.
    enum Kind: UInt32 { case whole, prefix }

    private struct Slot {
        /// The high half of the hash, but for its lowest bit, which is the kind.
        var tag: UInt32
        /// The place of the name and one; 0 where there is none.
        var next: UInt32
    }

    private static let fewNames = 256

    private(set) var names: UnsafeMutablePointer<Name>
    private var capacity = fewNames
    private var count = 0
    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 4 * fewNames - 1
    private var text = ByteBuffer(capacity: 4096)

    init() {
        unsafe names = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: Slot(tag: 0, next: 0), count: mask + 1)
    }

    func free() {
        unsafe names.deallocate()
        unsafe slots.deallocate()
        text.free()
    }

    var areMany: Bool { count >= Self.fewNames }

    mutating func removeAll() {
        free()
        self = Self()
    }

    @inline(__always)
    private static func tag(_ hash: UInt64, _ kind: Kind) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 32) & ~1 | kind.rawValue
    }

    /// The place of a string, or -1. `hash` is that with the process's seed.
    @inline(__always)
    func find(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, _ kind: Kind) -> Int {
        let tag = Self.tag(hash, kind)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let candidate = unsafe slots[slot]
            if candidate.next == 0 { return -1 }
            let place = Int(candidate.next) - 1
            if candidate.tag == tag, unsafe names[place].byteCount == byteCount,
                unsafe ByteHash.equal(text.start + names[place].offset, start, byteCount)
            {
                return place
            }
            slot = (slot + 1) & mask
        }
    }

    /// Keeps a string that was not found; its place.
    mutating func add(
        _ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, _ kind: Kind, symbol: Int, prefix: Int
    ) -> Int {
        if count == capacity { grow() }
        unsafe (names + count).initialize(
            to: Name(offset: text.count, byteCount: byteCount, hash: hash, symbol: symbol, prefix: prefix))
        unsafe text.append(start, byteCount: byteCount)
        count += 1
        insert(count - 1, Self.tag(hash, kind))
        return count - 1
    }

    private mutating func insert(_ place: Int, _ tag: UInt32) {
        var slot = unsafe Int(truncatingIfNeeded: names[place].hash) & mask
        while unsafe slots[slot].next != 0 { slot = (slot + 1) & mask }
        unsafe slots[slot] = Slot(tag: tag, next: UInt32(truncatingIfNeeded: place + 1))
    }

    private mutating func grow() {
        let largerNames = UnsafeMutablePointer<Name>.allocate(capacity: capacity * 2)
        unsafe largerNames.moveInitialize(from: names, count: count)
        unsafe names.deallocate()
        unsafe names = unsafe largerNames
        capacity *= 2
        let (old, oldCount) = unsafe (slots, mask + 1)
        mask = oldCount * 2 - 1
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: Slot(tag: 0, next: 0), count: mask + 1)
        for slot in 0..<oldCount where unsafe old[slot].next != 0 {
            unsafe insert(Int(old[slot].next) - 1, old[slot].tag)
        }
        unsafe old.deallocate()
    }
}
