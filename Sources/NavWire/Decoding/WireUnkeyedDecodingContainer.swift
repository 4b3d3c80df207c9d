// SPDX-License-Identifier: Apache-2.0

/// An unkeyed container. Three words, so that passing it on allocates nothing.
///
/// An item that failed to decode is still there, for a try with another type. A second try with the same type goes on
/// to the next item, so that a loop which skips what it cannot read comes to an end. What a copy of the container tried
/// is no try of the container itself.
@safe
struct WireUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    let state: UnsafeMutablePointer<DecoderState>
    let session: UInt32
    /// The entry of the container.
    let container: Int32
    /// The entry of the next item.
    var next: Int32
    /// The highest bit says that this container has failed to decode the next item as some type. The others are the
    /// number of the row of such types then, and else the index of the next item.
    var packedIndex: UInt32 = 0

    private static let failedBit: UInt32 = 1 << 31

    init(_ decoder: WireDecoder) {
        unsafe state = unsafe decoder.state
        session = decoder.session
        container = decoder.index
        next = decoder.index + 1
    }

    private var hasFailed: Bool { packedIndex & Self.failedBit != 0 }

    private var decoder: WireDecoder { unsafe WireDecoder(state: state, session: session, index: container) }

    var codingPath: [any CodingKey] { decoder.codingPath }
    private var number: UInt32 { packedIndex & (Self.failedBit - 1) }
    var currentIndex: Int { hasFailed ? indexOfWhatFailed : Int(number) }
    var count: Int? { unsafe decoder.isAlive ? Int(state.pointee.scanner.tape.entries[Int(container)].length) : 0 }
    // An item that failed is there.
    var isAtEnd: Bool { hasFailed ? !decoder.isAlive : Int(number) >= count ?? 0 }

    /// It is found from its entry: its place in the container's word has the row's number.
    private var indexOfWhatFailed: Int {
        guard decoder.isAlive else { return 0 }
        return unsafe state.pointee.item(of: Int(container), around: Int(next)).offset
    }

    /// The place of the next item. Throws `valueNotFound` at the end.
    @inline(__always)
    private mutating func place(_ type: Any.Type) throws -> WireDecoder {
        if hasFailed { try skipWhatFailed(type) }
        guard !isAtEnd else { throw decoder.atEnd(type, index: currentIndex) }
        return unsafe WireDecoder(state: state, session: session, index: next)
    }

    @inline(never)
    private mutating func skipWhatFailed(_ type: Any.Type) throws {
        guard decoder.isAlive, unsafe state.pointee.tries.has(type, in: number) else { return }
        advance()
    }

    @inline(__always)
    private mutating func advance() {
        if hasFailed { forgetFailures() }
        next = unsafe Int32(truncatingIfNeeded: state.pointee.scanner.tape.next(after: Int(next)))
        packedIndex += 1
    }

    @inline(never)
    private mutating func forgetFailures() {
        packedIndex = UInt32(truncatingIfNeeded: indexOfWhatFailed)
    }

    @inline(__always)
    private mutating func read<Value>(_ type: Value.Type, _ body: (WireDecoder) throws -> Value) throws -> Value {
        let place = try place(type)
        do {
            let value = try body(place)
            advance()
            return value
        } catch {
            noteFailure(type)
            throw error
        }
    }

    @inline(never)
    private mutating func noteFailure(_ type: Any.Type) {
        guard decoder.isAlive else { return }
        guard let row = unsafe state.pointee.tries.row(hasFailed ? number : nil, and: type) else { return advance() }
        packedIndex = Self.failedBit | row
    }

    mutating func decodeNil() throws -> Bool {
        let place = try place(Never?.self)
        guard place.isNull else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try read(type) { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try read(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try read(type) { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try read(type) { try $0.integer() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read(type) { try $0.integer() } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type) { try $0.integer() } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // As `read` does it, but without a closure, which would be called as one in generic code.
        let place = try place(type)
        do {
            let value = try place.value(type)
            advance()
            return value
        } catch {
            noteFailure(type)
            throw error
        }
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        if isAtEnd { return try decoder.nothing() }
        return try read(Value?.self) { try $0.valueIfPresent(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try read(KeyedDecodingContainer<NestedKey>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try read((any Decoder).self) { $0 } }
}
