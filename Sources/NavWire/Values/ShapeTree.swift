// SPDX-License-Identifier: Apache-2.0

/// Key sequences as a tree: a keyed container walks down one step for each key it writes, and where it ends is its
/// shape. Nothing is hashed while the container does what it did the last time.
///
/// Like the key table it outlives documents; the number that a shape has in the current document is stamped on it.
@safe
struct ShapeTree {
    struct Node {
        var key: Int32
        var parent: Int32
        /// The child that was taken last.
        var last: Int32
        var keyCount: Int32
        /// The bytes of all keys down to here.
        var keyByteCount: Int32
        /// Whether a key stands twice on the way down to here.
        var duplicates: Duplicates
        /// Where the keys down to here stand, in `encoded` or `keyLists`, once `duplicates` is known.
        var keysStart: Int32 = 0
        /// The bytes in `encoded`; 0 when the keys are listed.
        var encodedByteCount: Int32 = 0
        var generation: UInt32
        var documentNumber: UInt32

        enum Duplicates: UInt8 { case unknown, none, some }
    }

    static let root = 0

    private(set) var nodes: UnsafeMutablePointer<Node>
    private(set) var capacity = usualCapacity
    private(set) var count = 1
    private var slots: UnsafeMutablePointer<Int32>
    private var mask = 4 * usualCapacity - 1
    /// By key: the last search for duplicates that met it.
    private var keyStamps = RawList<UInt32>(capacity: 256)
    private var stamp: UInt32 = 0
    /// Shapes that were used and have only keys that are static symbols, as they are written.
    private(set) var encoded = ByteBuffer(capacity: 1024)
    /// The keys of the others, one shape after the other.
    private var keyLists = RawList<Int32>(capacity: 256)
    /// By key: the node below the root, where every container begins and no prediction holds; 0 while there is none.
    private var firstNodes = RawList<Int32>(capacity: 256)
    private let seed = ByteHash.seed

    private static let usualCapacity = 256

    init() {
        unsafe nodes = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: -1, count: mask + 1)
        makeRoot()
    }

    func free() {
        unsafe nodes.deallocate()
        unsafe slots.deallocate()
        keyStamps.free()
        keyLists.free()
        encoded.free()
        firstNodes.free()
    }

    mutating func removeAll() {
        count = 1
        if capacity > 1 << 15 { shrink() }
        makeRoot()
        keyStamps.removeAll()
        keyLists.removeAll()
        encoded.trim(to: 1024)
        firstNodes.removeAll()
        stamp = 0
        unsafe slots.update(repeating: -1, count: mask + 1)
    }

    /// Gives back what only a huge document needed. Nodes and slots hold anything afterwards.
    private mutating func shrink() {
        unsafe nodes.deallocate()
        unsafe slots.deallocate()
        capacity = Self.usualCapacity
        mask = 4 * capacity - 1
        unsafe nodes = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: mask + 1)
    }

    private mutating func makeRoot() {
        unsafe nodes.initialize(
            to: Node(
                key: -1, parent: -1, last: 0, keyCount: 0, keyByteCount: 0, duplicates: .unknown, generation: 0,
                documentNumber: 0))
    }

    /// How often a key stands on the way down to `node`.
    func count(of key: Int32, downTo node: Int) -> Int {
        var count = 0
        var node = node
        while node > Self.root {
            if unsafe nodes[node].key == key { count += 1 }
            node = unsafe Int(nodes[node].parent)
        }
        return count
    }

    /// The node below `node` for `key`.
    @inline(__always)
    mutating func child(of node: Int, key: Int, in keys: borrowing KeyTable) -> Int {
        let last = unsafe Int(nodes[node].last)
        // The root is nobody's child, so its key never matches.
        if unsafe nodes[last].key == key { return last }
        return findChild(of: node, key: key, in: keys)
    }

    @inline(never)
    private mutating func findChild(of node: Int, key: Int, in keys: borrowing KeyTable) -> Int {
        if node == Self.root, key < firstNodes.count, firstNodes[key] > 0 { return Int(firstNodes[key]) }
        var slot = slot(node, key) & mask
        while true {
            let candidate = unsafe Int(slots[slot])
            if candidate < 0 { break }
            if unsafe nodes[candidate].parent == node && nodes[candidate].key == key {
                unsafe nodes[node].last = Int32(truncatingIfNeeded: candidate)
                return candidate
            }
            slot = (slot + 1) & mask
        }
        return unsafe add(below: node, key: key, keyByteCount: Int(keys.keys[key].byteCount), slot: slot)
    }

    private mutating func add(below node: Int, key: Int, keyByteCount: Int, slot: Int) -> Int {
        if count == capacity { growNodes() }
        let parent = unsafe nodes[node]
        unsafe (nodes + count).initialize(
            to: Node(
                key: Int32(truncatingIfNeeded: key), parent: Int32(truncatingIfNeeded: node), last: 0,
                keyCount: parent.keyCount + 1,
                keyByteCount: parent.keyByteCount &+ Int32(truncatingIfNeeded: keyByteCount),
                duplicates: .unknown, generation: 0, documentNumber: 0))
        unsafe nodes[node].last = Int32(truncatingIfNeeded: count)
        unsafe slots[slot] = Int32(truncatingIfNeeded: count)
        if node == Self.root {
            while firstNodes.count <= key { firstNodes.append(0) }
            firstNodes[key] = Int32(truncatingIfNeeded: count)
        }
        count += 1
        if count * 2 > mask { growSlots() }
        return count - 1
    }

    /// Whether a key stands on the way down to `node`. True as well when the way is long: an object that asks for each of
    /// its keys would go through all of them each time.
    @inline(never)
    func mayHold(_ key: Int, atOrAbove node: Int) -> Bool {
        guard unsafe nodes[node].keyCount <= Self.longestSearch else { return true }
        var node = node
        while node != Self.root {
            if unsafe nodes[node].key == key { return true }
            node = unsafe Int(nodes[node].parent)
        }
        return false
    }

    private static let longestSearch: Int32 = 512

    /// Finds out whether a key stands twice on the way down to `node`, and how its keys are written. Once for each shape
    /// and not at each key, or an object of many keys would be gone through for each of them.
    @inline(__always)
    mutating func study(_ node: Int, _ keys: borrowing KeyTable) {
        if unsafe nodes[node].duplicates == .unknown { listKeys(node, keys) }
    }

    @inline(never)
    private mutating func listKeys(_ end: Int, _ keys: borrowing KeyTable) {
        stamp &+= 1
        unsafe nodes[end].duplicates = .none
        unsafe nodes[end].keysStart = Int32(truncatingIfNeeded: keyLists.count)
        for _ in unsafe 0..<nodes[end].keyCount { keyLists.append(0) }
        var place = keyLists.count
        var node = end
        while node > 0 {
            let key = unsafe Int(nodes[node].key)
            while key >= keyStamps.count { keyStamps.append(0) }
            if keyStamps[key] == stamp { unsafe nodes[end].duplicates = .some }
            keyStamps[key] = stamp
            place -= 1
            keyLists[place] = Int32(truncatingIfNeeded: key)
            node = unsafe Int(nodes[node].parent)
        }
        encode(end, keys)
    }

    /// Keeps the bytes of a shape in place of its keys, if these are the same in all documents.
    private mutating func encode(_ node: Int, _ keys: borrowing KeyTable) {
        let list = unsafe self.keys(ofListed: node)
        for index in 0..<list.count where unsafe keys.keys[Int(list[index])].staticNumber < 0 { return }
        let start = encoded.count
        encoded.appendVarint(UInt64(truncatingIfNeeded: list.count))
        for index in 0..<list.count {
            unsafe encoded.appendVarint(UInt64(truncatingIfNeeded: Int(keys.keys[Int(list[index])].staticNumber) * 2))
        }
        unsafe nodes[node].keysStart = Int32(truncatingIfNeeded: start)
        unsafe nodes[node].encodedByteCount = Int32(truncatingIfNeeded: encoded.count - start)
        keyLists.removeLast(list.count)
    }

    /// The keys of a shape that was studied and is not encoded.
    @inline(__always)
    func keys(ofListed node: Int) -> UnsafeBufferPointer<Int32> {
        unsafe keyLists.elements(Int(nodes[node].keysStart), count: Int(nodes[node].keyCount))
    }

    /// Whether past documents left so much that it had better be forgotten: shapes, or keys of few but long ones.
    var remembersTooMuch: Bool { count > 16384 || keyLists.count + encoded.count > 1 << 18 }

    /// The keys from the root down to `node`.
    func keys(of node: Int) -> [Int] {
        var found: [Int] = []
        var node = node
        while node > 0 {
            unsafe found.append(Int(nodes[node].key))
            node = unsafe Int(nodes[node].parent)
        }
        return found.reversed()
    }

    @inline(__always)
    private func slot(_ node: Int, _ key: Int) -> Int {
        // Both numbers come from outside: without the seed a stranger could choose them to fall into one slot.
        let step = UInt64(truncatingIfNeeded: node << 32 | key)
        return Int(truncatingIfNeeded: ByteHash.mix(step ^ seed, 0x9E37_79B9_7F4A_7C15))
    }

    private mutating func growNodes() {
        let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: nodes, count: count)
        unsafe nodes.deallocate()
        unsafe nodes = larger
        capacity *= 2
    }

    private mutating func growSlots() {
        let slotCount = (mask + 1) * 2
        unsafe slots.deallocate()
        unsafe slots = .allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: -1, count: slotCount)
        mask = slotCount - 1
        for node in 1..<count {
            var slot = unsafe self.slot(Int(nodes[node].parent), Int(nodes[node].key)) & mask
            while unsafe slots[slot] >= 0 { slot = (slot + 1) & mask }
            unsafe slots[slot] = Int32(truncatingIfNeeded: node)
        }
    }
}
