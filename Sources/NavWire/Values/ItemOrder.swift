// SPDX-License-Identifier: Apache-2.0

/// Which arrays of a value's JSON have no order of their own: those of sets, and of dictionaries in pairs. `JSONEncoder`
/// writes their items as they come, so two texts of one value may differ there.
///
/// Nil stands for a part in which every array has its order.
final class ItemOrder {
    /// By key, for an object.
    private var members: [String: ItemOrder] = [:]
    /// By place, for an array; without an order by place in a group.
    private var items: [ItemOrder?] = []
    /// How many items stay together where groups have no order: one in a set, two in a dictionary. 0 for all other arrays.
    private var groupCount = 0

    /// The order of a value's JSON, nil when it is whole. What is inside a set is not known item by item, only what its
    /// items have together.
    init?(_ node: NativeNode) {
        switch node {
        case .object(let list), .map(let list):
            for member in list { add(ItemOrder(member.value), key: member.key.withMarksInOrder) }
        case .array(let list):
            items = list.map(Self.init)
            if items.allSatisfy({ $0 == nil }) { items = [] }
        case .set(let list): group(list, by: 1)
        case .pairs(let list): group(list, by: 2)
        default: return nil
        }
        if members.isEmpty && items.isEmpty && groupCount == 0 { return nil }
    }

    private func group(_ list: [NativeNode], by count: Int) {
        groupCount = count
        items = Array(repeating: nil, count: count)
        for (place, node) in list.enumerated() { add(ItemOrder(node), at: place % count) }
    }

    private func add(_ order: ItemOrder?, key: String) {
        guard let order else { return }
        if let known = members[key] { known.take(order) } else { members[key] = order }
    }

    private func add(_ order: ItemOrder?, at place: Int) {
        guard let order else { return }
        if let known = items[place] { known.take(order) } else { items[place] = order }
    }

    /// Adds what another order knows, which is used up. The smaller goes into the larger, whichever came first: what many
    /// members have left is not gone through again for each further one, nor for each set around them.
    private func take(_ other: ItemOrder) {
        if members.count < other.members.count { swap(&members, &other.members) }
        for (key, order) in other.members { add(order, key: key) }
        if groupCount != other.groupCount, !items.isEmpty, !other.items.isEmpty {
            // An array with an order in the place of one without: what is common to them has none.
            joinGroups()
            other.joinGroups()
        }
        groupCount = max(groupCount, other.groupCount)
        if items.count < other.items.count { swap(&items, &other.items) }
        for (place, order) in other.items.enumerated() { add(order, at: place) }
    }

    /// Lets all items have together what each of them has.
    private func joinGroups() {
        let known = items
        (groupCount, items) = (1, [nil])
        for order in known { add(order, at: 0) }
    }

    /// A value with everything that has no order sorted: values that differ only in it become equal.
    func sorting(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            let sorted = object.members.map { member in
                let order = members[member.key.withMarksInOrder]
                return JSONObject.Member(key: member.key, value: order?.sorting(member.value) ?? member.value)
            }
            return .object(JSONObject(sorted: sorted))
        case .array(let values) where groupCount == 0:
            return .array(
                values.enumerated().map { place, value in
                    let order = place < items.count ? items[place] : nil
                    return order?.sorting(value) ?? value
                })
        case .array(let values) where values.count.isMultiple(of: groupCount):
            let sorted = values.enumerated().map { items[$0.offset % groupCount]?.sorting($0.element) ?? $0.element }
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
