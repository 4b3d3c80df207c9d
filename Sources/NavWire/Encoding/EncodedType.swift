// SPDX-License-Identifier: Apache-2.0

/// What is known about a type of values that are written.
@safe
struct EncodedType {
    private(set) var kind: ValueKind
    let ordered: (any OrderedCollection.Type)?
    let nested: (any NestedOptional.Type)?
    let direct: (any NavWireEncodable.Type)?
    private(set) var hashOrdered: (any HashOrdered.Type)?
    /// Hash ordered types: whether a value was met that is written as no array.
    var writesItself = false
    /// Whether a value inside one that writes itself was met which does not stay on the straight way.
    var isWrittenApart = false

    /// What is known about the type of a value.
    init<Value>(of value: Value) {
        nested = (Value.self as? any NestedOptional.Type).flatMap { $0.optionalDepth > 1 ? $0 : nil }
        ordered = Value.self as? any OrderedCollection.Type
        direct = Value.self as? any NavWireEncodable.Type
        if let leaf = ValueKind.leaf(Value.self) {
            kind = leaf
        } else if nested != nil {
            kind = .nestedOptional
        } else if direct != nil {
            kind = .direct
        } else {
            kind = ordered?.kindWhenEncoded ?? .plain
        }
        guard kind == .plain, MemoryLayout<Value>.size == MemoryLayout<Int>.size else { return }
        hashOrdered = Self.wrapped(value)
        if hashOrdered != nil { kind = .hashOrdered }
    }
}
