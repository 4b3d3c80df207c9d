// SPDX-License-Identifier: Apache-2.0

/// The order in which the members of sets and dictionaries are written. It looks at content only, never at the bytes
/// around it, so it is the same in every document.
extension NativeNode {
    /// Whether `lhs` is written before `rhs`.
    static func precedes(_ lhs: Self, _ rhs: Self) -> Bool { compare(lhs, rhs) < 0 }

    /// The same tree with the members of sets and dictionaries in order, the inner ones first.
    var ordered: NativeNode {
        switch self {
        case .array(let items): .array(items.map(\.ordered))
        case .object(let members): .object(members.map { Member(key: $0.key, value: $0.value.ordered) })
        case .map(let members): .map(Self.sortedMembers(members.map { Member(key: $0.key, value: $0.value.ordered) }))
        case .pairs(let items): .pairs(Self.sortedPairs(items.map(\.ordered)))
        case .set(let items): .set(items.map(\.ordered).sorted { Self.precedes($0, $1) })
        default: self
        }
    }

    /// Keys and values of a dictionary, ordered by key, those with equal keys by value.
    private static func sortedPairs(_ items: [NativeNode]) -> [NativeNode] {
        stride(from: 0, to: items.count - 1, by: 2)
            .map { (key: items[$0], value: items[$0 + 1]) }
            .sorted { precedes($0, $1) }
            .flatMap { [$0.key, $0.value] }
    }

    /// Whether one member of a dictionary is written before another.
    static func precedes(_ lhs: (key: Self, value: Self), _ rhs: (key: Self, value: Self)) -> Bool {
        let order = compare(lhs.key, rhs.key)
        return order != 0 ? order < 0 : precedes(lhs.value, rhs.value)
    }

    /// Members ordered by the bytes of their keys, the first of several with one key.
    private static func sortedMembers(_ members: [Member]) -> [Member] {
        var sorted = members.enumerated().sorted {
            let order = compare($0.element.key, $1.element.key)
            return order == 0 ? $0.offset < $1.offset : order < 0
        }
        .map(\.element)
        var kept = 0
        for index in sorted.indices where index == 0 || compare(sorted[kept - 1].key, sorted[index].key) != 0 {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
        return sorted
    }

    /// Negative, zero or positive. Kinds first, in the order of `rank`; then numbers as numbers, texts and data by
    /// their bytes, bit patterns as unsigned integers, and containers item by item.
    static func compare(_ lhs: Self, _ rhs: Self) -> Int {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank ? -1 : 1 }
        switch (lhs, rhs) {
        case (.nestedNull(let a), .nestedNull(let b)): return order(a, b)
        case (.bool(let a), .bool(let b)): return order(a ? 1 : 0, b ? 1 : 0)
        case (.integer(let isNegative, let a), .integer(let otherIsNegative, let b)):
            if isNegative != otherIsNegative { return isNegative ? -1 : 1 }
            return isNegative ? order(b, a) : order(a, b)
        case (.half(let a), .half(let b)): return order(a, b)
        case (.float(let a), .float(let b)): return order(a, b)
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): return order(a, b)
        case (.decimal(let a), .decimal(let b)): return compare(a, b)
        case (.string(let a), .string(let b)): return compare(a, b)
        case (.uuid(let a), .uuid(let b)): return order(a, b)
        case (.data(let a), .data(let b)): return compare(a, b)
        case (.url(let a, let base), .url(let b, let otherBase)):
            let first = compare(a, b)
            return first != 0 ? first : compare(base ?? "", otherBase ?? "")
        case (.array(let a), .array(let b)), (.pairs(let a), .pairs(let b)), (.set(let a), .set(let b)):
            return compare(a, b)
        case (.object(let a), .object(let b)), (.map(let a), .map(let b)): return compare(a, b)
        default: return 0
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .nestedNull: 1
        case .bool: 2
        case .integer: 3
        case .half: 4
        case .float: 5
        case .double: 6
        case .decimal: 7
        case .string: 8
        case .uuid: 9
        case .date: 10
        case .data: 11
        case .url(_, base: nil): 12
        case .url: 13
        case .array: 14
        case .object: 15
        case .map: 16
        case .pairs: 17
        case .set: 18
        }
    }

    private static func order<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Int {
        lhs == rhs ? 0 : (lhs < rhs ? -1 : 1)
    }

    static func compare(_ lhs: String, _ rhs: String) -> Int {
        var (lhs, rhs) = (lhs, rhs)
        return lhs.withUTF8 { lhs in
            rhs.withUTF8 { unsafe ByteOrder.compare(UnsafeRawBufferPointer(lhs), UnsafeRawBufferPointer($0)) }
        }
    }

    private static func compare(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
        for (a, b) in zip(lhs, rhs) where a != b { return a < b ? -1 : 1 }
        return order(lhs.count, rhs.count)
    }

    private static func compare(_ lhs: [NativeNode], _ rhs: [NativeNode]) -> Int {
        for (a, b) in zip(lhs, rhs) {
            let order = compare(a, b)
            if order != 0 { return order }
        }
        return order(lhs.count, rhs.count)
    }

    private static func compare(_ lhs: [Member], _ rhs: [Member]) -> Int {
        for (a, b) in zip(lhs, rhs) {
            let keys = compare(a.key, b.key)
            let order = keys != 0 ? keys : compare(a.value, b.value)
            if order != 0 { return order }
        }
        return order(lhs.count, rhs.count)
    }

    /// NaN first; then by sign, exponent and digits, which is an order, if not that of the numbers.
    private static func compare(_ lhs: JSONNumber?, _ rhs: JSONNumber?) -> Int {
        guard let lhs, let rhs else { return order(lhs == nil ? 0 : 1, rhs == nil ? 0 : 1) }
        if lhs.isNegative != rhs.isNegative { return lhs.isNegative ? -1 : 1 }
        if lhs.exponent != rhs.exponent { return order(lhs.exponent, rhs.exponent) }
        let counts = order(lhs.digits.utf8.count, rhs.digits.utf8.count)
        return counts != 0 ? counts : compare(lhs.digits, rhs.digits)
    }
}
