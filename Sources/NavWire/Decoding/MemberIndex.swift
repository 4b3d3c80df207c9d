// SPDX-License-Identifier: Apache-2.0

/// Finds the members of large containers for those who ask for them in another order than that of the bytes.
///
/// To go through all members for each of n keys that are asked for in reverse would be n² steps. So whoever goes through
/// them counts how often, and turns here after a few times.
@safe
struct MemberIndex {
    /// Containers of up to this many members are gone through all the same.
    static let smallCount: Int32 = 64

    /// Whether members had better be looked for here, in a large container that was gone through so often. Most types
    /// ask for their keys in order, and an index costs more than a few that do not.
    mutating func pays(_ count: Int32, _ searches: inout Int32) -> Bool {
        if searches >= 16 { return true }
        searches += 1
        steps &+= Int(count)
        return false
    }

    /// The entries of all items of a container, in order.
    private var entries: [Int: [Int32]] = [:]
    /// The keys of a shape, ascending: the number of each in the upper half, its place among the keys in the lower.
    private var keys: [Int: [UInt64]] = [:]
    private(set) var isUsed = false
    /// How many members of large containers were passed over or looked at, at most, since the state was made.
    private(set) var steps = 0

    mutating func removeAll() {
        entries = [:]
        keys = [:]
        isUsed = false
    }

    /// The place of a key among an object's, and the entry of its value.
    mutating func find(
        _ number: Int32, in object: Int, _ scanner: UnsafePointer<PayloadScanner>
    ) -> (place: Int32, entry: Int32)? {
        let shape = unsafe scanner.pointee.tape.entries[object].shape
        let keys = unsafe keys(of: shape, scanner)
        let wanted = UInt64(UInt32(bitPattern: number)) << 32
        let found = partition(keys.count) { keys[$0] < wanted }
        guard found < keys.count, keys[found] >> 32 == wanted >> 32 else { return nil }
        let place = Int32(truncatingIfNeeded: keys[found] & 0xFFFF_FFFF)
        return unsafe (place, entries(of: object, scanner)[Int(place)])
    }

    /// The place of a key among a map's, and its entry: the keys of maps ascend.
    mutating func find(
        _ key: UnsafeRawBufferPointer, inMap map: Int, _ scanner: UnsafePointer<PayloadScanner>
    ) -> (place: Int32, entry: Int32)? {
        let entries = unsafe entries(of: map, scanner)
        func bytes(_ place: Int) -> UnsafeRawBufferPointer {
            unsafe scanner.pointee.bytes(of: scanner.pointee.tape.entries[Int(entries[2 * place])])
        }
        let place = partition(entries.count / 2) { unsafe ByteOrder.compare(bytes($0), key) < 0 }
        guard place < entries.count / 2, unsafe ByteOrder.compare(bytes(place), key) == 0 else { return nil }
        return (Int32(truncatingIfNeeded: place), entries[2 * place])
    }

    /// The place of the item of a container in which an entry is, and where that item begins.
    mutating func item(
        of container: Int, around entry: Int, _ scanner: UnsafePointer<PayloadScanner>
    ) -> (offset: Int, entry: Int) {
        let entries = unsafe entries(of: container, scanner)
        let offset = max(1, partition(entries.count) { entries[$0] <= entry }) - 1
        return (offset, Int(entries[offset]))
    }

    private mutating func entries(of container: Int, _ scanner: UnsafePointer<PayloadScanner>) -> [Int32] {
        if let known = entries[container] { return known }
        let found = unsafe scanner.pointee.indices(of: container).map { Int32(truncatingIfNeeded: $0) }
        isUsed = true
        steps &+= found.count
        entries[container] = found
        return found
    }

    private mutating func keys(of shape: Int, _ scanner: UnsafePointer<PayloadScanner>) -> [UInt64] {
        if let known = keys[shape] { return known }
        let document = unsafe scanner.pointee.documentShapes[shape]
        let numbers = unsafe scanner.pointee.shapeKeys.elements(
            Int(document.firstKey), count: Int(document.keyCount))
        var found: [UInt64] = []
        found.reserveCapacity(numbers.count)
        for unsafe(place, number) in unsafe numbers.enumerated() {
            found.append(UInt64(UInt32(bitPattern: number)) << 32 | UInt64(truncatingIfNeeded: place))
        }
        found.sort()
        isUsed = true
        steps &+= found.count
        keys[shape] = found
        return found
    }

    /// The first of `count` places where `isBefore` is false; it is true up to there.
    private mutating func partition(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            steps &+= 1
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
