// SPDX-License-Identifier: Apache-2.0

// What a type that writes itself may do wrong. None of it may give bytes that nobody can read: it is a fault of the
// document, which stays when the error is swallowed.

extension NavWireWriter {
    @inline(__always)
    func isInnermost(_ place: UInt64) -> Bool { unsafe state.pointee.writer.isInnermost(place) }

    /// Throws why nothing can begin or end here.
    @inline(never)
    func refuse() throws {
        if let fault = unsafe state.pointee.writer.fault { throw fault }
        throw unsafe state.pointee.writer.refuse(due == 0 ? Self.lost : Self.uneven)
    }

    /// An item inside one that waits for its value would have that value, and this one the next.
    @inline(never)
    func refuseBeginning() { _ = unsafe state.pointee.writer.refuse(Self.uneven) }

    @inline(never)
    func refuseItem() throws {
        if unsafe due == 1 && !state.pointee.writer.isFaulty {
            throw unsafe state.pointee.writer.refuse("an item of an array was not written")
        }
        try refuse()
    }

    private static let lost = "a container of a type that writes itself was ended by another one around it"
    private static let uneven = "a type that writes itself wrote a key or item without a value, or a value without one"

    // MARK: Errors inside

    /// Ends a container that an error came out of. What is there is no use, but complete, so that a `Codable` value
    /// around it can take it back and go on.
    @usableFromInline
    @inline(never)
    mutating func abandonContainer(_ place: UInt64) {
        hasFailed = true
        writeWhatIsDue()
        if isInnermost(place) {
            unsafe state.pointee.writer.pop()
        } else {
            _ = unsafe state.pointee.writer.refuse(Self.lost)
        }
    }

    /// Ends an item that an error came out of.
    @usableFromInline
    @inline(never)
    mutating func abandonItem() {
        hasFailed = true
        writeWhatIsDue()
        if unsafe state.pointee.writer.isItemWritten { unsafe state.pointee.writer.endItem() }
    }

    private mutating func writeWhatIsDue() {
        if due == 1 { return writeNil() }
        if due != 0 { _ = unsafe state.pointee.writer.refuse(Self.uneven) }
        due = 0
    }

    // MARK: The whole value

    /// Ends a document that is this one value.
    func checkDocument(_ type: Any.Type) throws(NavWireError) {
        if let fault = unsafe state.pointee.writer.fault { throw fault }
        if unsafe due == 1 && state.pointee.writer.structure.count == 0 {
            throw NavWireError(code: .notRepresentable, reason: "\(type) wrote no value")
        }
        try checkValue(type, at: EncoderState.Place())
    }

    /// Ends a value that may have come to nothing.
    func checkValue(_ type: Any.Type, at place: EncoderState.Place) throws(NavWireError) {
        if unsafe hasFailed || !state.pointee.isAt(place) {
            throw unsafe state.pointee.writer.refuse("\(type) went on after an error inside one of its containers")
        }
        if due != 0 && due != 1 { throw unsafe state.pointee.writer.refuse("\(type): \(Self.uneven)") }
    }

    /// Ends a value that threw.
    func checkFailed(at place: EncoderState.Place) {
        if unsafe !state.pointee.isAt(place) { _ = unsafe state.pointee.writer.refuse(Self.lost) }
        if due != 0 && due != 1 { _ = unsafe state.pointee.writer.refuse(Self.uneven) }
    }
}

extension EncoderState {
    /// Where a value belongs: the container around it, and where the item begins that is open there.
    struct Place {
        var depth = 0
        var token: UInt64 = 0
        var isItemOpen = false
        var itemStart: Int32 = 0
    }

    var place: Place {
        @inline(__always) mutating get {
            guard writer.depth > 0 else { return Place() }
            let frame = unsafe writer.top
            return unsafe Place(
                depth: writer.depth, token: frame.pointee.token, isItemOpen: frame.pointee.isItemOpen,
                itemStart: frame.pointee.itemStart)
        }
    }

    /// Makes the innermost container wait for what it waited for.
    @inline(__always)
    mutating func reopen(_ place: Place) {
        let frame = unsafe writer.top
        unsafe frame.pointee.isItemOpen = place.isItemOpen
        unsafe frame.pointee.itemStart = place.itemStart
    }

    /// Whether the container is open as it was, and nothing inside it.
    mutating func isAt(_ place: Place) -> Bool { writer.depth == place.depth && isAt(orWithin: place) }

    /// Whether the container is open as it was.
    @inline(__always)
    mutating func isAt(orWithin place: Place) -> Bool {
        guard !isTree, writer.depth >= place.depth else { return false }
        guard place.depth > 0 else { return true }
        let frame = unsafe writer.frames + (place.depth &- 1)
        return unsafe frame.pointee.token == place.token && frame.pointee.isItemOpen == place.isItemOpen
            && frame.pointee.itemStart == place.itemStart
    }
}

extension PayloadWriter {
    /// Begins a container that has no handle: whoever kept one from around it, or from a value before, finds that his
    /// own is not the one being written. Returns its token.
    @inline(__always)
    mutating func pushUnshared(_ kind: Frame.Kind) -> UInt64 {
        push(kind)
        token |= Self.unshared
        unsafe top.pointee.token = token
        return token
    }

    static let unshared: UInt64 = 1 << 31

    @inline(__always)
    mutating func isInnermost(_ token: UInt64) -> Bool { unsafe depth > 0 && frames[depth &- 1].token == token }

    mutating func refuse(_ reason: String) -> NavWireError {
        let error = NavWireError(code: .notRepresentable, reason: reason)
        fail(error)
        return fault ?? error
    }
}
