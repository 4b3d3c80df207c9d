// SPDX-License-Identifier: Apache-2.0

// Sets and dictionaries enumerate their members in another order in each process. They are written in the order of
// their content instead, so that equal values have equal bytes.

extension Set: SpecialValue where Element: Encodable {
    static var specialKind: ValueType.Kind { .set }

    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws {
        let state = unsafe slot.state
        var nodes: [NativeNode] = []
        for member in unsafe value.assumingMemoryBound(to: Self.self).pointee {
            unsafe nodes.append(
                try NativeNode(
                    encoding: member, limits: state.pointee.writer.limits, userInfo: state.pointee.userInfo))
        }
        unsafe try state.pointee.writer.write(.set(nodes.sorted { NativeNode.precedes($0, $1) }))
    }
}

extension Dictionary: SpecialValue where Key: Encodable, Value: Encodable {
    static var specialKind: ValueType.Kind { Key.self is any CodingKeyRepresentable.Type ? .map : .pairs }

    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws {
        let dictionary = unsafe value.assumingMemoryBound(to: Self.self).pointee
        if specialKind == .map {
            unsafe try encodeMap(dictionary, slot.state)
        } else {
            unsafe try encodePairs(dictionary, slot.state)
        }
    }

    private static func encodeMap(_ dictionary: Self, _ state: UnsafeMutablePointer<EncoderState>) throws {
        var members: [(key: String, value: Value)] = []
        members.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            guard let key = key as? any CodingKeyRepresentable else { continue }
            members.append((key.codingKey.stringValue, value))
        }
        members.sort { Utf8Order.precedes($0.key, $1.key) }
        let number = unsafe state.pointee.writer.containerCount
        unsafe state.pointee.writer.push(.map)
        var previous: String?
        for (key, value) in members where previous.map({ !$0.utf8.elementsEqual(key.utf8) }) ?? true {
            previous = key
            // A value can make a tree of the document; the rest of the map goes there then.
            if let tree = unsafe state.pointee.tree {
                unsafe try state.encodeInTree(value, node: try tree.newNode(key: key, in: number))
                continue
            }
            unsafe state.pointee.writer.beginItem()
            unsafe state.pointee.writer.write(key)
            unsafe state.pointee.writer.endItem()
            unsafe state.pointee.writer.beginItem()
            unsafe try state.encodeItem(value)
        }
        if unsafe state.pointee.tree == nil { unsafe state.pointee.writer.endItems() }
    }

    private static func encodePairs(_ dictionary: Self, _ state: UnsafeMutablePointer<EncoderState>) throws {
        let (limits, userInfo) = unsafe (state.pointee.writer.limits, state.pointee.userInfo)
        var pairs: [(key: NativeNode, value: NativeNode)] = []
        pairs.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            pairs.append(
                (
                    try NativeNode(encoding: key, limits: limits, userInfo: userInfo),
                    try NativeNode(encoding: value, limits: limits, userInfo: userInfo)
                ))
        }
        pairs.sort { NativeNode.precedes($0.key, $1.key) }
        unsafe try state.pointee.writer.write(.pairs(pairs.flatMap { [$0.key, $0.value] }))
    }
}
