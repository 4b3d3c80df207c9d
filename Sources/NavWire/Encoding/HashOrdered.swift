// SPDX-License-Identifier: Apache-2.0

/// Collections whose own `encode(to:)` writes an array in the order of their hash table, which is another one in each
/// process.
///
/// The encoder writes them itself and in order. But a structure around one, such as a property wrapper, may call
/// `set.encode(to: encoder)`, which asks for an unkeyed container and fills it: nothing in these calls tells a set from
/// an array, nor chance from an order that was chosen. So the structure is asked again with an equal set that enumerates
/// in another order. If the same items come in another order, the order was that of the hash table and the items are
/// sorted by content; if not, it was chosen and stays.
protocol HashOrdered {
    /// How many items it writes for each member.
    static var itemsPerMember: Int { get }
    /// Calls `body` with an equal value that has its members in another order, unless all orders are one.
    static func withAnotherOrder(of value: UnsafeRawPointer, _ body: (UnsafeRawPointer) throws -> Void) rethrows
}

/// Each hash table is seeded with its address: two are alike half of the time at most while both are there.
private let attempts = 64

extension Set: HashOrdered {
    static var itemsPerMember: Int { 1 }

    static func withAnotherOrder(of value: UnsafeRawPointer, _ body: (UnsafeRawPointer) throws -> Void) rethrows {
        let set = unsafe value.assumingMemoryBound(to: Self.self).pointee
        var alike: [Self] = []
        defer { withExtendedLifetime(alike) {} }
        for attempt in 0..<(set.count > 1 ? attempts : 0) {
            var other = Self(minimumCapacity: set.count << (attempt & 7))
            for member in set { other.insert(member) }
            guard !other.elementsEqual(set) else {
                alike.append(other)
                continue
            }
            return try unsafe withUnsafePointer(to: other) { try unsafe body(UnsafeRawPointer($0)) }
        }
    }
}

extension Dictionary: HashOrdered {
    static var itemsPerMember: Int { 2 }

    static func withAnotherOrder(of value: UnsafeRawPointer, _ body: (UnsafeRawPointer) throws -> Void) rethrows {
        let dictionary = unsafe value.assumingMemoryBound(to: Self.self).pointee
        var alike: [Self] = []
        defer { withExtendedLifetime(alike) {} }
        for attempt in 0..<(dictionary.count > 1 ? attempts : 0) {
            var other = Self(minimumCapacity: dictionary.count << (attempt & 7))
            for (key, value) in dictionary { other[key] = value }
            guard !other.keys.elementsEqual(dictionary.keys) else {
                alike.append(other)
                continue
            }
            return try unsafe withUnsafePointer(to: other) { try unsafe body(UnsafeRawPointer($0)) }
        }
    }
}

extension Optional: HashOrdered where Wrapped: HashOrdered {
    static var itemsPerMember: Int { Wrapped.itemsPerMember }

    static func withAnotherOrder(of value: UnsafeRawPointer, _ body: (UnsafeRawPointer) throws -> Void) rethrows {
        guard let wrapped = unsafe value.assumingMemoryBound(to: Self.self).pointee else { return }
        try unsafe withUnsafePointer(to: wrapped) { inner in
            try unsafe Wrapped.withAnotherOrder(of: UnsafeRawPointer(inner)) { other in
                let optional = unsafe Self(other.assumingMemoryBound(to: Wrapped.self).pointee)
                try unsafe withUnsafePointer(to: optional) { try unsafe body(UnsafeRawPointer($0)) }
            }
        }
    }
}

extension EncodedType {
    /// The collection that is all that a structure holds, through other such structures.
    static func wrapped(_ value: Any) -> (any HashOrdered.Type)? {
        var current = value
        for _ in 0..<8 {
            let mirror = Mirror(reflecting: current)
            guard mirror.displayStyle == .struct, !(current is any CustomReflectable), mirror.children.count == 1,
                let child = mirror.children.first?.value
            else { return nil }
            if let found = type(of: child) as? any HashOrdered.Type { return found }
            current = child
        }
        return nil
    }
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Each wrapper inside another one doubles the work. Deeper than this its items are sorted without being asked.
    private var maximumWrapperLevel: Int { 6 }

    func encodeHashOrdered<Value: Encodable>(_ value: Value, _ type: UnsafeMutablePointer<EncodedType>) throws {
        let slot = unsafe WireEncoder(next: self)
        guard let ordered = unsafe type.pointee.hashOrdered else { return }
        if unsafe type.pointee.writesItself { return unsafe try encodeItself(value, type, ordered, slot) }
        guard let first = unsafe try content(of: value, at: slot) else { return }
        unsafe try writeOrdered(value, type, ordered, first, slot)
    }

    /// Writes what the value's own code wrote, `first`, in the order that it has in every process.
    private func writeOrdered<Value: Encodable>(
        _ value: Value, _ type: UnsafeMutablePointer<EncodedType>, _ ordered: any HashOrdered.Type, _ first: NativeNode,
        _ slot: WireEncoder
    ) throws {
        switch first {
        case .array(let items) where items.count.isMultiple(of: ordered.itemsPerMember):
            let sorted = unsafe Self.sorted(items, by: ordered.itemsPerMember)
            let isChance = unsafe try sorted != items && followsHashTable(value, ordered, items, sorted, slot)
            try slot.put(.array(isChance ? sorted : items))
        case .object, .map, .set, .pairs:
            // It writes a container of its own, or leaves the set to the encoder.
            unsafe type.pointee.writesItself = true
            try slot.put(first)
        default: try slot.put(first)
        }
    }

    /// Lets a value of a type that has written no array so far write itself. It may write one all the same: then that is
    /// put in order where it stands.
    private func encodeItself<Value: Encodable>(
        _ value: Value, _ type: UnsafeMutablePointer<EncodedType>, _ ordered: any HashOrdered.Type, _ slot: WireEncoder
    ) throws {
        try value.encode(to: slot)
        guard slot.holdsArray, let content = unsafe try content(of: value, at: slot) else { return }
        unsafe try writeOrdered(value, type, ordered, content, slot)
    }

    private func followsHashTable<Value: Encodable>(
        _ value: Value, _ ordered: any HashOrdered.Type, _ items: [NativeNode], _ sorted: [NativeNode],
        _ slot: WireEncoder
    ) throws -> Bool {
        if unsafe pointee.wrapperLevel >= maximumWrapperLevel { return true }
        var found = false
        try unsafe withUnsafePointer(to: value) { pointer in
            try unsafe ordered.withAnotherOrder(of: UnsafeRawPointer(pointer)) { other in
                // The structure is nothing but the collection, so the collection's bytes are one.
                guard case .array(let again)? = try unsafe content(of: other.load(as: Value.self), at: slot) else {
                    return
                }
                found = unsafe again != items && Self.sorted(again, by: ordered.itemsPerMember) == sorted
            }
        }
        return found
    }

    /// What the value's own code writes.
    private func content(of value: some Encodable, at slot: WireEncoder) throws -> NativeNode? {
        unsafe try NativeNode.apart(slot, key: nil, levels: 0) { state throws in
            unsafe state.pointee.wrapperLevel += 1
            unsafe state.pointee.writer.aimAtSlot()
            try unsafe value.encode(to: WireEncoder(next: state))
            _ = unsafe try state.pointee.endDocument()
        }
    }

    private static func sorted(_ items: [NativeNode], by step: Int) -> [NativeNode] {
        let members = stride(from: 0, to: items.count, by: step).map { NativeNode.array(Array(items[$0..<$0 + step])) }
        return members.sorted { NativeNode.precedes($0, $1) }.flatMap { member -> [NativeNode] in
            if case .array(let items) = member { items } else { [] }
        }
    }
}
