// SPDX-License-Identifier: Apache-2.0

/// The `Encoder` that a value is given: a place for one value. Three words, so that passing it on allocates nothing.
@safe
struct WireEncoder: Encoder {
    let state: UnsafeMutablePointer<EncoderState>
    let token: UInt64
    /// How many containers are around the place.
    let depth: Int32
    /// Where in the structure the value begins.
    let start: Int32

    /// The place that comes next.
    @inline(__always)
    init(next state: UnsafeMutablePointer<EncoderState>) {
        unsafe self.state = unsafe state
        token = unsafe state.pointee.writer.token
        depth = unsafe Int32(truncatingIfNeeded: state.pointee.writer.depth)
        start = unsafe Int32(truncatingIfNeeded: state.pointee.writer.structure.count)
    }

    /// A place that has become a container.
    init(_ state: UnsafeMutablePointer<EncoderState>, token: UInt64, depth: Int32) {
        unsafe self.state = unsafe state
        self.token = token
        self.depth = depth
        start = 0
    }

    /// A place in a tree.
    init(_ state: UnsafeMutablePointer<EncoderState>, node: UInt32) {
        unsafe self.state = unsafe state
        token = unsafe UInt64(state.pointee.writer.session) << 32 | UInt64(node)
        depth = 0
        start = 0
    }

    /// No place: whatever is written there throws. Asking a container with `token` for it cannot throw, so why it failed
    /// is told when something is written there and when the value is given away, unless that was long ago and the state
    /// is at another one now.
    init(nowhere state: UnsafeMutablePointer<EncoderState>, _ token: UInt64, _ error: any Error) {
        unsafe self.state = unsafe state
        if unsafe state.isCurrent(token) {
            unsafe state.pointee.writer.fail(error as? NavWireError ?? EncoderState.tooLate)
        }
        self.token = unsafe state.isCurrent(token) ? token | Self.nowhere : PayloadWriter.NoHandle.late
        depth = 0
        start = 0
    }

    /// The number of no container: so many are never begun.
    private static let nowhere: UInt64 = 0xFFFF_FFFF

    var codingPath: [any CodingKey] { unsafe state.codingPath(token, depth: Int(depth)) }
    var userInfo: [CodingUserInfoKey: Any] { unsafe state.isCurrent(token) ? state.pointee.userInfo : [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard unsafe state.pointee.writer.token == token, unsafe state.pointee.writer.structure.count == Int(start)
        else {
            return settledContainer(type)
        }
        let keyType = unsafe state.pointee.keyTypes.info(of: type) { KeyType(type) }
        if unsafe keyType.pointee.isDictionaryKey { return unsafe treeContainer(keyType, isDictionary: true) }
        unsafe state.pointee.writer.push(.object)
        return unsafe WireKeyedEncodingContainer.lend(state, keyType, token, frame: depth)
    }

    /// A container at a place that is not the one being written.
    @inline(never)
    private func settledContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard unsafe state.isCurrent(token) else { return WireKeyedEncodingContainer.late }
        let keyType = unsafe state.pointee.keyTypes.info(of: type) { KeyType(type) }
        let isDictionary = unsafe keyType.pointee.isDictionaryKey
        if isDictionary || !reopens(.object) { return unsafe treeContainer(keyType, isDictionary: isDictionary) }
        return unsafe WireKeyedEncodingContainer.lend(state, keyType, token, frame: depth)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if unsafe state.pointee.writer.token == token, unsafe state.pointee.writer.structure.count == Int(start) {
            unsafe state.pointee.writer.push(.array)
        } else if !reopens(.array) {
            becomeTree { tree throws(NavWireError) in try tree.makeUnkeyed(UInt32(truncatingIfNeeded: token)) }
        }
        return unsafe WireUnkeyedEncodingContainer(state: state, token: token, frame: depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { WireSingleEncodingContainer(encoder: self) }

    /// Writes a whole value to the place, which may no longer be the one that is being written: what made the value may
    /// have written to a container around it.
    func put(_ node: NativeNode) throws {
        if unsafe state.pointee.writer.token == token, unsafe state.pointee.writer.structure.count == Int(start) {
            return unsafe try state.pointee.writer.write(node)
        }
        guard unsafe state.isCurrent(token) else { throw EncoderState.tooLate }
        unsafe try state.pointee.moveToTree()
        unsafe try state.pointee.tree?.set(UInt32(truncatingIfNeeded: token), to: node)
    }

    /// A value that was written here and came to nothing is an empty object, as it is to `JSONEncoder`.
    @inline(__always)
    func writeEmptyObjectIfUntouched() {
        if isUntouched { unsafe state.pointee.writeEmptyObject() }
    }

    /// Whether the place is the one that is being written, and nothing is there yet.
    @inline(__always)
    var isUntouched: Bool {
        unsafe state.pointee.writer.token == token && state.pointee.writer.structure.count == Int(start)
    }

    /// Makes it a fault of the document that the place was taken away.
    func refuse(_ reason: String) -> NavWireError {
        unsafe state.isCurrent(token) ? state.pointee.writer.refuse(reason) : EncoderState.tooLate
    }

    /// Whether the place holds a container of that kind which is still open: a second request gives the same one.
    private func reopens(_ kind: PayloadWriter.Frame.Kind) -> Bool {
        guard unsafe state.isCurrent(token), unsafe state.pointee.tree == nil,
            unsafe state.pointee.isOpen(token, frame: Int(depth))
        else {
            return false
        }
        return unsafe state.pointee.writer.frames[Int(depth)].kind == kind
    }

    private func treeContainer<Key: CodingKey>(
        _ keyType: UnsafeMutablePointer<KeyType>, isDictionary: Bool
    ) -> KeyedEncodingContainer<Key> {
        becomeTree { tree throws(NavWireError) in
            try tree.makeKeyed(UInt32(truncatingIfNeeded: token), isDictionary: isDictionary)
        }
        return unsafe WireKeyedEncodingContainer.lend(state, keyType, token, frame: depth)
    }

    /// Goes on in the tree. A failure is told when the value is written, since asking for a container cannot throw.
    private func becomeTree(_ body: (TreeEncoding) throws(NavWireError) -> Void) {
        guard unsafe state.isCurrent(token) else { return }
        do throws(NavWireError) {
            unsafe try state.pointee.moveToTree()
            if let tree = unsafe state.pointee.tree { try body(tree) }
        } catch {
            unsafe state.pointee.writer.fail(error)
        }
    }
}

/// A place for one value, seen as a container.
@safe
struct WireSingleEncodingContainer: SingleValueEncodingContainer {
    let encoder: WireEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    /// Writes a scalar to the place.
    @inline(__always)
    private func write(
        _ body: (inout PayloadWriter) -> Void, _ node: @autoclosure () -> NativeNode
    ) throws {
        let state = unsafe encoder.state
        if unsafe state.pointee.writer.token == encoder.token,
            unsafe state.pointee.writer.structure.count == Int(encoder.start)
        {
            unsafe body(&state.pointee.writer)
        } else {
            try writeLate(node())
        }
    }

    @inline(never)
    private func writeLate(_ node: NativeNode) throws {
        let state = unsafe encoder.state
        guard unsafe state.isCurrent(encoder.token) else { throw EncoderState.tooLate }
        unsafe try state.pointee.moveToTree()
        unsafe try state.pointee.tree?.set(UInt32(truncatingIfNeeded: encoder.token), to: node)
    }

    func encodeNil() throws { try write({ $0.writeNull() }, .null) }
    func encode(_ value: Bool) throws { try write({ $0.write(value) }, .bool(value)) }
    func encode(_ value: String) throws { try write({ $0.write(value) }, .string(value)) }
    func encode(_ value: Double) throws { try write({ $0.write(value) }, .double(bitPattern: value.bitPattern)) }
    func encode(_ value: Float) throws {
        try write({ $0.writeFloat(bitPattern: value.bitPattern) }, .float(bitPattern: value.bitPattern))
    }
    func encode(_ value: Int) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int8) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int16) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int32) throws { try write({ $0.write(Int64(value)) }, NativeNode(value)) }
    func encode(_ value: Int64) throws { try write({ $0.write(value) }, NativeNode(value)) }
    func encode(_ value: Int128) throws { try write({ $0.write(wide: value) }, NativeNode(value)) }
    func encode(_ value: UInt) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt8) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt16) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt32) throws { try write({ $0.write(UInt64(value)) }, NativeNode(value)) }
    func encode(_ value: UInt64) throws { try write({ $0.write(value) }, NativeNode(value)) }
    func encode(_ value: UInt128) throws {
        try write({ $0.writeInteger(isNegative: false, magnitude: value) }, NativeNode(value))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let state = unsafe encoder.state
        if unsafe state.pointee.writer.token == encoder.token,
            unsafe state.pointee.writer.structure.count == Int(encoder.start)
        {
            unsafe try state.encodeHere(value)
            encoder.writeEmptyObjectIfUntouched()
        } else {
            try encodeLate(value)
        }
    }

    private func encodeLate(_ value: some Encodable) throws {
        let state = unsafe encoder.state
        guard unsafe state.isCurrent(encoder.token) else { throw EncoderState.tooLate }
        unsafe try state.pointee.moveToTree()
        unsafe try state.encodeInTree(value, node: UInt32(truncatingIfNeeded: encoder.token))
    }
}

extension NativeNode {
    init(_ value: some FixedWidthInteger) {
        if value < 0 {
            self = .integer(isNegative: true, magnitude: UInt128(truncatingIfNeeded: ~value))
        } else {
            self = .integer(isNegative: false, magnitude: UInt128(truncatingIfNeeded: value))
        }
    }
}

extension PayloadWriter {
    mutating func write(wide value: Int128) {
        if value < 0 {
            writeInteger(isNegative: true, magnitude: UInt128(truncatingIfNeeded: ~value))
        } else {
            writeInteger(isNegative: false, magnitude: UInt128(truncatingIfNeeded: value))
        }
    }
}
