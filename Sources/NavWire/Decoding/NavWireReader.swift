// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// One value that a ``NavWireCodable`` type reads itself from. Of use only during the call that it was passed to.
///
/// Everything about the bytes has been checked before; what is asked for and is not there throws `DecodingError`.
@safe
public struct NavWireReader {
    let decoder: WireDecoder

    @inline(__always)
    init(_ decoder: WireDecoder) {
        self.decoder = decoder
    }

    public var isNil: Bool { decoder.isNull }
    public func bool() throws -> Bool { try decoder.bool() }
    public func int() throws -> Int { try decoder.integer() }
    public func double() throws -> Double { try decoder.double() }
    public func float() throws -> Float { try decoder.float() }
    public func string() throws -> String { try decoder.string() }
    public func uuid() throws -> UUID { try decoder.uuid() }
    public func date() throws -> Date { try decoder.date() }
    public func data() throws -> Data { try decoder.data() }
    public func url() throws -> URL { try decoder.url() }

    /// The place of a string among names, nil when it is none of them: what tells tags and raw values apart without
    /// making a `String`.
    public func place(among names: NavWireKeys) throws -> Int? { try decoder.place(among: names) }

    /// An integer of any width.
    @inlinable
    public func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        if let small = shortInteger(), let value = Value(exactly: small) { return value }
        return try rareInteger()
    }

    /// An integer that an `Int64` holds; nil for everything else.
    @usableFromInline
    func shortInteger() -> Int64? { decoder.shortInteger }

    @usableFromInline
    func rareInteger<Value: FixedWidthInteger>() throws -> Value { try decoder.integer() }

    /// The members of a keyed value.
    public func object(_ keys: NavWireKeys) throws -> NavWireObjectReader { try NavWireObjectReader(decoder, keys) }

    /// The items of an array.
    public func items() throws -> NavWireItems { try NavWireItems(decoder) }

    /// The items of an array, read by one function.
    @inlinable
    public func array<Item>(_ read: (NavWireReader) throws -> Item) throws -> [Item] {
        let items = try items()
        var found: [Item] = []
        found.reserveCapacity(items.underestimatedCount)
        for item in items { found.append(try read(item)) }
        return found
    }

    /// Any value, by way of its `Codable` conformance.
    public func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try decoder.value(type) }

    @inlinable
    public func value<Value: NavWireDecodable>(direct type: Value.Type = Value.self) throws -> Value {
        try Value(from: self)
    }

    /// An error for a value that the type cannot be made from.
    public func dataCorrupted(_ description: String) -> any Error { decoder.corrupted(description) }
}

/// The items of an array, from the first to the last.
@safe
public struct NavWireItems: Sequence, IteratorProtocol {
    private let decoder: WireDecoder
    private var entry: Int32
    private var remaining: UInt32

    init(_ decoder: WireDecoder) throws {
        guard decoder.isArray else { throw decoder.mismatch([Any].self) }
        self.decoder = decoder
        entry = decoder.index + 1
        remaining = decoder.entry.length
    }

    /// How many are left.
    public var underestimatedCount: Int { Int(remaining) }

    public mutating func next() -> NavWireReader? {
        guard remaining > 0, decoder.isAlive else { return nil }
        let item = decoder.place(entry)
        entry = unsafe Int32(truncatingIfNeeded: decoder.scanner.pointee.tape.next(after: Int(entry)))
        remaining -= 1
        return NavWireReader(item)
    }
}

/// The members of a keyed value. Members that are asked for in the order in which they were written are found at once.
@safe
public struct NavWireObjectReader {
    private let decoder: WireDecoder
    private let keys: UnsafeMutablePointer<DirectKeys>
    private let numbers: UnsafeMutablePointer<Int32>
    private let shapeKeys: UnsafeMutablePointer<Int32>
    private let count: Int32
    private var cursor: Int32 = 0
    private var entry: Int32
    /// How often the members were gone through.
    private var searches: Int32 = 0

    // Borrowed, or each object would count a reference up and down.
    @inline(__always)
    init(_ decoder: WireDecoder, _ keys: borrowing NavWireKeys) throws {
        guard decoder.isAlive, decoder.index >= 0, decoder.entry.kind == .object else {
            throw decoder.mismatch([String: Any].self)
        }
        self.decoder = decoder
        unsafe self.keys = unsafe decoder.state.pointee.known(copy keys)
        unsafe numbers = unsafe self.keys.pointee.numbers
        let shape = unsafe decoder.scanner.pointee.documentShapes[decoder.entry.shape]
        unsafe shapeKeys = unsafe decoder.scanner.pointee.shapeKeys.start + Int(shape.firstKey)
        count = shape.keyCount
        entry = decoder.index + 1
    }

    /// The place among the type's keys of the first member: what tells the cases of an enum apart. Nil when the object
    /// is empty or the type has no such key.
    public func firstKey() -> Int? {
        guard count > 0, decoder.isAlive else { return nil }
        return unsafe keys.pointee.place(of: Int(shapeKeys[0]))
    }

    @inline(__always)
    private func number(_ key: Int) -> Int32 {
        let count = unsafe keys.pointee.count
        precondition(UInt(bitPattern: key) < UInt(bitPattern: count), "the type has no such key")
        return unsafe numbers[key]
    }

    /// A member's value. Throws `keyNotFound`.
    public mutating func read(_ key: Int) throws -> NavWireReader {
        let place = find(key)
        if place >= 0 { return NavWireReader(decoder.place(place)) }
        throw missing(key)
    }

    @inline(never)
    private func missing(_ key: Int) -> any Error {
        guard decoder.isAlive else { return WireDecoder.tooLate }
        return unsafe decoder.keyNotFound(WireKey(stringValue: keys.pointee.keys.names[key]))
    }

    /// A member's value, or nil when there is none or it is nil.
    public mutating func readIfPresent(_ key: Int) throws -> NavWireReader? {
        let place = find(key)
        guard place >= 0 else { return try decoder.nothing() }
        let member = decoder.place(place)
        return member.isNull ? nil : NavWireReader(member)
    }

    /// The entry of a member's value, or -1.
    @inline(__always)
    private mutating func find(_ key: Int) -> Int32 {
        guard decoder.isAlive else { return -1 }
        let number = number(key)
        if cursor < count, unsafe shapeKeys[Int(cursor)] == number { return take() }
        return search(number)
    }

    @inline(__always)
    private mutating func take() -> Int32 {
        let found = entry
        cursor += 1
        entry = unsafe Int32(truncatingIfNeeded: decoder.scanner.pointee.tape.next(after: Int(found)))
        return found
    }

    @inline(never)
    private mutating func search(_ number: Int32) -> Int32 {
        if count > MemberIndex.smallCount, unsafe decoder.state.pointee.members.pays(count, &searches) {
            let found = unsafe decoder.state.pointee.members.find(number, in: Int(decoder.index), decoder.scanner)
            guard let found else { return -1 }
            (cursor, entry) = found
            return take()
        }
        var place: Int32 = 0
        while place < count, unsafe shapeKeys[Int(place)] != number { place += 1 }
        guard place < count else { return -1 }
        if place < cursor {
            cursor = 0
            entry = decoder.index + 1
        }
        while cursor < place { _ = take() }
        return take()
    }
}

extension WireDecoder {
    func place(among names: NavWireKeys) throws -> Int? {
        guard isAlive, index >= 0, entry.kind == .string else { throw mismatch(String.self) }
        let known = unsafe state.pointee.known(names)
        return unsafe known.pointee.place(of: scanner.pointee.key(entry))
    }
}

extension PayloadScanner {
    /// The number of a string among the keys, or -1.
    @inline(__always)
    mutating func key(_ entry: TapeEntry) -> Int {
        let seen = entry.seen - 1
        if seen >= 0, unsafe strings.entries[seen].key > 0 { return unsafe Int(strings.entries[seen].key) - 1 }
        return findKey(entry, seen)
    }

    @inline(never)
    private mutating func findKey(_ entry: TapeEntry, _ seen: Int) -> Int {
        let text = unsafe bytes(of: entry)
        guard let start = text.baseAddress else { return -1 }
        let hash = unsafe ByteHash.hash(start, text.count, seed: seed)
        let key = unsafe keys.find(start, text.count, hash: hash).number
        if seen >= 0, key >= 0 { strings.note(key: key, of: seen) }
        return key
    }
}

extension DecoderState {
    /// What is known of the keys of a type that reads itself.
    @inline(__always)
    mutating func known(_ keys: NavWireKeys) -> UnsafeMutablePointer<DirectKeys> {
        if directEpoch != scanner.keyEpoch {
            unsafe directKeys.forEach { unsafe $0.pointee.forgetNumbers() }
            directEpoch = scanner.keyEpoch
        }
        return unsafe directKeys.known(keys, &scanner.keys)
    }
}
