// SPDX-License-Identifier: Apache-2.0

/// What a ``NavWireCodable`` type writes itself to.
///
/// Each value is written once: at the top, as an item of an array, or under a key of an object. Where keys, items and
/// values do not match, or an error from inside was swallowed, the container or the call throws at its end. A writer is
/// of use only during the call that it was passed to.
///
/// The functions that take closures are inlined into the caller, so that a type's whole `write(to:)` becomes a row of
/// calls with nothing generic between them.
@safe
public struct NavWireWriter: ~Copyable {
    let state: UnsafeMutablePointer<EncoderState>
    /// The numbers of the keys of the innermost object, by their place.
    private var keys: UnsafeMutablePointer<Int32>
    private var keyCount = 0
    /// How many values are still to be written before anything else may begin or end: one when there is a place for one.
    var due = 1
    /// Whether an error came out of a container: what was written there is lost, so nothing can be given away.
    var hasFailed = false

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
        do {
            try body(&self)
        } catch {
            abandonObject(outer)
            throw error
        }
        try endObject(outer)
    }

    /// Writes a keyed value under a key.
    @inlinable
    public mutating func object(
        _ keys: NavWireKeys, _ key: Int, _ body: (inout NavWireWriter) throws -> Void
    ) throws {
        writeKey(key)
        try object(keys, body)
    }

    /// Writes the items of a sequence as an array; `write` writes one.
    ///
    /// In the order of the sequence. Sets and dictionaries are no arrays on the wire: they are written by `write(encodable:)`,
    /// which puts them in order.
    @inlinable
    public mutating func array<Items: Sequence>(
        _ items: Items, _ write: (inout NavWireWriter, Items.Element) throws -> Void
    ) throws {
        let place = try beginArray()
        do {
            for item in items {
                beginItem()
                try write(&self, item)
                try endItem()
            }
        } catch {
            abandonItem()
            abandonContainer(place)
            throw error
        }
        try endArray(place)
    }

    /// Writes an array whose items are of several kinds; `body` calls ``item(_:)`` for each.
    @inlinable
    public mutating func array(_ body: (inout NavWireWriter) throws -> Void) throws {
        let place = try beginArray()
        do {
            try body(&self)
        } catch {
            abandonContainer(place)
            throw error
        }
        try endArray(place)
    }

    /// Writes the next item of the array that is being written; `write` writes one value.
    @inlinable
    public mutating func item(_ write: (inout NavWireWriter) throws -> Void) throws {
        beginItem()
        do {
            try write(&self)
        } catch {
            abandonItem()
            throw error
        }
        try endItem()
    }

    /// The keys of the object around the one that is being written, and the token of that one.
    @usableFromInline
    @safe
    struct Outer {
        fileprivate let keys: UnsafeMutablePointer<Int32>
        fileprivate let keyCount: Int
        fileprivate let place: UInt64
    }

    @usableFromInline
    mutating func beginObject(_ keys: NavWireKeys) throws -> Outer {
        due &-= 1
        let known = unsafe state.pointee.directKeys.known(keys, &state.pointee.writer.keys)
        let place = unsafe state.pointee.writer.pushUnshared(.object)
        if unsafe due != 0 || state.pointee.writer.isFaulty { try refuse() }
        let outer = unsafe Outer(keys: self.keys, keyCount: keyCount, place: place)
        unsafe self.keys = unsafe known.pointee.numbers
        keyCount = keys.count
        return outer
    }

    /// Throws what an error inside left behind, also when somebody swallowed that.
    @usableFromInline
    mutating func endObject(_ outer: Outer) throws {
        // First, since whoever swallows the error goes on with the keys of the object around.
        unsafe (keys, keyCount) = unsafe (outer.keys, outer.keyCount)
        if unsafe due != 0 || state.pointee.writer.isFaulty || !isInnermost(outer.place) { try refuse() }
        unsafe state.pointee.writer.endObject()
    }

    @usableFromInline
    mutating func abandonObject(_ outer: Outer) {
        abandonContainer(outer.place)
        unsafe (keys, keyCount) = unsafe (outer.keys, outer.keyCount)
    }

    @usableFromInline
    mutating func beginArray() throws -> UInt64 {
        due &-= 1
        let place = unsafe state.pointee.writer.pushUnshared(.array)
        if unsafe due != 0 || state.pointee.writer.isFaulty { try refuse() }
        return place
    }

    @usableFromInline
    mutating func beginItem() {
        due &+= 1
        if due != 1 { refuseBeginning() }
        unsafe state.pointee.writer.beginItemOfArray()
    }

    @usableFromInline
    mutating func endItem() throws {
        if unsafe due != 0 || state.pointee.writer.isFaulty || !state.pointee.writer.isItemWritten { try refuseItem() }
        unsafe state.pointee.writer.endItem()
    }

    @usableFromInline
    mutating func endArray(_ place: UInt64) throws {
        if unsafe due != 0 || state.pointee.writer.isFaulty || !isInnermost(place) { try refuse() }
        unsafe state.pointee.writer.endItems()
    }

    /// Says that the next value belongs to a key. The overloads that take a key do this themselves.
    public mutating func writeKey(_ key: Int) {
        precondition(UInt(bitPattern: key) < UInt(bitPattern: keyCount), "the type has no such key")
        due &+= 1
        unsafe state.pointee.writer.writeKeyOfObject(Int(keys[key]))
    }
}
