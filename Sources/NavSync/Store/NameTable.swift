// SPDX-License-Identifier: Apache-2.0

/// Finds the slot of a name: open addressing, eight bytes a place, names kept elsewhere.
///
/// A place holds 32 bits of the name's hash and the slot's number plus one; 0 is empty.
struct NameTable: Sendable {
    private var places: [UInt64] = Array(repeating: 0, count: 64)
    private(set) var count = 0
    let seed: UInt64

    /// `seed` should be unknown to those who choose names, so that they cannot choose colliding ones.
    init(seed: UInt64) { self.seed = seed }

    func hash(_ bytes: [UInt8]) -> UInt32 {
        var state = seed ^ UInt64(bytes.count)
        var word: UInt64 = 0
        var filled: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << filled
            filled += 8
            if filled == 64 {
                state = Self.mix(state ^ word)
                word = 0
                filled = 0
            }
        }
        if filled > 0 { state = Self.mix(state ^ word) }
        return UInt32(truncatingIfNeeded: Self.mix(state) >> 32)
    }

    /// The slot among those of `hash` that `isName` accepts.
    func find(_ hash: UInt32, where isName: (Int) -> Bool) -> Int? {
        let mask = places.count - 1
        var place = Int(hash) & mask
        while places[place] != 0 {
            if UInt32(truncatingIfNeeded: places[place] >> 32) == hash {
                let slot = Int(UInt32(truncatingIfNeeded: places[place])) - 1
                if isName(slot) { return slot }
            }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Adds a slot that is not there yet.
    mutating func insert(_ hash: UInt32, slot: Int) {
        if (count + 1) * 5 > places.count * 4 { grow() }
        place(UInt64(hash) << 32 | UInt64(slot + 1))
        count += 1
    }

    mutating func remove(_ hash: UInt32, slot: Int) {
        let mask = places.count - 1
        let entry = UInt64(hash) << 32 | UInt64(slot + 1)
        var hole = Int(hash) & mask
        while places[hole] != entry {
            if places[hole] == 0 { return }
            hole = (hole + 1) & mask
        }
        // Close the gap: move back what would no longer be found.
        var next = (hole + 1) & mask
        while places[next] != 0 {
            let home = Int(places[next] >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = 0
        count -= 1
    }

    private mutating func place(_ entry: UInt64) {
        let mask = places.count - 1
        var place = Int(entry >> 32) & mask
        while places[place] != 0 { place = (place + 1) & mask }
        places[place] = entry
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
