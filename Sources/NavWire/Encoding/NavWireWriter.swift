// SPDX-License-Identifier: Apache-2.0

/// What a ``NavWireCodable`` type writes itself to.
///
/// Each value is written once: at the top, as an item of an array, or under a key of an object. A writer is of use
/// only during the call that it was passed to.
///
/// The functions that take closures are inlined into the caller, so that a type's whole `write(to:)` becomes a row of
/// calls with nothing generic between them.
@safe
public struct NavWireWriter: ~Copyable {
    let state: UnsafeMutablePointer<EncoderState>
    /// The numbers of the keys of the innermost object, by their place.
    private var keys: UnsafeMutablePointer<Int32>
    private var keyCount = 0

    init(_ state: UnsafeMutablePointer<EncoderState>) {
        unsafe self.state = unsafe state
        unsafe keys = unsafe state.pointee.noKeys
    }

    /// Ends a call to which this writer was passed. One that was swapped for the writer of another call would outlive it.
    func checkIsWriter(of state: UnsafeMutablePointer<EncoderState>) {
        precondition(unsafe self.state == state, "the writer of one value was put in the place of another's")
    }

    // MARK: Containers

    /// Writes a keyed value; `body` writes its members.
    @inlinable
    public mutating func object(_ keys: NavWireKeys, _ body: (inout NavWireWriter) throws -> Void) throws {
        let outer = try beginObject(keys)
        try body(&self)
        try endObject(outer)
    }

    /// Writes a keyed value under a key.
    @inlinable
    public mutating func object(
        _ keys: NavWireKeys, _ key: Int, _ body: (inout NavWireWriter) throws -> Void
    ) throws {
        writeKey(key)
        let outer = try beginObject(keys)
        try body(&self)
        try endObject(outer)
    }

    /// Writes the items of a sequence as an array; `write` writes one.
    @inlinable
    public mutating func array<Items: Sequence>(
        _ items: Items, _ write: (inout NavWireWriter, Items.Element) throws -> Void
    ) throws {
        try beginArray()
        for item in items {
            beginItem()
            try write(&self, item)
            try endItem()
        }
        try endArray()
    }

    /// Writes an array whose items are of several kinds; `body` calls ``item(_:)`` for each.
    @inlinable
    public mutating func array(_ body: (inout NavWireWriter) throws -> Void) throws {
        try beginArray()
        try body(&self)
        try endArray()
    }

    /// Writes the next item of the array that is being written; `write` writes one value.
    @inlinable
    public mutating func item(_ write: (inout NavWireWriter) throws -> Void) throws {
        beginItem()
        try write(&self)
        try endItem()
    }

    /// The keys of the object around the one that is being written.
    @usableFromInline
    @safe
    struct Outer {
        fileprivate let keys: UnsafeMutablePointer<Int32>
        fileprivate let keyCount: Int
    }

    @usableFromInline
    mutating func beginObject(_ keys: NavWireKeys) throws -> Outer {
        let outer = unsafe Outer(keys: self.keys, keyCount: keyCount)
        let known = unsafe state.pointee.directKeys.known(keys, &state.pointee.writer.keys)
        unsafe self.keys = unsafe known.pointee.numbers
        keyCount = keys.count
        unsafe state.pointee.writer.push(.object)
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        return outer
    }

    /// Throws what an error inside left behind, also when somebody swallowed that.
    @usableFromInline
    mutating func endObject(_ outer: Outer) throws {
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        unsafe state.pointee.writer.endObject()
        unsafe (keys, keyCount) = unsafe (outer.keys, outer.keyCount)
    }

    @usableFromInline
    mutating func beginArray() throws {
        unsafe state.pointee.writer.push(.array)
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
    }

    @usableFromInline
    mutating func beginItem() {
        unsafe state.pointee.writer.beginItemOfArray()
    }

    @usableFromInline
    mutating func endItem() throws {
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        unsafe state.pointee.writer.endItemOfArray()
    }

    @usableFromInline
    mutating func endArray() throws {
        if unsafe state.pointee.writer.isFaulty { try throwFault() }
        unsafe state.pointee.writer.endItems()
    }

    /// Says that the next value belongs to a key. The overloads that take a key do this themselves.
    public mutating func writeKey(_ key: Int) {
        precondition(UInt(bitPattern: key) < UInt(bitPattern: keyCount), "the type has no such key")
        unsafe state.pointee.writer.writeKeyOfObject(Int(keys[key]))
    }

    @inline(never)
    private func throwFault() throws {
        if let fault = unsafe state.pointee.writer.fault { throw fault }
    }
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Encodes a `Codable` value from within a direct one.
    func encodeNested<Value: Encodable>(in value: Value) throws {
        let count = unsafe pointee.writer.depth
        let start = unsafe pointee.writer.structure.count
        unsafe pointee.openItem()
        do {
            unsafe try encodeHere(value)
            if unsafe pointee.isTree {
                throw NavWireError(
                    code: .notRepresentable, reason: "\(Value.self) writes to containers that have ended")
            }
        } catch {
            unsafe failNested(Value.self, error, depth: count)
            throw error
        }
        while unsafe pointee.writer.depth > count {
            unsafe pointee.closeItem()
            unsafe pointee.writer.pop()
        }
        if count > 0 { unsafe pointee.writer.frames[count - 1].isItemOpen = false }
        if unsafe pointee.writer.structure.count == start { unsafe pointee.writeEmptyObject() }
    }

    /// What was written around the value is lost with it: nothing can be given away any more, even if the error is not
    /// passed on. The containers of the type that writes itself are those that it believes to be open.
    @inline(never)
    private func failNested(_ type: Any.Type, _ error: any Error, depth: Int) {
        unsafe pointee.writer.depth = depth
        unsafe pointee.writer.fail(
            error as? NavWireError
                ?? NavWireError(
                    code: .notRepresentable, reason: "a \(type) inside a type that writes itself failed: \(error)"))
    }
}
