// SPDX-License-Identifier: Apache-2.0

/// Sets and dictionaries, whose own order is that of a hash table: another one in each process.
protocol HashOrdered {
    var memberCount: Int { get }
    /// The one word that the collection is: a reference to its table.
    var table: UInt { get }
    /// An equal collection that enumerates its members in another order, if one is found: another one for each attempt, or
    /// most.
    func inAnotherOrder(_ attempt: Int) -> Self?
}

extension Set: HashOrdered {
    var memberCount: Int { count }
    var table: UInt { unsafe unsafeBitCast(self, to: UInt.self) }

    func inAnotherOrder(_ attempt: Int) -> Self? {
        differing(attempt, count) { capacity in
            var other = Self(minimumCapacity: capacity)
            for member in self { other.insert(member) }
            return (other, !other.elementsEqual(self))
        }
    }
}

extension Dictionary: HashOrdered {
    var memberCount: Int { count }
    var table: UInt { unsafe unsafeBitCast(self, to: UInt.self) }

    func inAnotherOrder(_ attempt: Int) -> Self? {
        differing(attempt, count) { capacity in
            var other = Self(minimumCapacity: capacity)
            for (key, value) in self { other[key] = value }
            return (other, !other.keys.elementsEqual(keys))
        }
    }
}

/// Tries tables until one differs. Each is seeded with its address, so all of them stay until then: two are alike half
/// of the time at most.
private func differing<Table>(_ attempt: Int, _ count: Int, _ make: (Int) -> (Table, Bool)) -> Table? {
    var alike: [Table] = []
    defer { withExtendedLifetime(alike) {} }
    for next in attempt..<(count > 1 ? attempt + 64 : attempt) {
        let (other, differs) = make(min(count << (next & 7), max(2 * count, 4096)))
        if differs { return other }
        alike.append(other)
    }
    return nil
}

/// The sets and dictionaries that lie in a value itself: in its properties and cases, and in theirs, but not behind a
/// reference.
struct HashTables {
    private(set) var found: [any HashOrdered] = []
    /// Whether another value of the same type may hold others: it has a case, an optional or a value of any type.
    private(set) var mayVary = false
    /// Whether the value knows a place in a table, which would be another one in another table.
    private var isPinned = false
    private var valuesLeft = 256

    /// What a value does that holds a table.
    struct Verdict {
        /// Which of its tables it follows; nil when its order was chosen, or nothing is known.
        let followed: Int?
        /// Stays until the document ends, or another one could have its references.
        let value: Any
    }

    /// A number for a value: for what it refers to, that is, and not for what it says.
    static func identity<Value>(of value: Value) -> Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(Value.self))
        unsafe withUnsafeBytes(of: value) { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static let maximumLevel = 24

    init(in value: Any) { look(at: value, level: 0) }

    private mutating func look(at value: Any, level: Int) {
        func type<Value>(_ value: Value) -> (Any.Type, mayHold: Bool) { (Value.self, Self.mayLie(in: Value.self)) }
        valuesLeft -= 1
        guard level < Self.maximumLevel, valuesLeft > 0 else { return mayVary = true }
        if value is any TablePlace { isPinned = true }
        let (declared, mayHold) = _openExistential(value, do: type)
        guard mayHold else { return }
        let table = value as? any HashOrdered
        // A property of any type, or an optional, may hold something else another time.
        if declared != table.map({ Swift.type(of: $0) as Any.Type }) ?? Swift.type(of: value) { mayVary = true }
        if let table { return found.append(table) }
        // What a type says of itself may be anything, and is code of its own.
        if value is any CustomReflectable, !(value is any NestedOptional) { return mayVary = true }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct, .tuple: break
        case .enum, .optional: mayVary = true
        default: return
        }
        for child in mirror.children { look(at: child.value, level: level + 1) }
    }

    /// Whether a type's values may hold a set in themselves, as far as can be said without a value.
    static func mayLie<Value>(in type: Value.Type) -> Bool {
        !(_isPOD(type) || type is AnyClass || type is any KeepsOrder.Type || ValueKind.leaf(type) != nil)
    }

    /// Calls `body` with the memory of an equal value, in which one of the tables enumerates in another order. Nil when
    /// there is none: the table lies elsewhere, or all orders are one.
    func withAnotherOrder<Value, Result>(
        of index: Int, in value: Value, attempt: Int, _ body: (UnsafeMutablePointer<Value>) throws -> Result
    ) rethrows -> Result? {
        let table = found[index].table
        guard !isPinned, let other = found[index].inAnotherOrder(attempt) as (any HashOrdered)? else { return nil }
        defer { withExtendedLifetime(other) {} }
        return unsafe try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { copy -> Result? in
            guard let place = copy.baseAddress else { return nil }
            // The same references, which nobody counts: the memory is looked at and forgotten before the value goes.
            let words = unsafe UnsafeMutableRawBufferPointer(start: place, count: MemoryLayout<Value>.size)
            unsafe withUnsafeBytes(of: value) { unsafe words.copyMemory(from: $0) }
            let places = unsafe Self.places(of: table, in: words)
            // Where there are more, something else knows the table, and may know a place in it.
            guard !places.isEmpty, places.count <= found.count(where: { $0.table == table }) else { return nil }
            for place in places {
                let word = unsafe words.load(fromByteOffset: place, as: UInt.self)
                unsafe words.storeBytes(of: word ^ table ^ other.table, toByteOffset: place, as: UInt.self)
            }
            return try withExtendedLifetime(value) { try unsafe body(place) }
        }
    }

    /// Where a reference lies. The bits that no reference has may say which case of an enum it is in.
    private static func places(of table: UInt, in words: UnsafeMutableRawBufferPointer) -> [Int] {
        let spareBits: UInt = 0xFF00_0000_0000_0007
        let offsets = stride(from: 0, through: words.count - MemoryLayout<UInt>.size, by: MemoryLayout<UInt>.size)
        return offsets.filter {
            unsafe (words.load(fromByteOffset: $0, as: UInt.self) ^ table) & ~spareBits == 0
        }
    }
}

/// Places in a hash table, which mean nothing in another one.
private protocol TablePlace {}
extension Set.Index: TablePlace {}
extension Set.Iterator: TablePlace {}
extension Dictionary.Index: TablePlace {}
extension Dictionary.Iterator: TablePlace {}

/// Collections that keep the order in which their items were put.
protocol KeepsOrder {}
extension Array: KeepsOrder {}
extension ArraySlice: KeepsOrder {}
extension ContiguousArray: KeepsOrder {}
