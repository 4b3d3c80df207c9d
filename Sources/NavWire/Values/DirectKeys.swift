// SPDX-License-Identifier: Apache-2.0

/// What a coder knows of one `NavWireKeys`, which it keeps alive: its address is what it is found by.
@safe
struct DirectKeys {
    let keys: NavWireKeys
    /// The number in the key table of each key, by its place.
    let numbers: UnsafeMutablePointer<Int32>
    let count: Int
    /// The places of the keys by their numbers, in as many slots as the keys need: numbers run up to that of the last key
    /// that any document has brought.
    private let places: UnsafeMutablePointer<Slot>
    private let mask: Int
    /// Whether the numbers are those that hold now.
    private var areNumbered = false

    private struct Slot {
        var number: Int32
        var place: Int32

        static let empty = Slot(number: -1, place: -1)
    }

    init(_ keys: NavWireKeys) {
        self.keys = keys
        count = keys.count
        unsafe numbers = .allocate(capacity: max(1, keys.count))
        mask = 1 << (Int.bitWidth - (2 * keys.count).leadingZeroBitCount) - 1
        unsafe places = .allocate(capacity: mask + 1)
    }

    func free() {
        unsafe numbers.deallocate()
        unsafe places.deallocate()
    }

    @inline(__always)
    mutating func number(_ table: inout KeyTable) {
        if !areNumbered { ask(&table) }
    }

    @inline(never)
    private mutating func ask(_ table: inout KeyTable) {
        unsafe places.initialize(repeating: .empty, count: mask + 1)
        for (place, name) in keys.names.enumerated() {
            let number = Int32(truncatingIfNeeded: table.number(of: name))
            unsafe numbers[place] = number
            var slot = Int(number) & mask
            while unsafe places[slot].number >= 0, unsafe places[slot].number != number { slot = (slot + 1) & mask }
            // Of equal names the first counts.
            if unsafe places[slot].number < 0 {
                unsafe places[slot] = Slot(number: number, place: Int32(truncatingIfNeeded: place))
            }
        }
        areNumbered = true
    }

    mutating func forgetNumbers() { areNumbered = false }

    /// The place of the key with a number; nil when it is none of these, as -1 is.
    @inline(__always)
    func place(of number: Int) -> Int? {
        var slot = number & mask
        while true {
            let known = unsafe places[slot]
            // The number of an empty slot and its place are -1 alike.
            if known.number == Int32(truncatingIfNeeded: number) || known.number < 0 {
                return known.place < 0 ? nil : Int(known.place)
            }
            slot = (slot + 1) & mask
        }
    }
}

extension TypeTable<DirectKeys> {
    /// Ends a call. Keys that are made anew for each value would be kept for ever: those of a few hundred types are, and
    /// when there are more all are forgotten. No handle of the call looks at them any more.
    mutating func trim() {
        if count > 256 { unsafe removeAll { unsafe $0.pointee.free() } }
    }

    /// What is known of some keys, with numbers in `table`.
    @inline(__always)
    mutating func known(_ keys: NavWireKeys, _ table: inout KeyTable) -> UnsafeMutablePointer<DirectKeys> {
        let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(keys).toOpaque())
        let known = unsafe info(at: address) { DirectKeys(keys) }
        unsafe known.pointee.number(&table)
        return unsafe known
    }
}
