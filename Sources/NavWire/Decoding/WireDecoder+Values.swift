// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WireDecoder {
    /// A value of any type.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard isAlive else { throw mismatch(type) }
        let info = unsafe state.pointee.valueTypes.info(of: type) { DecodedType(type) }
        let kind = unsafe info.pointee.kind
        if kind == .plain { return try Value(from: self) }
        return unsafe kind.isLeaf ? try leaf(type, kind) : try special(type, info)
    }

    /// A value, or nil when the entry is one. A nil inside an optional is told from the optional's own: it has its depth.
    @inline(__always)
    func valueIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard isNull else { return try value(type) }
        return try null(type)
    }

    /// The nil that stands here. A function of its own for the same reason as `leaf`.
    @inline(never)
    private func null<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard isAlive else { throw mismatch(type) }
        let depth = nullDepth
        guard depth > 0, let optional = Value.self as? any NestedOptional.Type else { return nil }
        return unsafe try make { unsafe optional.makeNull(depth: depth - 1, at: $0) } as Value
    }

    private var nullDepth: Int { index >= 0 && entry.kind == .nestedNull ? Int(entry.length) : 0 }

    /// A value of a type that is read without its own code. A function of its own, since its temporaries would lie on the
    /// stack once for each level of what is nested.
    @inline(never)
    private func leaf<Value: Decodable>(_ type: Value.Type, _ kind: ValueKind) throws -> Value {
        switch kind {
        case .bool: try same(bool())
        case .int: try same(integer() as Int)
        case .double: try same(double())
        case .half: try half(type)
        case .string: try same(string())
        case .uuid: isEntry(.uuid) ? try same(uuid()) : try Value(from: self)
        case .date: isEntry(.date) ? try same(date()) : try Value(from: self)
        case .data: try same(data())
        case .url: try same(url())
        case .decimal: try same(decimal())
        case .strings: try same(items { try $0.string() })
        case .ints: try same(items { try $0.integer() as Int })
        case .doubles: try same(items { try $0.double() })
        case .stringMap: try same(stringMap())
        default: try Value(from: self)
        }
    }

    @inline(never)
    private func special<Value: Decodable>(
        _ type: Value.Type, _ info: UnsafeMutablePointer<DecodedType>
    ) throws -> Value {
        switch unsafe info.pointee.kind {
        case .direct: unsafe try make { unsafe try info.pointee.direct?.decodeErased(self, at: $0) }
        case .nestedOptional: unsafe try nested(type, info)
        case .map where isEntry(.pairs), .pairs where isEntry(.map): unsafe try dictionary(type, info)
        default: try Value(from: self)
        }
    }

    func isEntry(_ kind: TapeEntry.Kind) -> Bool { isAlive && index >= 0 && entry.kind == kind }

    /// A dictionary whose keys were coding keys when it was written and are none now, or the other way round.
    private func dictionary<Value: Decodable>(
        _ type: Value.Type, _ info: UnsafeMutablePointer<DecodedType>
    ) throws -> Value {
        guard let dictionary = unsafe info.pointee.dictionary else { return try Value(from: self) }
        return unsafe try make { unsafe try dictionary.decodeOtherForm(self, at: $0) }
    }

    /// A value as itself: the caller has compared the types.
    @inline(__always)
    private func same<Actual, Value>(_ value: Actual) -> Value {
        unsafe unsafeBitCast(value, to: Value.self)
    }

    /// Imported ones convert as they do with `JSONDecoder`.
    private func half<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard isAlive, index >= 0, entry.kind == .half else { return try Value(from: self) }
        return same(UInt16(truncatingIfNeeded: entry.bits))
    }

    private func nested<Value: Decodable>(
        _ type: Value.Type, _ info: UnsafeMutablePointer<DecodedType>
    ) throws -> Value {
        guard let optional = unsafe info.pointee.nested else { return try Value(from: self) }
        if isNull { return try null(optional) }
        guard let innermost = optional.innermost else { throw mismatch(type) }
        return try wrapped(decodeErased(innermost), in: optional)
    }

    @inline(never)
    private func null<Value>(_ optional: any DecodableOptional.Type) throws -> Value {
        unsafe try make { unsafe optional.makeNull(depth: min(nullDepth, optional.optionalDepth - 1), at: $0) }
    }

    @inline(never)
    private func wrapped<Value>(_ value: any Decodable, in optional: any DecodableOptional.Type) throws -> Value {
        unsafe try make { target in
            guard unsafe optional.wrap(value, at: target) else { throw mismatch(Value.self) }
        }
    }

    /// A value that `body` makes at the address it is given.
    private func make<Value>(_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
        unsafe try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            guard let place = buffer.baseAddress else { throw Self.tooLate }
            unsafe try body(UnsafeMutableRawPointer(place))
            return unsafe place.move()
        }
    }

    var isArray: Bool {
        guard isAlive, index >= 0 else { return false }
        let kind = entry.kind
        return kind == .array || kind == .set || kind == .pairs
    }

    func items<Item>(_ read: (WireDecoder) throws -> Item) throws -> [Item] {
        guard isArray else { throw mismatch([Any].self) }
        var items: [Item] = []
        items.reserveCapacity(Int(entry.length))
        var next = index + 1
        for _ in 0..<entry.length {
            items.append(try read(place(next)))
            next = unsafe Int32(truncatingIfNeeded: scanner.pointee.tape.next(after: Int(next)))
        }
        return items
    }

    private func stringMap() throws -> [String: String] {
        if isEntry(.pairs) { return try members() }
        guard isEntry(.map) else { return try [String: String](from: self) }
        var map = [String: String](minimumCapacity: Int(entry.length) / 2)
        var next = index + 1
        for _ in 0..<entry.length / 2 {
            map[try place(next).string()] = try place(next + 1).string()
            next = unsafe Int32(truncatingIfNeeded: scanner.pointee.tape.next(after: Int(next) + 1))
        }
        return map
    }

    /// The members of a dictionary in either of its forms, keys decoded as values.
    func members<Key: Hashable, Value>() throws -> [Key: Value] {
        var members: [Key: Value] = [:]
        var next = index + 1
        for _ in 0..<entry.length / 2 {
            let value = unsafe Int32(truncatingIfNeeded: scanner.pointee.tape.next(after: Int(next)))
            let key: Key = try place(next).erased()
            // Not by subscript: that would take a nil for "no member".
            members.updateValue(try place(value).erased(), forKey: key)
            next = unsafe Int32(truncatingIfNeeded: scanner.pointee.tape.next(after: Int(value)))
        }
        return members
    }

    /// A value of a type that is not known to be decodable.
    private func erased<Value>() throws -> Value {
        guard let type = Value.self as? any Decodable.Type, let value = try decodeErased(type) as? Value else {
            throw mismatch(Value.self)
        }
        return value
    }
}
