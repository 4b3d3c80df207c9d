// SPDX-License-Identifier: Apache-2.0

/// Collections whose own order differs from process to process.
protocol OrderedCollection {
    static var kindWhenEncoded: ValueKind { get }
    /// Writes the members in the order of their content. `value` points to a `Self`.
    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws
    /// Writes them to a node of the tree.
    static func encodeInTree(_ value: UnsafeRawPointer, _ state: UnsafeMutablePointer<EncoderState>, node: UInt32)
        throws
}

// Sets and dictionaries enumerate their members in another order in each process. They are written in the order of
// their content instead, so that equal values have equal bytes.

extension Set: OrderedCollection where Element: Encodable {
    static var kindWhenEncoded: ValueKind { .set }

    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws {
        if Element.self == String.self {
            return unsafe slot.state.writeSet(value.assumingMemoryBound(to: Set<String>.self).pointee)
        }
        let nodes = unsafe try nodes(of: value.assumingMemoryBound(to: Self.self).pointee, index: 0, slot)
        try slot.put(.set(nodes))
    }

    static func encodeInTree(
        _ value: UnsafeRawPointer, _ state: UnsafeMutablePointer<EncoderState>, node: UInt32
    ) throws {
        let slot = unsafe WireEncoder(state, node: node)
        try slot.put(.set(unsafe nodes(of: value.assumingMemoryBound(to: Self.self).pointee, index: 0, slot)))
    }

    /// What the members are written as, in order. Their places in the hash table are of no meaning, so all are given one
    /// index: it may be a part of what is written.
    fileprivate static func nodes(of set: Self, index: Int, _ slot: WireEncoder) throws -> [NativeNode] {
        var nodes: [NativeNode] = []
        nodes.reserveCapacity(set.count)
        for member in set { nodes.append(try NativeNode(encoding: member, index: index, of: slot)) }
        nodes.sort { NativeNode.precedes($0, $1) }
        return nodes
    }
}

/// Sets, whose members may also become items of an array.
protocol ContentOrdered {
    func encodeItems(in container: WireUnkeyedEncodingContainer) throws
}

extension Set: ContentOrdered where Element: Encodable {
    func encodeItems(in container: WireUnkeyedEncodingContainer) throws {
        if let words = self as? Set<String> {
            return try words.sorted { Utf8Order.precedes($0, $1) }.forEach(container.encode)
        }
        let nodes = try Self.nodes(of: self, index: container.count, container.place)
        for node in nodes { try container.write(node) }
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

    /// In place, as in one pass: what a member that fails leaves of the others is the same.
    static func encodeInTree(
        _ value: UnsafeRawPointer, _ state: UnsafeMutablePointer<EncoderState>, node: UInt32
    ) throws {
        let slot = unsafe WireEncoder(state, node: node)
        guard kindWhenEncoded == .map else { return unsafe try encodeInOrder(value, to: slot) }
        let members = unsafe try members(of: value.assumingMemoryBound(to: Self.self).pointee, slot)
        guard let tree = unsafe state.pointee.tree else { return }
        try tree.makeMap(node)
        for member in members {
            unsafe try encode(member, state, tree, node: try tree.newNode(key: member.key, in: node))
        }
    }

    private struct Member {
        let key: String
        let value: Value
        /// What the value is written as, where it had to be compared: it is not encoded once more, which each level of
        /// dictionaries inside each other would double.
        var content: NativeNode?
    }

    /// The members by the strings of their keys.
    private static func members(of dictionary: Self, _ slot: WireEncoder) throws -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            guard let key = key as? any CodingKeyRepresentable else { throw EncoderState.notHere("a dictionary's key") }
            members.append(Member(key: key.codingKey.stringValue, value: value))
        }
        members.sort { Utf8Order.precedes($0.key, $1.key) }
        let hasTwins = zip(members, members.dropFirst()).contains { $0.key.utf8.elementsEqual($1.key.utf8) }
        return hasTwins ? try withoutTwins(members, slot) : members
    }

    /// Of keys that differ and have one string, the member whose value comes first: not the one that chance puts first.
    private static func withoutTwins(_ members: [Member], _ slot: WireEncoder) throws -> [Member] {
        var kept: [Member] = []
        for var member in members {
            guard let last = kept.last, last.key.utf8.elementsEqual(member.key.utf8) else {
                kept.append(member)
                continue
            }
            let key = WireKey(stringValue: member.key)
            let known = try last.content ?? NativeNode(encoding: last.value, key, of: slot)
            let content = try NativeNode(encoding: member.value, key, of: slot)
            member.content = content
            kept[kept.count - 1].content = known
            if NativeNode.precedes(content, known) { kept[kept.count - 1] = member }
        }
        return kept
    }

    private static func encodeMap(
        _ members: [Member], _ state: UnsafeMutablePointer<EncoderState>
    ) throws {
        let number = unsafe state.pointee.writer.containerCount
        unsafe state.pointee.writer.push(.map)
        unsafe state.pointee.mapKeys.append("")
        defer { unsafe state.pointee.mapKeys.removeLast() }
        let place = unsafe state.pointee.mapKeys.count - 1
        for member in members {
            // A value can make a tree of the document; the rest of the map goes there then.
            if let tree = unsafe state.pointee.tree {
                unsafe try encode(member, state, tree, node: try tree.newNode(key: member.key, in: number))
                continue
            }
            unsafe state.pointee.writer.beginItem()
            unsafe state.pointee.writer.write(member.key)
            unsafe state.pointee.writer.endItem()
            unsafe state.pointee.writer.beginItem()
            unsafe state.pointee.mapKeys[place] = member.key
            if let content = member.content {
                unsafe try state.pointee.writer.write(content)
                unsafe state.pointee.writer.endItem()
            } else {
                unsafe try state.encodeItem(member.value)
            }
        }
        if unsafe state.pointee.tree == nil { unsafe state.pointee.writer.endItems() }
    }

    private static func encode(
        _ member: Member, _ state: UnsafeMutablePointer<EncoderState>, _ tree: TreeEncoding, node: UInt32
    ) throws {
        if let content = member.content { return try tree.set(node, to: content) }
        do {
            unsafe try state.encodeInTree(member.value, node: node)
        } catch {
            tree.remove(node)
            throw error
        }
    }

    private static func encodePairs(_ dictionary: Self, _ slot: WireEncoder) throws {
        var pairs: [(key: NativeNode, value: NativeNode)] = []
        pairs.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            // One index for all, as for the members of sets.
            let node = try NativeNode(encoding: key, index: 0, of: slot)
            pairs.append((node, try NativeNode(encoding: value, index: 1, of: slot)))
        }
        try write(pairs, to: slot)
    }

    private static func write(_ pairs: [(key: NativeNode, value: NativeNode)], to slot: WireEncoder) throws {
        let pairs = pairs.sorted { NativeNode.precedes($0, $1) }
        try slot.put(.pairs(pairs.flatMap { [$0.key, $0.value] }))
    }
}
