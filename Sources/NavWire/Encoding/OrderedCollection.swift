// SPDX-License-Identifier: Apache-2.0

/// Collections whose own order differs from process to process.
protocol OrderedCollection {
    static var kindWhenEncoded: ValueKind { get }
    /// Writes the members in the order of their content. `value` points to a `Self`.
    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws
}

// Sets and dictionaries enumerate their members in another order in each process. They are written in the order of
// their content instead, so that equal values have equal bytes.

extension Set: OrderedCollection where Element: Encodable {
    static var kindWhenEncoded: ValueKind { .set }

    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws {
        if Element.self == String.self {
            return unsafe slot.state.writeSet(value.assumingMemoryBound(to: Set<String>.self).pointee)
        }
        var nodes: [NativeNode] = []
        for member in unsafe value.assumingMemoryBound(to: Self.self).pointee {
            nodes.append(try NativeNode(encoding: member, index: nodes.count, of: slot))
        }
        try write(nodes, to: slot)
    }

    private static func write(_ nodes: [NativeNode], to slot: WireEncoder) throws {
        try slot.put(.set(nodes.sorted { NativeNode.precedes($0, $1) }))
    }
}

extension Dictionary: OrderedCollection where Key: Encodable, Value: Encodable {
    static var kindWhenEncoded: ValueKind { Key.self is any CodingKeyRepresentable.Type ? .map : .pairs }

    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws {
        let dictionary = unsafe value.assumingMemoryBound(to: Self.self).pointee
        if kindWhenEncoded == .map {
            let members = try members(of: dictionary, slot)
            guard slot.isUntouched else { throw slot.refuse("a dictionary's keys wrote to its encoder") }
            unsafe try encodeMap(members, slot.state)
        } else {
            try encodePairs(dictionary, slot)
        }
    }

    /// The members by the strings of their keys.
    private static func members(of dictionary: Self, _ slot: WireEncoder) throws -> [(key: String, value: Value)] {
        var members: [(key: String, value: Value)] = []
        members.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            guard let key = key as? any CodingKeyRepresentable else { continue }
            members.append((key.codingKey.stringValue, value))
        }
        members.sort { Utf8Order.precedes($0.key, $1.key) }
        let hasTwins = zip(members, members.dropFirst()).contains { $0.key.utf8.elementsEqual($1.key.utf8) }
        return hasTwins ? try withoutTwins(members, slot) : members
    }

    /// Of keys that differ and have one string, the member whose value comes first: not the one that chance puts first.
    private static func withoutTwins(
        _ members: [(key: String, value: Value)], _ slot: WireEncoder
    ) throws -> [(key: String, value: Value)] {
        var kept: [(key: String, value: Value)] = []
        for member in members {
            guard let last = kept.last, last.key.utf8.elementsEqual(member.key.utf8) else {
                kept.append(member)
                continue
            }
            let (old, new) = try (
                NativeNode(encoding: last.value, index: 0, of: slot),
                NativeNode(encoding: member.value, index: 0, of: slot)
            )
            if NativeNode.precedes(new, old) { kept[kept.count - 1] = member }
        }
        return kept
    }

    private static func encodeMap(
        _ members: [(key: String, value: Value)], _ state: UnsafeMutablePointer<EncoderState>
    ) throws {
        let number = unsafe state.pointee.writer.containerCount
        unsafe state.pointee.writer.push(.map)
        unsafe state.pointee.mapKeys.append("")
        defer { unsafe state.pointee.mapKeys.removeLast() }
        let place = unsafe state.pointee.mapKeys.count - 1
        for (key, value) in members {
            // A value can make a tree of the document; the rest of the map goes there then.
            if let tree = unsafe state.pointee.tree {
                unsafe try state.encodeInTree(value, node: try tree.newNode(key: key, in: number))
                continue
            }
            unsafe state.pointee.writer.beginItem()
            unsafe state.pointee.writer.write(key)
            unsafe state.pointee.writer.endItem()
            unsafe state.pointee.writer.beginItem()
            unsafe state.pointee.mapKeys[place] = key
            unsafe try state.encodeItem(value)
        }
        if unsafe state.pointee.tree == nil { unsafe state.pointee.writer.endItems() }
    }

    private static func encodePairs(_ dictionary: Self, _ slot: WireEncoder) throws {
        var pairs: [(key: NativeNode, value: NativeNode)] = []
        pairs.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            let index = 2 * pairs.count
            let node = try NativeNode(encoding: key, index: index, of: slot)
            pairs.append((node, try NativeNode(encoding: value, index: index + 1, of: slot)))
        }
        try write(pairs, to: slot)
    }

    private static func write(_ pairs: [(key: NativeNode, value: NativeNode)], to slot: WireEncoder) throws {
        let pairs = pairs.sorted { NativeNode.precedes($0, $1) }
        try slot.put(.pairs(pairs.flatMap { [$0.key, $0.value] }))
    }
}
