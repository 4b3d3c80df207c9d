// SPDX-License-Identifier: Apache-2.0

// Sets and dictionaries that encode themselves write their members in the order of their hash table, which is another one
// in each process.
//
// The encoder writes them itself and in order. But a value around one, such as a property wrapper or an eraser of types,
// may call `set.encode(to: encoder)`, or go through the members by itself: nothing in these calls tells a set from an
// array, nor chance from an order that was chosen. So the value is asked again with an equal set in its place that
// enumerates in another order. If the same items come in another order, the order was that of the hash table and the
// items are sorted by content; if not, it was chosen and stays.

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// The state of the whole document.
    private var outermost: Self {
        var state = unsafe self
        while let outer = unsafe state.pointee.outer { unsafe state = unsafe outer.place.state }
        return unsafe state
    }

    /// Writes a value of a type that was seen to follow a hash table.
    func encodeHashOrdered<Value: Encodable>(_ value: Value) throws {
        let slot = unsafe WireEncoder(next: self)
        guard let content = unsafe try content(of: value, at: slot) else { return }
        guard content.hasOrder else { return try slot.put(content) }
        try slot.put(unsafe try inOrder(content, of: value, HashTables(in: value), slot) ?? content)
    }

    /// Puts in order what a value has written, if it followed a hash table.
    @inline(never)
    func putInOrder<Value: Encodable>(
        _ value: Value, _ type: UnsafeMutablePointer<EncodedType>, _ slot: WireEncoder
    ) throws {
        guard slot.holdsOpenContainer else { return }
        let tables = HashTables(in: value)
        guard !tables.found.isEmpty else {
            unsafe type.pointee.mayHoldTables = tables.mayVary
            return
        }
        guard tables.found.contains(where: { $0.memberCount > 1 }) else { return }
        if let known = unsafe outermost.pointee.verdicts[HashTables.identity(of: value)], known.followed == nil {
            return
        }
        guard let content = unsafe try content(of: value, at: slot),
            let ordered = unsafe try inOrder(content, of: value, tables, slot)
        else { return }
        unsafe type.pointee.kind = .hashOrdered
        // A value that writes something else each time has written it already.
        unsafe try pointee.moveToTree()
        let written = unsafe pointee.tree?.content(of: UInt32(truncatingIfNeeded: slot.token))
        if written?.hasSameItems(as: content) == true { try slot.put(ordered) }
    }

    /// Content in the order that it has in every process; nil when that is how it stands.
    private func inOrder<Value: Encodable>(
        _ content: NativeNode, of value: Value, _ tables: HashTables, _ slot: WireEncoder
    ) throws -> NativeNode? {
        guard !tables.found.isEmpty else { return nil }
        let (document, identity) = unsafe (outermost, HashTables.identity(of: value))
        let known = unsafe document.pointee.verdicts[identity]
        let followed = try known?.followed ?? (known == nil ? unsafe ask(value, content, tables, slot) : nil)
        if known == nil {
            unsafe document.pointee.verdicts[identity] = HashTables.Verdict(followed: followed, value: value)
        }
        guard let followed, tables.found.indices.contains(followed) else { return nil }
        return content.inOrder(of: tables.found[followed].memberCount)
    }

    /// Asks a value again with the members of one table after the other in another order: which table it follows, if any.
    private func ask<Value: Encodable>(
        _ value: Value, _ content: NativeNode, _ tables: HashTables, _ slot: WireEncoder
    ) throws -> Int? {
        let document = unsafe outermost
        // Members that are written alike may have changed places without a trace.
        let attempts = content.hasTwins ? 16 : 1
        for (index, table) in tables.found.enumerated() {
            guard let ordered = content.inOrder(of: table.memberCount), ordered != content else { continue }
            for attempt in 0..<attempts {
                // A value is asked once. But one that makes its sets anew each time is another one each time, and such
                // values inside each other would double the work at each level.
                guard unsafe document.pointee.asksLeft > 0 else { return nil }
                unsafe document.pointee.asksLeft -= 1
                let again = unsafe try tables.withAnotherOrder(of: index, in: value, attempt: attempt) { other in
                    unsafe try self.content(of: other.pointee, at: slot)
                }
                guard let again, let again else { break }
                if again == content { continue }
                if again.inOrder(of: table.memberCount) == ordered { return index }
                break
            }
        }
        return nil
    }

    /// What the value's own code writes.
    private func content(of value: some Encodable, at slot: WireEncoder) throws -> NativeNode? {
        unsafe try NativeNode.apart(slot, key: nil, levels: 0) { state throws in
            unsafe state.pointee.writer.aimAtSlot()
            try unsafe value.encode(to: WireEncoder(next: state))
            _ = unsafe try state.pointee.endDocument()
        }
    }
}

extension NativeNode {
    /// The content in its own order, where so many members have written it, each as many items; nil when they cannot have.
    fileprivate func inOrder(of memberCount: Int) -> NativeNode? {
        guard memberCount > 1, hasOrder else { return nil }
        switch self {
        case .array(let items):
            guard items.count.isMultiple(of: memberCount) else { return nil }
            return .array(Self.sorted(items, by: items.count / memberCount))
        case .object(let members): return .object(members.sorted { Utf8Order.precedes($0.key, $1.key) })
        default: return nil
        }
    }

    /// Whether another content has the same items or members, in any order.
    fileprivate func hasSameItems(as other: NativeNode) -> Bool {
        switch (self, other) {
        case (.array(let items), .array(let others)): Self.sorted(items, by: 1) == Self.sorted(others, by: 1)
        default: inOrder(of: 2) == other.inOrder(of: 2)
        }
    }

    /// Whether it could be in another order.
    fileprivate var hasOrder: Bool {
        switch self {
        case .array(let items): items.count > 1
        case .object(let members): members.count > 1
        default: false
        }
    }

    /// Whether two items are alike.
    fileprivate var hasTwins: Bool {
        guard case .array(let items) = self else { return false }
        let sorted = items.sorted { Self.precedes($0, $1) }
        return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    }

    private static func sorted(_ items: [NativeNode], by step: Int) -> [NativeNode] {
        let members = stride(from: 0, to: items.count, by: step).map { NativeNode.array(Array(items[$0..<$0 + step])) }
        return members.sorted { precedes($0, $1) }.flatMap { member -> [NativeNode] in
            if case .array(let items) = member { items } else { [] }
        }
    }
}
