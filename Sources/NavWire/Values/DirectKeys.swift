// SPDX-License-Identifier: Apache-2.0

/// What a coder knows of one `NavWireKeys`, which it keeps alive: its address is what it is found by.
@safe
struct DirectKeys {
    let keys: NavWireKeys
    /// The number in the key table of each key, by its place.
    let numbers: UnsafeMutablePointer<Int32>
    /// The place of the key with a number, or -1.
    private var places = RawList<Int32>(capacity: 16)
    /// Whether the numbers are those that hold now.
    private var areNumbered = false

    init(_ keys: NavWireKeys) {
        self.keys = keys
        unsafe numbers = .allocate(capacity: max(1, keys.count))
    }

    @inline(__always)
    mutating func number(_ table: inout KeyTable) {
        if !areNumbered { ask(&table) }
    }

    @inline(never)
    private mutating func ask(_ table: inout KeyTable) {
        places.removeAll()
        for (place, name) in keys.names.enumerated() {
            let number = table.number(of: name)
            unsafe numbers[place] = Int32(truncatingIfNeeded: number)
            while places.count <= number { places.append(-1) }
            if places[number] < 0 { places[number] = Int32(truncatingIfNeeded: place) }
        }
        areNumbered = true
    }

    mutating func forgetNumbers() { areNumbered = false }

    /// The place of the key with a number; nil when it is none of these, as -1 is.
    @inline(__always)
    func place(of number: Int) -> Int? {
        guard number >= 0, number < places.count, places[number] >= 0 else { return nil }
        return Int(places[number])
    }
}

extension TypeTable<DirectKeys> {
    /// What is known of some keys, with numbers in `table`.
    @inline(__always)
    mutating func known(_ keys: NavWireKeys, _ table: inout KeyTable) -> UnsafeMutablePointer<DirectKeys> {
        let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(keys).toOpaque())
        let known = unsafe info(at: address) { DirectKeys(keys) }
        unsafe known.pointee.number(&table)
        return unsafe known
    }
}
