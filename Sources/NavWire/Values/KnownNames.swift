// SPDX-License-Identifier: Apache-2.0

/// Strings that are not written out as they stand — static symbols, and names in two parts — with what was found out
/// about them. Tags are such strings, and the same ones stand in document after document.
///
/// Like the key table it outlives documents. It holds a few hundred strings and is emptied between two documents when it
/// is full; whether a string is here never shows in the bytes.
@safe
struct KnownNames {
    struct Name {
        let hash: UInt64
        let byteCount: Int
        /// The bytes before the dot; 0 when the whole string is a static symbol.
        let prefixByteCount: Int
        let prefixHash: UInt64
        /// The number of the static symbol, which a name in two parts has behind its dot; -1 when it has none there.
        let symbol: Int
        fileprivate var offset = 0
        /// The document in which `documentNumber` holds.
        var generation: UInt32 = 0
        /// The number among the strings seen.
        var documentNumber: UInt32 = 0

        init(hash: UInt64, byteCount: Int, symbol: Int, prefixByteCount: Int = 0, prefixHash: UInt64 = 0) {
            self.hash = hash
            self.byteCount = byteCount
            self.symbol = symbol
            self.prefixByteCount = prefixByteCount
            self.prefixHash = prefixHash
        }
    }

    private struct Slot {
        var hash: UInt32
        /// The number of the name and one; 0 where there is none.
        var place: UInt32
    }

    private static let mostNames = 256
    private static let mask = 1023

    private var text = ByteBuffer(capacity: 4096)
    private let slots: UnsafeMutablePointer<Slot>
    private let names: UnsafeMutablePointer<Name>
    private var count = 0

    init() {
        unsafe slots = .allocate(capacity: Self.mask + 1)
        unsafe slots.initialize(repeating: Slot(hash: 0, place: 0), count: Self.mask + 1)
        unsafe names = .allocate(capacity: Self.mostNames)
    }

    func free() {
        text.free()
        unsafe slots.deallocate()
        unsafe names.deallocate()
    }

    var isFull: Bool { count == Self.mostNames }

    mutating func removeAll() {
        text.removeAll()
        count = 0
        unsafe slots.update(repeating: Slot(hash: 0, place: 0), count: Self.mask + 1)
    }

    @inline(__always)
    func find(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64) -> UnsafeMutablePointer<Name>? {
        var slot = Int(truncatingIfNeeded: hash) & Self.mask
        while true {
            let candidate = unsafe slots[slot]
            if candidate.place == 0 { return nil }
            if candidate.hash == UInt32(truncatingIfNeeded: hash >> 32) {
                let name = unsafe names + (Int(candidate.place) - 1)
                if unsafe name.pointee.byteCount == byteCount
                    && ByteHash.equal(text.start + name.pointee.offset, start, byteCount)
                {
                    return unsafe name
                }
            }
            slot = (slot + 1) & Self.mask
        }
    }

    /// Keeps a string that `find` did not find; nil when there is no room.
    mutating func add(_ name: Name, _ start: UnsafeRawPointer) -> UnsafeMutablePointer<Name>? {
        guard !isFull else { return nil }
        let place = unsafe names + count
        unsafe place.initialize(to: name)
        unsafe place.pointee.offset = text.count
        unsafe text.append(start, byteCount: name.byteCount)
        count += 1
        var slot = Int(truncatingIfNeeded: name.hash) & Self.mask
        while unsafe slots[slot].place != 0 { slot = (slot + 1) & Self.mask }
        unsafe slots[slot] = Slot(
            hash: UInt32(truncatingIfNeeded: name.hash >> 32), place: UInt32(truncatingIfNeeded: count))
        return unsafe place
    }
}
