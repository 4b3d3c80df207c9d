// SPDX-License-Identifier: Apache-2.0

/// A keyed container: a pointer to its slot, which outlives the call, so copies and calls count no references.
@safe
struct WireKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let slot: UnsafeMutablePointer<KeyedDecodingSlot>

    private var decoder: WireDecoder { unsafe slot.pointee.decoder }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { unsafe slot.pointee.allKeys(Key.self) }

    func contains(_ key: Key) -> Bool { unsafe slot.pointee.find(key) >= 0 }

    /// The place of a key's value. Throws `keyNotFound`.
    @inline(__always)
    private func place(_ key: Key) throws -> WireDecoder {
        let index = unsafe slot.pointee.take(key)
        guard index >= 0 else { throw decoder.keyNotFound(key) }
        return decoder.place(index)
    }

    /// The place of a key's value, or nil when there is none or it is nil.
    @inline(__always)
    private func presentPlace(_ key: Key) throws -> WireDecoder? {
        let index = unsafe slot.pointee.take(key)
        guard index >= 0 else { return try decoder.nothing() }
        let place = decoder.place(index)
        return place.isNull ? nil : place
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let index = unsafe slot.pointee.find(key)
        guard index >= 0 else { throw decoder.keyNotFound(key) }
        return decoder.place(index).isNull
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try place(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try place(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try place(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try place(key).float() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try place(key).integer() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try place(key).integer() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try place(key).integer() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try place(key).integer() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try place(key).integer() }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try place(key).integer() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try place(key).integer() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try place(key).integer() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try place(key).integer() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try place(key).integer() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try place(key).integer() }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try place(key).integer() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try place(key).value(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try presentPlace(key)?.bool() }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try presentPlace(key)?.string() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try presentPlace(key)?.double() }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try presentPlace(key)?.float() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try presentPlace(key)?.integer() }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try presentPlace(key)?.integer() }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let index = unsafe slot.pointee.take(key)
        guard index >= 0 else { return try decoder.nothing() }
        return try decoder.place(index).valueIfPresent(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try place(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try place(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { unsafe slot.pointee.superDecoder(WireKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { unsafe slot.pointee.superDecoder(key) }
}

extension WireKeyedDecodingContainer {
    /// A container for an object: one that was made before, if nobody else has it now.
    @inline(__always)
    static func lend(
        _ decoder: WireDecoder, _ keyType: UnsafeMutablePointer<KeyType>
    ) -> KeyedDecodingContainer<Key> {
        guard let box = unsafe keyType.pointee.freeBox() else { return unsafe make(decoder, keyType) }
        unsafe box.pointee.slot.assumingMemoryBound(to: KeyedDecodingSlot.self).pointee.aim(decoder)
        return unsafe unsafeBitCast(box.pointee.lender, to: Lender<KeyedDecodingContainer<Key>>.self).lend()
    }

    @inline(never)
    private static func make(
        _ decoder: WireDecoder, _ keyType: UnsafeMutablePointer<KeyType>
    ) -> KeyedDecodingContainer<Key> {
        let slot = UnsafeMutablePointer<KeyedDecodingSlot>.allocate(capacity: 1)
        unsafe slot.initialize(to: KeyedDecodingSlot(decoder, keyType))
        let container = unsafe KeyedDecodingContainer(WireKeyedDecodingContainer(slot: slot))
        // One reference to a box, which can be kept as such. Were it ever anything else, nothing is kept.
        if MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size {
            unsafe keyType.pointee.add(KeyType.Box(container, slot: UnsafeMutableRawPointer(slot)))
            if unsafe keyType.pointee.boxesAreMany { unsafe decoder.state.pointee.boxesAreMany = true }
        }
        return container
    }
}
