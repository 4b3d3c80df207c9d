// SPDX-License-Identifier: Apache-2.0

/// The `Decoder` that a value is given: one entry of the tape. Two words, so that passing it on allocates nothing.
///
/// It serves as the container of a single value too.
@safe
struct WireDecoder: Decoder, SingleValueDecodingContainer {
    let state: UnsafeMutablePointer<DecoderState>
    let session: UInt32
    /// The entry. Less than 0 is the nil that stands in for a `super` that was never written.
    let index: Int32

    @inline(__always)
    var scanner: UnsafeMutablePointer<PayloadScanner> {
        // The scanner is the state's first property.
        unsafe UnsafeMutableRawPointer(state).assumingMemoryBound(to: PayloadScanner.self)
    }

    /// Whether the call that made this handle is still running.
    ///
    /// Looked at before anything else of the state, which another thread may be using by now when it is not. To read one
    /// number there is harmless: states are never freed, so it stays an aligned word of its own, and whatever a call of
    /// another thread writes to it is not the number of the call that made the handle, which comes only once.
    @inline(__always)
    var isAlive: Bool { unsafe state.pointee.session == session }

    @inline(__always)
    var entry: TapeEntry { unsafe scanner.pointee.tape.entries[Int(index)] }

    @inline(__always)
    func place(_ index: Int32) -> WireDecoder {
        unsafe WireDecoder(state: state, session: session, index: index)
    }

    var codingPath: [any CodingKey] {
        guard isAlive else { return [] }
        return unsafe index >= 0
            ? state.pointee.codingPath(to: Int(index)) : state.pointee.codingPath(toMissing: index)
    }
    var userInfo: [CodingUserInfoKey: Any] { unsafe isAlive ? state.pointee.userInfo : [:] }

    @inline(__always)
    var isNull: Bool {
        guard isAlive, index >= 0 else { return true }
        let kind = entry.kind
        return kind == .null || kind == .nestedNull
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard isAlive, index >= 0, entry.kind == .object || entry.kind == .map else {
            throw mismatch([String: Any].self)
        }
        let keyType = unsafe state.pointee.keyTypes.info(of: type) { KeyType(type) }
        if unsafe keyType.pointee.epoch != scanner.pointee.keyEpoch {
            unsafe keyType.pointee.forgetNumbers(epoch: scanner.pointee.keyEpoch)
        }
        return unsafe WireKeyedDecodingContainer.lend(self, keyType)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard isAlive, index >= 0 else { throw mismatch([Any].self) }
        switch entry.kind {
        case .array, .pairs, .set: return WireUnkeyedDecodingContainer(self)
        default: throw mismatch([Any].self)
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try forwardedString() }
    func decode(_ type: Double.Type) throws -> Double { try forwardedDouble() }
    func decode(_ type: Float.Type) throws -> Float { try forwardedFloat() }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    func decodeErased(_ type: any Decodable.Type) throws -> any Decodable { try value(type) }

    // MARK: Errors

    @inline(never)
    func mismatch(_ type: Any.Type) -> any Error {
        guard isAlive else { return Self.tooLate }
        guard index >= 0, !isNull else {
            return DecodingError.valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "Cannot get value of type \(type) -- found nil"))
        }
        return DecodingError.typeMismatch(
            type,
            .init(
                codingPath: codingPath,
                debugDescription: "Expected to decode \(type) but found \(entry.kind.description) instead."))
    }

    @inline(never)
    func corrupted(_ description: String) -> any Error {
        DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
    }

    @inline(never)
    func keyNotFound(_ key: some CodingKey) -> any Error {
        guard isAlive else { return Self.tooLate }
        return DecodingError.keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    @inline(never)
    func atEnd(_ type: Any.Type, index: Int) -> any Error {
        guard isAlive else { return Self.tooLate }
        return DecodingError.valueNotFound(
            type,
            .init(codingPath: codingPath + [WireKey(index: index)], debugDescription: "Unkeyed container is at end."))
    }

    /// What is found where nothing was written: nil, unless the time to look is over.
    @inline(__always)
    func nothing<Value>() throws -> Value? {
        guard isAlive else { throw Self.tooLate }
        return nil
    }

    static let tooLate = NavWireError(
        code: .notRepresentable, reason: "a decoder was used after the call that made it had returned")
}

extension TapeEntry.Kind {
    /// For people.
    var description: String {
        switch self {
        case .null, .nestedNull: "nil"
        case .bool: "a Boolean"
        case .integer, .wideInteger: "an integer"
        case .half, .float, .double: "a floating-point number"
        case .decimal, .longDecimal, .decimalNaN, .negativeZero: "a decimal number"
        case .string, .verbatim: "a string"
        case .uuid: "a UUID"
        case .date: "a date"
        case .data: "data"
        case .webURL, .url, .urlWithBase: "a URL"
        case .array, .pairs, .set: "an array"
        case .object, .map: "a dictionary"
        case .imported: "an imported value"
        }
    }
}
