// SPDX-License-Identifier: Apache-2.0

/// An unkeyed container. Three words, so that passing it on allocates nothing.
@safe
struct WireUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let state: UnsafeMutablePointer<EncoderState>
    let token: UInt64
    let frame: Int32

    private var node: UInt32 { UInt32(truncatingIfNeeded: token) }

    var codingPath: [any CodingKey] { unsafe state.codingPath(token, depth: Int(frame)) }

    var count: Int {
        guard unsafe state.isCurrent(token) else { return 0 }
        unsafe state.lookBack(token, depth: Int(frame))
        if let tree = unsafe state.pointee.tree { return tree.count(of: node) }
        guard unsafe state.pointee.isOpen(token, frame: Int(frame)) else { return 0 }
        let open = unsafe state.pointee.writer.frames[Int(frame)]
        return Int(open.count) + (open.isItemOpen ? 1 : 0)
    }

    /// The place that has become this container.
    var place: WireEncoder { unsafe WireEncoder(state, token: token, depth: frame) }

    /// Writes a scalar as the next item.
    @inline(__always)
    private func write(
        _ body: (inout PayloadWriter) -> Void, _ node: @autoclosure () -> NativeNode
    ) throws {
        if unsafe state.pointee.writer.token != token, unsafe try !state.pointee.settle(token, frame: Int(frame)) {
            unsafe try state.pointee.tree?.append(node(), to: self.node)
            return
        }
        unsafe state.pointee.writer.beginItem()
        unsafe body(&state.pointee.writer)
        unsafe state.pointee.writer.endItem()
    }

    func encodeNil() throws { try write({ $0.writeNull() }, .null) }
    func encode(_ value: Bool) throws { try write({ $0.write(value) }, .bool(value)) }
    func encode(_ value: String) throws { try write({ $0.write(value) }, .string(value)) }
    func encode(_ value: Double) throws { try write({ $0.write(value) }, .double(bitPattern: value.bitPattern)) }
    func encode(_ value: Float) throws {
        try write({ $0.writeFloat(bitPattern: value.bitPattern) }, .float(bitPattern: value.bitPattern))
    }
    func encode(_ value: Int) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int8) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int16) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int32) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int64) throws { try write({ $0.write(value) }, NativeNode(value)) }
    func encode(_ value: UInt) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt8) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt16) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt32) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt64) throws { try write({ $0.write(value) }, NativeNode(value)) }
    func encode(_ value: Int128) throws { try write({ $0.write(wide: value) }, NativeNode(value)) }
    func encode(_ value: UInt128) throws {
        try write({ $0.writeInteger(isNegative: false, magnitude: value) }, NativeNode(value))
    }

    /// Writes an item whose content is known.
    func write(_ content: NativeNode) throws {
        if unsafe state.pointee.writer.token != token, unsafe try !state.pointee.settle(token, frame: Int(frame)) {
            unsafe try state.pointee.tree?.append(content, to: node)
            return
        }
        unsafe state.pointee.writer.beginItem()
        unsafe try state.pointee.writer.write(content)
        unsafe state.pointee.writer.endItem()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        if unsafe state.pointee.writer.token != token, unsafe try !state.pointee.settle(token, frame: Int(frame)) {
            return try encodeInTree(value)
        }
        unsafe state.pointee.writer.beginItem()
        unsafe try state.encodeItem(value)
    }

    /// Writes the items of a sequence; those of a set in the order of their content.
    private func encodeAll<Items: Sequence>(_ items: Items) throws where Items.Element: Encodable {
        if let set = items as? any ContentOrdered {
            return try set.encodeItems(in: self)
        }
        for item in items { try encode(item) }
    }

    @inline(never)
    private func encodeInTree(_ value: some Encodable) throws {
        guard let tree = unsafe state.pointee.tree else { return }
        let place = try tree.newNode(in: node)
        do {
            unsafe try state.encodeInTree(value, node: place)
        } catch {
            tree.remove(place)
            throw error
        }
    }

    private func encoder() -> WireEncoder {
        do {
            if unsafe state.pointee.writer.token != token, unsafe try !state.pointee.settle(token, frame: Int(frame)) {
                if let place = unsafe try state.pointee.tree?.newNode(in: node) {
                    return unsafe WireEncoder(state, node: place)
                }
            }
            unsafe state.pointee.openItem()
        } catch {
            return unsafe WireEncoder(nowhere: state, token, error)
        }
        return unsafe WireEncoder(next: state)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    // MARK: Sequences

    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Bool { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == String { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Double { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Float { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Int { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Int8 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Int16 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Int32 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == Int64 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == UInt { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == UInt8 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == UInt16 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == UInt32 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element == UInt64 { try encodeAll(items) }
    func encode<Items: Sequence>(contentsOf items: Items) throws where Items.Element: Encodable { try encodeAll(items) }
}
