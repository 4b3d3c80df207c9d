// SPDX-License-Identifier: Apache-2.0

/// A keyed container: a pointer to its slot, which outlives the call, so copies and calls count no references.
@safe
struct WireKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: UnsafeMutablePointer<KeyedEncodingSlot>

    var codingPath: [any CodingKey] {
        unsafe slot.pointee.state.codingPath(slot.pointee.token, depth: Int(slot.pointee.frame))
    }

    /// Writes a scalar under a key.
    @inline(__always)
    private func write(
        _ key: Key, _ body: (inout PayloadWriter) -> Void, _ node: @autoclosure () -> NativeNode
    ) throws {
        let state = unsafe slot.pointee.state
        if unsafe state.pointee.writer.token == slot.pointee.token {
            unsafe try writeKey(key, state)
            unsafe body(&state.pointee.writer)
        } else {
            try writeSettled(key, body, node)
        }
    }

    @inline(__always)
    private func writeKey(_ key: Key, _ state: UnsafeMutablePointer<EncoderState>) throws {
        unsafe try state.pointee.writer.writeKey(number(of: key, slot.pointee.numbers))
    }

    @inline(__always)
    private func number<SomeKey: CodingKey>(of key: SomeKey, _ numbers: UnsafeMutablePointer<Int32>?) throws -> Int {
        let known = unsafe KeyType.known(key, numbers)
        return unsafe known >= 0 ? Int(known) : try learn(key, numbers)
    }

    @inline(never)
    private func learn(_ key: some CodingKey, _ numbers: UnsafeMutablePointer<Int32>?) throws -> Int {
        let number = try ask(key)
        unsafe KeyType.note(number, of: key, numbers)
        return number
    }

    /// Asks a key for its string. That is code of the key's type, which must not write to the encoder meanwhile.
    private func ask(_ key: some CodingKey) throws -> Int {
        let string = key.stringValue
        let state = unsafe slot.pointee.state
        guard unsafe state.pointee.writer.token == slot.pointee.token else {
            throw unsafe state.pointee.writer.refuse("a key wrote to its encoder when it was asked for its string")
        }
        return unsafe state.pointee.writer.number(of: string)
    }

    @inline(never)
    private func writeSettled(
        _ key: Key, _ body: (inout PayloadWriter) -> Void, _ node: () -> NativeNode
    ) throws {
        let state = unsafe slot.pointee.state
        if unsafe try state.pointee.settle(slot.pointee.token, frame: Int(slot.pointee.frame)) {
            unsafe try writeKey(key, state)
            unsafe body(&state.pointee.writer)
        } else if let tree = unsafe state.pointee.tree {
            unsafe try tree.add(
                node(), key: key.stringValue, to: slot.pointee.node, inDictionary: slot.pointee.isOfDictionary)
        }
    }

    func encodeNil(forKey key: Key) throws { try write(key, { $0.writeNull() }, .null) }
    func encode(_ value: Bool, forKey key: Key) throws { try write(key, { $0.write(value) }, .bool(value)) }
    func encode(_ value: String, forKey key: Key) throws { try write(key, { $0.write(value) }, .string(value)) }
    func encode(_ value: Double, forKey key: Key) throws {
        try write(key, { $0.write(value) }, .double(bitPattern: value.bitPattern))
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try write(key, { $0.writeFloat(bitPattern: value.bitPattern) }, .float(bitPattern: value.bitPattern))
    }
    func encode(_ value: Int, forKey key: Key) throws { try write(key, { $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int8, forKey key: Key) throws { try write(key, { $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int16, forKey key: Key) throws {
        try write(key, { $0.write(Int64(value)) }, NativeNode(value))
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        try write(key, { $0.write(Int64(value)) }, NativeNode(value))
    }
    func encode(_ value: Int64, forKey key: Key) throws { try write(key, { $0.write(value) }, NativeNode(value)) }
    func encode(_ value: UInt, forKey key: Key) throws {
        try write(key, { $0.write(UInt64(value)) }, NativeNode(value))
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        try write(key, { $0.write(UInt64(value)) }, NativeNode(value))
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        try write(key, { $0.write(UInt64(value)) }, NativeNode(value))
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        try write(key, { $0.write(UInt64(value)) }, NativeNode(value))
    }
    func encode(_ value: UInt64, forKey key: Key) throws { try write(key, { $0.write(value) }, NativeNode(value)) }
    func encode(_ value: Int128, forKey key: Key) throws {
        try write(key, { $0.write(wide: value) }, NativeNode(value))
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        try write(key, { $0.writeInteger(isNegative: false, magnitude: value) }, NativeNode(value))
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        guard try beginValue(key) else { return try encodeInTree(value, key) }
        unsafe try slot.pointee.state.encodeItem(value)
    }

    /// Writes a key whose value comes next; false when that belongs in the tree.
    @inline(__always)
    func beginValue(_ key: Key) throws -> Bool {
        let state = unsafe slot.pointee.state
        if unsafe state.pointee.writer.token != slot.pointee.token,
            unsafe try !state.pointee.settle(slot.pointee.token, frame: Int(slot.pointee.frame))
        {
            return false
        }
        unsafe try writeKey(key, state)
        return true
    }

    @inline(never)
    func encodeInTree<Value: Encodable>(optional value: Value?, _ key: Key) throws {
        guard let value else { return }
        if let optional = Value.self as? any NestedOptional.Type,
            case .null(let depth) = unsafe withUnsafePointer(to: value, { unsafe optional.peel(UnsafeRawPointer($0)) })
        {
            unsafe try slot.pointee.state.pointee.tree?
                .add(
                    .nestedNull(depth: depth + 1), key: key.stringValue, to: slot.pointee.node,
                    inDictionary: slot.pointee.isOfDictionary)
        } else {
            try encodeInTree(value, key)
        }
    }

    @inline(never)
    private func encodeInTree(_ value: some Encodable, _ key: Key) throws {
        let state = unsafe slot.pointee.state
        guard let tree = unsafe state.pointee.tree else { return }
        let node = unsafe try tree.newNode(
            key: key.stringValue, in: slot.pointee.node, inDictionary: slot.pointee.isOfDictionary)
        do {
            unsafe try state.encodeInTree(value, node: node)
        } catch {
            tree.remove(node)
            throw error
        }
    }

    /// Opens the place of a key for something that is written later.
    @inline(__always)
    private func encoder(_ key: some CodingKey, _ numbers: UnsafeMutablePointer<Int32>?) -> WireEncoder {
        let state = unsafe slot.pointee.state
        guard unsafe state.pointee.writer.token == slot.pointee.token else { return settledEncoder(key, goesOn: nil) }
        guard let number = unsafe try? number(of: key, numbers) else { return settledEncoder(key, goesOn: nil) }
        return unsafe state.openMember(number)
    }

    /// The same for a container that goes on where the key has one of its kind.
    @inline(__always)
    private func encoder(_ key: Key, goesOn kind: TreeNode.Kind) -> WireEncoder {
        let state = unsafe slot.pointee.state
        guard unsafe state.pointee.writer.token == slot.pointee.token else { return settledEncoder(key, goesOn: kind) }
        guard let number = unsafe try? number(of: key, slot.pointee.numbers) else {
            return settledEncoder(key, goesOn: kind)
        }
        if unsafe state.pointee.writer.mayHaveKey(number) { return settledEncoder(key, goesOn: kind) }
        return unsafe state.openMember(number)
    }

    @inline(never)
    private func settledEncoder(_ key: some CodingKey, goesOn kind: TreeNode.Kind?) -> WireEncoder {
        let state = unsafe slot.pointee.state
        do {
            if unsafe try state.pointee.settle(slot.pointee.token, frame: Int(slot.pointee.frame)) {
                let number = try ask(key)
                if unsafe kind == nil || !state.pointee.writer.mayHaveKey(number) {
                    return unsafe state.openMember(number)
                }
                unsafe try state.pointee.moveToTree()
            }
            guard let tree = unsafe state.pointee.tree else { throw EncoderState.tooLate }
            let node = unsafe try tree.newNode(key: key.stringValue, in: slot.pointee.node, goesOn: kind)
            return unsafe WireEncoder(state, node: node)
        } catch {
            return unsafe WireEncoder(nowhere: state, slot.pointee.token, error)
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key, goesOn: .object).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key, goesOn: .array).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { unsafe encoder(WireKey.super, nil) }
    func superEncoder(forKey key: Key) -> any Encoder { unsafe encoder(key, slot.pointee.numbers) }
}

/// What a keyed container needs to know. It belongs to a container of the standard library that is lent out again and
/// again.
@safe
struct KeyedEncodingSlot {
    let state: UnsafeMutablePointer<EncoderState>
    let numbers: UnsafeMutablePointer<Int32>?
    var token: UInt64
    var frame: Int32
    /// Whether it is that of a dictionary which encodes itself.
    var isOfDictionary = false

    var node: UInt32 { UInt32(truncatingIfNeeded: token) }

    /// The slot of all containers that are asked for too late. Never written to: see `EncoderState.late`.
    static var late: UnsafeMutablePointer<KeyedEncodingSlot> { unsafe lateBox.value }
    private static let lateBox = {
        let slot = UnsafeMutablePointer<KeyedEncodingSlot>.allocate(capacity: 1)
        unsafe slot.initialize(
            to: KeyedEncodingSlot(state: EncoderState.late, numbers: nil, token: PayloadWriter.NoHandle.late, frame: 0))
        return unsafe SendableBox(slot)
    }()
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Opens the place of a key of the innermost object.
    @inline(__always)
    fileprivate func openMember(_ key: Int) -> WireEncoder {
        unsafe pointee.writer.writeKey(key)
        unsafe pointee.openItem()
        return unsafe WireEncoder(next: self)
    }
}

extension WireKeyedEncodingContainer {
    /// A container outside the pool: whatever is written to it throws `tooLate`.
    static var late: KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(unsafe WireKeyedEncodingContainer(slot: KeyedEncodingSlot.late))
    }

    /// A container for the place with `token`: one that was made before, if nobody else has it now.
    @inline(__always)
    static func lend(
        _ state: UnsafeMutablePointer<EncoderState>, _ keyType: UnsafeMutablePointer<KeyType>, _ token: UInt64,
        frame: Int32
    ) -> KeyedEncodingContainer<Key> {
        guard let box = unsafe keyType.pointee.freeBox() else {
            return unsafe make(state, keyType, token, frame: frame)
        }
        let slot = unsafe box.pointee.slot.assumingMemoryBound(to: KeyedEncodingSlot.self)
        unsafe slot.pointee.token = token
        unsafe slot.pointee.frame = frame
        return unsafe unsafeBitCast(box.pointee.lender, to: Lender<KeyedEncodingContainer<Key>>.self).lend()
    }

    @inline(never)
    private static func make(
        _ state: UnsafeMutablePointer<EncoderState>, _ keyType: UnsafeMutablePointer<KeyType>, _ token: UInt64,
        frame: Int32
    ) -> KeyedEncodingContainer<Key> {
        let slot = UnsafeMutablePointer<KeyedEncodingSlot>.allocate(capacity: 1)
        unsafe slot.initialize(
            to: KeyedEncodingSlot(
                state: state, numbers: keyType.pointee.numbers, token: token, frame: frame,
                isOfDictionary: keyType.pointee.isDictionaryKey))
        let container = unsafe KeyedEncodingContainer(WireKeyedEncodingContainer(slot: slot))
        // One reference to a box, which can be kept as such. Were it ever anything else, nothing is kept.
        if MemoryLayout<KeyedEncodingContainer<Key>>.size == MemoryLayout<AnyObject>.size {
            unsafe keyType.pointee.add(KeyType.Box(container, slot: UnsafeMutableRawPointer(slot)))
            if unsafe keyType.pointee.boxesAreMany { unsafe state.pointee.boxesAreMany = true }
        }
        return container
    }
}
