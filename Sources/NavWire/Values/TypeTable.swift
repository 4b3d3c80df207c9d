// SPDX-License-Identifier: Apache-2.0

/// Finds what is known about a type by the address of its metadata. Entries live until all are removed.
@safe
struct TypeTable<Info> {
    @safe
    private struct Slot {
        var type: UInt
        var info: UnsafeMutablePointer<Info>?
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 255
    private(set) var count = 0

    init() {
        unsafe slots = .allocate(capacity: 256)
        unsafe slots.initialize(repeating: Slot(type: 0, info: nil), count: 256)
    }

    /// What is known about a type, found out with `make` the first time.
    @inline(__always)
    mutating func info(of type: Any.Type, _ make: () -> Info) -> UnsafeMutablePointer<Info> {
        unsafe info(at: UInt(bitPattern: ObjectIdentifier(type)), make)
    }

    /// The same by any address that stays what it is.
    @inline(__always)
    mutating func info(at address: UInt, _ make: () -> Info) -> UnsafeMutablePointer<Info> {
        let slot = unsafe slots + (Self.place(address) & mask)
        if unsafe slot.pointee.type == address, let info = unsafe slot.pointee.info { return unsafe info }
        return unsafe find(address, make)
    }

    @inline(__always)
    private static func place(_ address: UInt) -> Int { Int(truncatingIfNeeded: (address >> 4) &* 0x9E37_79B9 >> 8) }

    @inline(never)
    private mutating func find(_ address: UInt, _ make: () -> Info) -> UnsafeMutablePointer<Info> {
        var place = Self.place(address) & mask
        while unsafe slots[place].type != 0 {
            if unsafe slots[place].type == address, let info = unsafe slots[place].info { return unsafe info }
            place = (place + 1) & mask
        }
        let info = UnsafeMutablePointer<Info>.allocate(capacity: 1)
        unsafe info.initialize(to: make())
        // What was asked of the type may have made more entries.
        place = Self.place(address) & mask
        while unsafe slots[place].type != 0 { place = (place + 1) & mask }
        unsafe slots[place] = unsafe Slot(type: address, info: info)
        count += 1
        if count * 2 > mask { grow() }
        return unsafe info
    }

    private mutating func grow() {
        let (old, oldCount) = unsafe (slots, mask + 1)
        mask = mask * 2 + 1
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: Slot(type: 0, info: nil), count: mask + 1)
        for index in 0..<oldCount where unsafe old[index].type != 0 {
            var place = unsafe Self.place(old[index].type) & mask
            while unsafe slots[place].type != 0 { place = (place + 1) & mask }
            unsafe slots[place] = unsafe old[index]
        }
        unsafe old.deallocate()
    }

    /// Forgets everything; `free` gives back what the entries hold besides themselves.
    mutating func removeAll(_ free: (UnsafeMutablePointer<Info>) -> Void) {
        unsafe forEach { info in
            unsafe free(info)
            unsafe info.deinitialize(count: 1)
            unsafe info.deallocate()
        }
        unsafe slots.deallocate()
        self = Self()
    }

    /// Calls `body` for everything known.
    func forEach(_ body: (UnsafeMutablePointer<Info>) -> Void) {
        for place in 0...mask { if let info = unsafe slots[place].info { unsafe body(info) } }
    }
}
