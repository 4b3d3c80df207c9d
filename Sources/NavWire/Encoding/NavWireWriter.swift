// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// What a ``NavWireCodable`` type writes itself to.
///
/// Each value is written once: at the top, as an item of an array, or under a key of an object. A writer is of use
/// only during the call that it was passed to.
@safe
public struct NavWireWriter: ~Copyable {
    let state: UnsafeMutablePointer<EncoderState>
    private var keys: UnsafeMutablePointer<Int32>
    private var keyCount = 0
    private var names: Unmanaged<NavWireKeys>?

    init(_ state: UnsafeMutablePointer<EncoderState>) {
        unsafe self.state = unsafe state
        unsafe keys = unsafe state.pointee.noKeys
        unsafe names = nil
    }

    // MARK: Containers

    /// Writes a keyed value; `body` writes its members.
    @inline(__always)
    public mutating func object(_ keys: NavWireKeys, _ body: (inout NavWireWriter) throws -> Void) throws {
        let outer = unsafe (self.keys, keyCount, names)
        unsafe self.keys = unsafe state.pointee.numbers(of: keys)
        unsafe names = unsafe Unmanaged.passUnretained(keys)
        keyCount = keys.names.count
        unsafe state.pointee.writer.push(.object)
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        try body(&self)
        unsafe state.pointee.writer.endObject()
        unsafe (self.keys, keyCount, names) = unsafe outer
    }

    /// Writes a keyed value under a key.
    @inline(__always)
    public mutating func object(
        _ keys: NavWireKeys, _ key: Int, _ body: (inout NavWireWriter) throws -> Void
    ) throws {
        writeKey(key)
        try object(keys, body)
    }

    /// Writes the items of a sequence as an array.
    @inline(__always)
    public mutating func array<Items: Sequence>(
        _ items: Items, _ write: (inout NavWireWriter, Items.Element) throws -> Void
    ) throws {
        unsafe state.pointee.writer.push(.array)
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        for item in items {
            unsafe state.pointee.writer.beginItem()
            try write(&self, item)
            unsafe state.pointee.writer.endItem()
        }
        unsafe state.pointee.writer.endItems()
    }

    /// Says that the next value belongs to a key. The overloads that take a key do this themselves.
    @inline(__always)
    public mutating func writeKey(_ key: Int) {
        precondition(UInt(bitPattern: key) < UInt(bitPattern: keyCount), "the type has no such key")
        let number = unsafe keys[key]
        unsafe state.pointee.writer.writeKey(number >= 0 ? Int(number) : ask(key))
    }

    @inline(never)
    private func ask(_ key: Int) -> Int {
        guard let names = unsafe names?.takeUnretainedValue() else { return 0 }
        let number = unsafe state.pointee.writer.keys.number(of: names.names[key])
        unsafe keys[key] = Int32(truncatingIfNeeded: number)
        return number
    }

    @inline(never)
    private func throwFault() throws {
        if let fault = unsafe state.pointee.writer.fault { throw fault }
    }

    // MARK: Values

    public mutating func writeNil() { unsafe state.pointee.writer.writeNull() }
    public mutating func write(_ value: Bool) { unsafe state.pointee.writer.write(value) }
    public mutating func write(_ value: Int) { unsafe state.pointee.writer.write(Int64(value)) }
    public mutating func write(_ value: UInt64) { unsafe state.pointee.writer.write(value) }
    public mutating func write(_ value: Double) { unsafe state.pointee.writer.write(value) }
    public mutating func write(_ value: Float) { unsafe state.pointee.writer.writeFloat(bitPattern: value.bitPattern) }
    public mutating func write(_ value: String) { unsafe state.pointee.writer.write(value) }
    public mutating func write(_ value: UUID) {
        unsafe state.pointee.writer.writeUUID(unsafeBitCast(value, to: UInt128.self))
    }
    public mutating func write(_ value: Date) {
        unsafe state.pointee.writer.writeDate(value.timeIntervalSinceReferenceDate)
    }
    public mutating func write(_ value: Data) {
        unsafe value.withUnsafeBytes { unsafe state.pointee.writer.writeData($0) }
    }
    public mutating func write(_ value: URL) { unsafe state.pointee.writer.write(value) }
    public mutating func write(_ value: [String]) throws { try array(value) { $0.write($1) } }
    public mutating func write(_ value: some NavWireCodable) throws { try value.write(to: &self) }

    /// Any other value, by way of its `Codable` conformance.
    public mutating func write(encodable value: some Encodable) throws { unsafe try state.encodeNested(in: value) }

    public mutating func write(_ value: Bool, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Int, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: UInt64, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Double, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: String, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: UUID, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: Date, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: URL, _ key: Int) {
        writeKey(key)
        write(value)
    }
    public mutating func write(_ value: [String], _ key: Int) throws {
        writeKey(key)
        try write(value)
    }
    public mutating func write(_ value: some NavWireCodable, _ key: Int) throws {
        writeKey(key)
        try value.write(to: &self)
    }
    public mutating func write(encodable value: some Encodable, _ key: Int) throws {
        writeKey(key)
        try write(encodable: value)
    }
}

extension EncoderState {
    /// The numbers of a type's keys by their place, -1 while unknown.
    @inline(__always)
    mutating func numbers(of keys: NavWireKeys) -> UnsafeMutablePointer<Int32> {
        unsafe directKeys.info(at: UInt(bitPattern: Unmanaged.passUnretained(keys).toOpaque())) {
            DirectKeys(keys)
        }
        .pointee.numbers
    }
}

/// The numbers of the keys of one `NavWireKeys`, which it keeps alive: its address is what it is found by.
@safe
struct DirectKeys {
    private let keys: NavWireKeys
    let numbers: UnsafeMutablePointer<Int32>

    init(_ keys: NavWireKeys) {
        self.keys = keys
        unsafe numbers = .allocate(capacity: max(1, keys.names.count))
        unsafe numbers.initialize(repeating: -1, count: max(1, keys.names.count))
    }

    func forgetNumbers() { unsafe numbers.update(repeating: -1, count: max(1, keys.names.count)) }
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Encodes a `Codable` value from within a direct one.
    func encodeNested<Value: Encodable>(in value: Value) throws {
        let count = unsafe pointee.writer.depth
        unsafe pointee.openItem()
        unsafe try encodeHere(value)
        if unsafe pointee.isTree {
            throw NavWireError(code: .notRepresentable, reason: "\(Value.self) writes to containers that have ended")
        }
        while unsafe pointee.writer.depth > count {
            unsafe pointee.closeItem()
            unsafe pointee.writer.pop()
        }
        if count > 0 { unsafe pointee.writer.frames[count - 1].isItemOpen = false }
    }
}
