// SPDX-License-Identifier: Apache-2.0

/// Which arrays of a value's JSON have no order of their own: those of sets, and of dictionaries in pairs. `JSONEncoder`
/// writes their items as they come, so two texts of one value may differ there.
struct ItemOrder {
    /// By key, for an object. What is not here has its order everywhere.
    private var members: [String: ItemOrder] = [:]
    /// By place, for an array; without an order by place in a group.
    private var items: [ItemOrder] = []
    /// How many items stay together where groups have no order: one in a set, two in a dictionary. 0 for all other arrays.
    private var groupCount = 0

    private init() {}

    /// The order of a value's JSON. What is inside a set is not known item by item, only what its items have together.
    init(_ node: NativeNode) {
        switch node {
        case .object(let list), .map(let list):
            for member in list {
                let order = ItemOrder(member.value)
                if !order.isWhole { members[member.key.withMarksInOrder, default: Self()].merge(order) }
            }
        case .array(let list):
            items = list.map(Self.init)
            if items.allSatisfy(\.isWhole) { items = [] }
        case .set(let list): group(list, by: 1)
        case .pairs(let list): group(list, by: 2)
        default: break
        }
    }

    /// Whether every array has its order.
    var isWhole: Bool { members.isEmpty && items.isEmpty && groupCount == 0 }

    private mutating func group(_ list: [NativeNode], by count: Int) {
        groupCount = count
        items = Array(repeating: Self(), count: count)
        for (place, node) in list.enumerated() { items[place % count].merge(Self(node)) }
    }

    private mutating func merge(_ other: Self) {
        if other.isWhole { return }
        for (key, order) in other.members { members[key, default: Self()].merge(order) }
        if groupCount != other.groupCount, groupCount > 0 || !items.isEmpty,
            other.groupCount > 0 || !other.items.isEmpty
        {
            // An array with an order in the place of one without: what is common to them has none.
            var all = Self()
            for order in items + other.items { all.merge(order) }
            (groupCount, items) = (1, [all])
            return
        }
        groupCount = max(groupCount, other.groupCount)
        while items.count < other.items.count { items.append(Self()) }
        for (place, order) in other.items.enumerated() { items[place].merge(order) }
    }

    /// A value with everything that has no order sorted: values that differ only in it become equal.
    func sorting(_ value: JSONValue) -> JSONValue {
        if isWhole { return value }
        switch value {
        case .object(let object):
            let sorted = object.members.map { member in
                let order = members[member.key.withMarksInOrder]
                return JSONObject.Member(key: member.key, value: order?.sorting(member.value) ?? member.value)
            }
            return .object(JSONObject(sorted: sorted))
        case .array(let values) where groupCount == 0:
            return .array(
                values.enumerated().map { $0.offset < items.count ? items[$0.offset].sorting($0.element) : $0.element })
        case .array(let values) where values.count.isMultiple(of: groupCount):
            let sorted = values.enumerated().map { items[$0.offset % groupCount].sorting($0.element) }
            return .array(
                stride(from: 0, to: sorted.count, by: groupCount)
                    .map { sorted[$0..<$0 + groupCount] }
                    .sorted { JSONValue.compare($0, $1) < 0 }
                    .flatMap { $0 })
        default: return value
        }
    }
}

extension JSONValue {
    /// Negative, zero or positive: some order, in which only equal values have the same place.
    static func compare(_ lhs: Self, _ rhs: Self) -> Int {
        switch (lhs, rhs) {
        case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
        case (.number(let a), .number(let b)): NativeNode.compare(.decimal(a), .decimal(b))
        case (.string(let a), .string(let b)): NativeNode.compare(a, b)
        case (.array(let a), .array(let b)): compare(a[...], b[...])
        case (.object(let a), .object(let b)): compare(a, b)
        default: lhs.rank - rhs.rank
        }
    }

    static func compare(_ lhs: ArraySlice<Self>, _ rhs: ArraySlice<Self>) -> Int {
        for (a, b) in zip(lhs, rhs) {
            let order = compare(a, b)
            if order != 0 { return order }
        }
        return lhs.count - rhs.count
    }

    private static func compare(_ lhs: JSONObject, _ rhs: JSONObject) -> Int {
        for (a, b) in zip(lhs.members, rhs.members) {
            let keys = NativeNode.compare(a.key, b.key)
            let order = keys != 0 ? keys : compare(a.value, b.value)
            if order != 0 { return order }
        }
        return lhs.members.count - rhs.members.count
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .string: 3
        case .array: 4
        case .object: 5
        }
    }
}
