// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// What is known about a type of values: how it is written when that is not simply by its own `encode(to:)`.
@safe
struct ValueType {
    enum Kind: UInt8 {
        case plain
        case bool, int, string, double, half
        case uuid, date, data, url, decimal
        case strings, ints, doubles, stringMap
        // Up to here nothing of the value's own code runs.
        /// A dictionary whose keys are not strings, integers or `CodingKeyRepresentable`.
        case pairs
        case map, set
        /// An optional of an optional.
        case nestedOptional
        /// A type that writes itself.
        case direct
        /// A structure around nothing but a set or dictionary, which may write that in the order of its hash table.
        case hashOrdered

        @inline(__always)
        var isLeaf: Bool { rawValue >= Self.bool.rawValue && rawValue <= Self.stringMap.rawValue }
    }

    private(set) var kind: Kind
    let special: (any SpecialValue.Type)?
    let nested: (any NestedOptional.Type)?
    let direct: (any NavWireCodable.Type)?
    private(set) var hashOrdered: (any HashOrdered.Type)?
    /// Hash ordered types: whether a value was met that is written as no array.
    var writesItself = false

    /// What is known about the type of a value that is being written.
    init<Value>(of value: Value) {
        self.init(Value.self)
        guard kind == .plain, MemoryLayout<Value>.size == MemoryLayout<Int>.size else { return }
        hashOrdered = Self.wrapped(value)
        if hashOrdered != nil { kind = .hashOrdered }
    }

    init(_ type: Any.Type) {
        nested = (type as? any NestedOptional.Type).flatMap { $0.optionalDepth > 1 ? $0 : nil }
        special = type as? any SpecialValue.Type
        direct = type as? any NavWireCodable.Type
        if let leaf = Self.scalars[ObjectIdentifier(type)] {
            kind = leaf
        } else if nested != nil {
            kind = .nestedOptional
        } else if direct != nil {
            kind = .direct
        } else if let special {
            kind = special.specialKind
        } else {
            kind = .plain
        }
    }

    private static let scalars: [ObjectIdentifier: Kind] = [
        ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Int.self): .int, ObjectIdentifier(String.self): .string,
        ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float16.self): .half,
        ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(Data.self): .data, ObjectIdentifier(URL.self): .url, ObjectIdentifier(Decimal.self): .decimal,
        ObjectIdentifier([String].self): .strings, ObjectIdentifier([Int].self): .ints,
        ObjectIdentifier([Double].self): .doubles, ObjectIdentifier([String: String].self): .stringMap,
    ]
}

/// Collections whose own order differs from process to process.
protocol SpecialValue {
    static var specialKind: ValueType.Kind { get }
    /// Writes the members in the order of their content. `value` points to a `Self`.
    static func encodeInOrder(_ value: UnsafeRawPointer, to slot: WireEncoder) throws
    /// Makes a `Self` at `target` from a dictionary that was written in the other of the two forms.
    static func decodeOtherForm(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws
}

extension SpecialValue {
    static func decodeOtherForm(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        throw decoder.mismatch(Self.self)
    }
}

/// Optionals, to count how many are inside each other. Values are passed by address: a cast between optionals would
/// take off and put on levels as it likes.
protocol NestedOptional {
    static var optionalDepth: Int { get }
    /// Takes the optionals off the value at an address: how many there were before a nil, or what is inside all of them.
    static func peel(_ value: UnsafeRawPointer) -> PeeledOptional
    /// Makes the value with nil at `depth`, where 0 is the outermost.
    static func makeNull(depth: Int, at target: UnsafeMutableRawPointer)
    /// Makes the value with what is decoded inside every optional.
    static func makeWrapped(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws
}

enum PeeledOptional {
    case null(depth: Int)
    case value(any Encodable)
    case notEncodable
}

extension Optional: NestedOptional {
    static var optionalDepth: Int { 1 + ((Wrapped.self as? any NestedOptional.Type)?.optionalDepth ?? 0) }

    static func peel(_ value: UnsafeRawPointer) -> PeeledOptional {
        guard let wrapped = unsafe value.assumingMemoryBound(to: Self.self).pointee else { return .null(depth: 0) }
        guard let inner = Wrapped.self as? any NestedOptional.Type else {
            return (wrapped as? any Encodable).map { .value($0) } ?? .notEncodable
        }
        let peeled = unsafe withUnsafePointer(to: wrapped) { unsafe inner.peel(UnsafeRawPointer($0)) }
        if case .null(let depth) = peeled { return .null(depth: depth + 1) }
        return peeled
    }

    static func makeNull(depth: Int, at target: UnsafeMutableRawPointer) {
        guard depth > 0, let inner = Wrapped.self as? any NestedOptional.Type else {
            unsafe target.initializeMemory(as: Self.self, to: nil)
            return
        }
        unsafe withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped in
            guard let place = wrapped.baseAddress else { return }
            unsafe inner.makeNull(depth: depth - 1, at: UnsafeMutableRawPointer(place))
            unsafe target.initializeMemory(as: Self.self, to: .some(place.move()))
        }
    }

    static func makeWrapped(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        if let inner = Wrapped.self as? any NestedOptional.Type {
            unsafe try withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped in
                guard let place = wrapped.baseAddress else { return }
                unsafe try inner.makeWrapped(decoder, at: UnsafeMutableRawPointer(place))
                unsafe target.initializeMemory(as: Self.self, to: .some(place.move()))
            }
            return
        }
        guard let type = Wrapped.self as? any Decodable.Type, let value = try decoder.decodeErased(type) as? Wrapped
        else {
            throw decoder.mismatch(Wrapped.self)
        }
        unsafe target.initializeMemory(as: Self.self, to: .some(value))
    }
}
