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
    /// Each value that makes its sets anew and stands in another such one doubles the work. Deeper than this nobody is
    /// asked.
    private var mayAsk: Bool { unsafe pointee.hashOrderedLevel < 6 }

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
        unsafe pointee.seenDynamicKeyCount = unsafe pointee.writer.keys.dynamicKeyCount
        guard unsafe mayAsk && slot.holdsOpenContainer else { return }
        let tables = HashTables(in: value)
        guard !tables.found.isEmpty else {
            unsafe type.pointee.mayHoldTables = tables.mayVary
            return
        }
        guard tables.found.contains(where: { $0.memberCount > 1 }) else { return }
        if let known = unsafe outermost.pointee.verdicts[HashTables.identity(of: value)], known.order == nil { return }
        guard let content = unsafe try content(of: value, at: slot),
            let ordered = unsafe try inOrder(content, of: value, tables, slot)
        else { return }
        unsafe type.pointee.kind = .hashOrdered
        try slot.put(ordered)
    }

    /// Content in the order that it has in every process; nil when that is how it stands.
    private func inOrder<Value: Encodable>(
        _ content: NativeNode, of value: Value, _ tables: HashTables, _ slot: WireEncoder
    ) throws -> NativeNode? {
        guard !tables.found.isEmpty else { return nil }
        let orders = content.orders(of: tables)
        let (document, identity) = unsafe (outermost, HashTables.identity(of: value))
        if let known = unsafe document.pointee.verdicts[identity] {
            return known.order.flatMap { orders.indices.contains($0) ? orders[$0] : nil }
        }
        let order = unsafe try ask(value, content, orders, tables, slot)
        unsafe document.pointee.verdicts[identity] = HashTables.Verdict(order: order, value: value)
        return order.map { orders[$0] }
    }

    /// Asks a value again with its members in another order: in which order by content it has to be put, if in any.
    private func ask<Value: Encodable>(
        _ value: Value, _ content: NativeNode, _ orders: [NativeNode], _ tables: HashTables, _ slot: WireEncoder
    ) throws -> Int? {
        guard unsafe mayAsk, orders.contains(where: { $0 != content }) else { return nil }
        // Members that are written alike may have changed places without a trace.
        for attempt in 0..<(content.hasTwins ? 16 : 1) {
            let again = unsafe try tables.withAnotherOrder(of: value, attempt: attempt) { other in
                unsafe try self.content(of: other.pointee, at: slot)
            }
            guard let again, let again else { return nil }
            if again != content {
                return zip(orders, again.orders(of: tables)).enumerated().first { $1.0 == $1.1 }?.offset
            }
        }
        return nil
    }

    /// What the value's own code writes.
    private func content(of value: some Encodable, at slot: WireEncoder) throws -> NativeNode? {
        unsafe try NativeNode.apart(slot, key: nil, levels: 0) { state throws in
            unsafe state.pointee.hashOrderedLevel += 1
            unsafe state.pointee.writer.aimAtSlot()
            try unsafe value.encode(to: WireEncoder(next: state))
            _ = unsafe try state.pointee.endDocument()
        }
    }
}

extension NativeNode {
    /// The orders by content that there are, one for each number of items that a member may have written.
    fileprivate func orders(of tables: HashTables) -> [NativeNode] {
        switch self {
        case .array(let items):
            let counts = Set(tables.found.map(\.memberCount)).filter { $0 > 1 && items.count.isMultiple(of: $0) }
            return counts.sorted().map { .array(Self.sorted(items, by: items.count / $0)) }
        case .object(let members): return [.object(members.sorted { Utf8Order.precedes($0.key, $1.key) })]
        default: return []
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
