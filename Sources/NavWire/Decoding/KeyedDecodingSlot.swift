// SPDX-License-Identifier: Apache-2.0

/// What a keyed container needs to know. It belongs to a container of the standard library that is lent out again and
/// again.
///
/// Most types ask for their keys in the order in which they wrote them, so the slot looks first at the key after the
/// one asked for last.
@safe
struct KeyedDecodingSlot {
    private(set) var decoder: WireDecoder
    let keyType: UnsafeMutablePointer<KeyType>
    private let numbers: UnsafeMutablePointer<Int32>?
    private var keys: UnsafeMutablePointer<Int32>
    private var count: Int32 = 0
    private var isMap = false
    /// The place among the keys that is looked at first, and the entry of its value.
    private var cursor: Int32 = 0
    private var entry: Int32 = 0
    /// How often the keys were gone through.
    private var searches: Int32 = 0

    init(_ decoder: WireDecoder, _ keyType: UnsafeMutablePointer<KeyType>) {
        self.decoder = decoder
        unsafe self.keyType = unsafe keyType
        unsafe numbers = unsafe keyType.pointee.numbers
        unsafe keys = unsafe decoder.state.pointee.scanner.shapeKeys.start
        aim(decoder)
    }

    /// Makes it the slot of another object or map.
    @inline(__always)
    mutating func aim(_ decoder: WireDecoder) {
        self.decoder = decoder
        let scanner = unsafe UnsafePointer(decoder.scanner)
        let head = unsafe scanner.pointee.tape.entries[Int(decoder.index)]
        cursor = 0
        searches = 0
        entry = decoder.index + 1
        isMap = head.kind == .map
        if isMap {
            count = Int32(truncatingIfNeeded: head.length / 2)
        } else {
            let shape = unsafe scanner.pointee.documentShapes[head.shape]
            unsafe keys = unsafe scanner.pointee.shapeKeys.start + Int(shape.firstKey)
            count = shape.keyCount
        }
    }

    /// The entry of a key's value, or -1.
    @inline(__always)
    mutating func find<Key: CodingKey>(_ key: Key) -> Int32 {
        guard decoder.isAlive else { return -1 }
        if isMap { return findInMap(key.stringValue) }
        let number = unsafe KeyType.number(of: key, numbers, in: &decoder.scanner.pointee.keys)
        if cursor < count, unsafe keys[Int(cursor)] == number { return entry }
        return search(number)
    }

    /// The entry of a key's value, or -1; the key after it is looked at first the next time.
    @inline(__always)
    mutating func take<Key: CodingKey>(_ key: Key) -> Int32 {
        let found = find(key)
        if found >= 0 {
            cursor += 1
            entry = unsafe Int32(truncatingIfNeeded: decoder.scanner.pointee.tape.next(after: Int(found)))
        }
        return found
    }

    /// Goes through all keys, and leaves the cursor at the one that was found.
    @inline(never)
    private mutating func search(_ number: Int32) -> Int32 {
        if count > MemberIndex.smallCount, unsafe decoder.state.pointee.members.pays(count, &searches) {
            return move(
                to: unsafe decoder.state.pointee.members.find(number, in: Int(decoder.index), decoder.scanner))
        }
        var place: Int32 = 0
        while place < count, unsafe keys[Int(place)] != number { place += 1 }
        guard place < count else { return -1 }
        if place < cursor {
            cursor = 0
            entry = decoder.index + 1
        }
        while cursor < place { step() }
        return entry
    }

    /// Leaves the cursor at a member that the index has found. Its entry, or -1.
    private mutating func move(to found: (place: Int32, entry: Int32)?) -> Int32 {
        guard let found else { return -1 }
        (cursor, entry) = found
        return entry
    }

    private mutating func step() {
        cursor += 1
        entry = unsafe Int32(truncatingIfNeeded: decoder.scanner.pointee.tape.next(after: Int(entry)))
    }

    private mutating func findInMap(_ key: String) -> Int32 {
        var key = key
        return key.withUTF8 { unsafe findInMap(UnsafeRawBufferPointer($0)) }
    }

    private mutating func findInMap(_ key: UnsafeRawBufferPointer) -> Int32 {
        if cursor < count, unsafe isKey(at: entry, key) { return entry + 1 }
        if count > MemberIndex.smallCount, unsafe decoder.state.pointee.members.pays(count, &searches) {
            let found = unsafe decoder.state.pointee.members.find(key, inMap: Int(decoder.index), decoder.scanner)
            return found == nil ? -1 : move(to: found) + 1
        }
        return unsafe goThroughMap(key)
    }

    /// From the key after the cursor to the last, and on from the first.
    private mutating func goThroughMap(_ key: UnsafeRawBufferPointer) -> Int32 {
        for _ in 0..<count {
            if cursor < count {
                // Over the key, then over its value.
                entry += 1
                step()
            }
            if cursor >= count {
                cursor = 0
                entry = decoder.index + 1
            }
            if unsafe isKey(at: entry, key) { return entry + 1 }
        }
        return -1
    }

    private func isKey(at entry: Int32, _ key: UnsafeRawBufferPointer) -> Bool {
        let name = unsafe decoder.scanner.pointee.bytes(of: decoder.scanner.pointee.tape.entries[Int(entry)])
        guard name.count == key.count else { return false }
        guard let a = name.baseAddress, let b = key.baseAddress else { return true }
        return unsafe ByteHash.equal(a, b, key.count)
    }

    /// All keys that the key type has.
    func allKeys<Key: CodingKey>(_ type: Key.Type) -> [Key] {
        guard decoder.isAlive else { return [] }
        return isMap ? keysOfMap(type) : keysOfShape(type)
    }

    @inline(never)
    private func keysOfMap<Key: CodingKey>(_ type: Key.Type) -> [Key] {
        var found: [Key] = []
        var entry = Int(decoder.index) + 1
        let tape = unsafe decoder.scanner.pointee.tape
        for _ in 0..<count {
            if let key: Key = unsafe self.key(decoder.scanner.pointee.string(tape.entries[entry])) { found.append(key) }
            entry = tape.next(after: entry + 1)
        }
        return found
    }

    /// The same array again for the same shape: enums ask for it each time.
    @inline(__always)
    private func keysOfShape<Key: CodingKey>(_ type: Key.Type) -> [Key] {
        let head = unsafe decoder.scanner.pointee.tape.entries[Int(decoder.index)]
        let node = unsafe Int(decoder.scanner.pointee.documentShapes[head.shape].node)
        if unsafe numbers != nil, let known = unsafe keyType.pointee.keys(ofShape: node) {
            return unsafe unsafeDowncast(known, to: KeyArray<Key>.self).keys
        }
        return findKeys(type, node)
    }

    @inline(never)
    private func findKeys<Key: CodingKey>(_ type: Key.Type, _ node: Int) -> [Key] {
        let found: [Key] = (0..<Int(count)).compactMap {
            unsafe key(decoder.scanner.pointee.keys.string(of: Int(keys[$0])))
        }
        if unsafe numbers != nil { unsafe keyType.pointee.keep(KeyArray(found), count: found.count, ofShape: node) }
        return found
    }

    /// The key of a name that came from outside.
    ///
    /// One that the compiler made compares it with the name of each of its cases, and so sorts a row of combining marks again
    /// and again. Such a key is a number of one byte or two, so an equal name does as well, with the marks in order. But a
    /// number can stand for a text that was put down elsewhere: then it is the text that came which is put down.
    private func key<Key: CodingKey>(_ name: String) -> Key? {
        guard MemoryLayout<Key>.size <= 2, _isPOD(Key.self), name.hasLongRow else { return Key(stringValue: name) }
        let ordered = name.withMarksInOrder
        guard let key = Key(stringValue: ordered) else { return nil }
        return key.stringValue.utf8.elementsEqual(ordered.utf8) ? Key(stringValue: name) : key
    }

    /// The decoder of a key's value, or of nil where there is none.
    mutating func superDecoder(_ key: some CodingKey) -> WireDecoder {
        guard decoder.isAlive else { return decoder.place(-1) }
        let found =
            unsafe isMap
            ? findInMap(key.stringValue)
            : search(Int32(truncatingIfNeeded: decoder.scanner.pointee.keys.number(of: key.stringValue)))
        if found >= 0 { return decoder.place(found) }
        return unsafe decoder.place(decoder.state.pointee.missingEntry(key, in: Int(decoder.index)))
    }
}

/// An array of keys that can be kept without its type.
final class KeyArray<Key: CodingKey> {
    let keys: [Key]

    init(_ keys: [Key]) {
        self.keys = keys
    }
}
