// SPDX-License-Identifier: Apache-2.0

/// Gives each key string a number that lives as long as the table, which outlives single documents.
///
/// A number costs one hash of the string once; coders that know the number already, by the type of a coding key, never
/// touch the string again.
@safe
struct KeyTable {
    struct Key {
        var offset: Int32
        var byteCount: Int32
        /// The number among the static symbols, or -1.
        var staticNumber: Int32
        /// The last document that had the key.
        var generation: UInt32
        /// Written: the number that it has there. Read: the last long shape that had the key.
        var documentNumber: UInt32
    }

    private var text = ByteBuffer(capacity: 4096)
    private var slots: UnsafeMutablePointer<Int32>
    private var mask = 2 * usualCapacity - 1
    private(set) var keys: UnsafeMutablePointer<Key>
    private(set) var capacity = usualCapacity
    private(set) var count = 0

    private static let usualCapacity = 256

    init() {
        unsafe keys = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: -1, count: mask + 1)
    }

    func free() {
        text.free()
        unsafe slots.deallocate()
        unsafe keys.deallocate()
    }

    /// Forgets all keys. Numbers given out before mean nothing afterwards.
    mutating func removeAll() {
        text.trim(to: 4096)
        count = 0
        if capacity > 1 << 14 { shrink() }
        unsafe slots.update(repeating: -1, count: mask + 1)
    }

    /// Gives back what only a huge document needed. The slots hold anything afterwards.
    private mutating func shrink() {
        unsafe keys.deallocate()
        unsafe slots.deallocate()
        capacity = Self.usualCapacity
        mask = 2 * capacity - 1
        unsafe keys = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: mask + 1)
    }

    var byteCount: Int { text.count }

    /// Whether past documents left so much that it had better be forgotten: keys, or bytes of few but long ones.
    var remembersTooMuch: Bool { count > 4096 || text.count > 1 << 20 }

    @inline(__always)
    func bytes(of key: Int) -> UnsafeRawBufferPointer {
        let entry = unsafe keys[key]
        return unsafe UnsafeRawBufferPointer(start: text.start + Int(entry.offset), count: Int(entry.byteCount))
    }

    func string(of key: Int) -> String { unsafe String(decoding: bytes(of: key), as: UTF8.self) }

    mutating func number(of key: String) -> Int {
        var key = key
        return key.withUTF8 { unsafe number(of: UnsafeRawBufferPointer($0)) }
    }

    /// The number of a key, given now if it has none.
    mutating func number(of key: UnsafeRawBufferPointer) -> Int {
        var empty: UInt64 = 0
        guard let start = key.baseAddress else {
            return unsafe withUnsafeBytes(of: &empty) { unsafe number(of: $0.baseAddress, 0) }
        }
        return unsafe number(of: start, key.count)
    }

    private mutating func number(of start: UnsafeRawPointer?, _ byteCount: Int) -> Int {
        guard let start = unsafe start else { return 0 }
        let hash = unsafe ByteHash.hash(start, byteCount, seed: ByteHash.seed)
        let (number, slot) = unsafe find(start, byteCount, hash: hash)
        return number >= 0 ? number : unsafe add(start, byteCount, hash: hash, slot: slot)
    }

    /// The number of a key, or -1 and the slot where `add` puts it. `hash` is that with the process's seed.
    @inline(__always)
    func find(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64) -> (number: Int, slot: Int) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let candidate = unsafe Int(slots[slot])
            if candidate < 0 { return (-1, slot) }
            let known = unsafe bytes(of: candidate)
            if known.count == byteCount, let knownStart = known.baseAddress,
                unsafe ByteHash.equal(knownStart, start, byteCount)
            {
                return (candidate, slot)
            }
            slot = (slot + 1) & mask
        }
    }

    private mutating func add(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, slot: Int) -> Int {
        if count == capacity { growKeys() }
        let known = unsafe StaticSymbols.shared.number(of: start, byteCount, hash: hash)
        unsafe (keys + count).initialize(
            to: Key(
                offset: Int32(truncatingIfNeeded: text.count), byteCount: Int32(truncatingIfNeeded: byteCount),
                staticNumber: Int32(truncatingIfNeeded: known ?? -1), generation: 0, documentNumber: 0))
        unsafe text.append(start, byteCount: byteCount)
        unsafe slots[slot] = Int32(truncatingIfNeeded: count)
        count += 1
        if count * 2 > mask { growSlots() }
        return count - 1
    }

    private mutating func growKeys() {
        let larger = UnsafeMutablePointer<Key>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: keys, count: count)
        unsafe keys.deallocate()
        unsafe keys = larger
        capacity *= 2
    }

    private mutating func growSlots() {
        let slotCount = (mask + 1) * 2
        unsafe slots.deallocate()
        unsafe slots = .allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: -1, count: slotCount)
        mask = slotCount - 1
        for key in 0..<count {
            let text = unsafe bytes(of: key)
            guard let start = text.baseAddress else { continue }
            var slot = unsafe Int(truncatingIfNeeded: ByteHash.hash(start, text.count, seed: ByteHash.seed)) & mask
            while unsafe slots[slot] >= 0 { slot = (slot + 1) & mask }
            unsafe slots[slot] = Int32(truncatingIfNeeded: key)
        }
    }
}
