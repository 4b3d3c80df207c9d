// SPDX-License-Identifier: Apache-2.0

// `Codable` values inside one that writes itself. What it wrote around them has no place in a tree, which knows nothing
// of its calls. Most values need none; one that does turns the document into a tree all the same, and then the document
// is written once more with each such value apart, in a document of its own. The type is remembered, and its values are
// written apart from the start next time.

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Writes a document by `body`, once more if it has to be with care.
    @inline(__always)
    func writeDocument(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            guard unsafe pointee.care == .wanted else { throw error }
            unsafe pointee.beginWithCare()
            try body()
        }
    }

    /// Encodes a `Codable` value from within a direct one.
    func encodeNested<Value: Encodable>(in value: Value) throws {
        if unsafe pointee.isTree || pointee.writer.isFaulty { unsafe try refuseNested(Value.self) }
        let type = unsafe pointee.valueTypes.info(of: Value.self) { EncodedType(Value.self) }
        if unsafe type.pointee.kind.isLeaf { return unsafe writeLeaf(value, type.pointee.kind) }
        let start = unsafe pointee.writer.structure.count
        // The value may be all that the direct one is: then the item it belongs to is open already, and stays so.
        let around = unsafe pointee.place
        unsafe pointee.openItem()
        let place = unsafe pointee.place
        do {
            if unsafe type.pointee.isWrittenApart || (pointee.care == .taken && type.pointee.kind != .direct) {
                unsafe try encodeApart(value)
            } else {
                unsafe try encodeHere(value, type)
            }
        } catch {
            if unsafe pointee.isAt(orWithin: place) {
                unsafe closeNested(around, start)
            } else {
                unsafe endLost(type, Value.self, error)
            }
            throw error
        }
        if unsafe !pointee.isAt(orWithin: place) {
            unsafe wantCare(type)
            throw unsafe pointee.writer.refuse("\(Value.self) writes to containers that have ended, or end with it")
        }
        unsafe closeNested(around, start)
    }

    @inline(never)
    private func refuseNested(_ type: Any.Type) throws {
        throw unsafe pointee.writer.refuse("\(type) has no place: the containers around it have ended")
    }

    /// Writes a value that needs a tree, which then is that of another document.
    @inline(never)
    private func encodeApart(_ value: some Encodable) throws {
        let slot = unsafe WireEncoder(next: self)
        let node = unsafe try NativeNode.apart(slot, key: nil, levels: 0) { state throws in
            unsafe try state.encodePart(value)
        }
        if let node { try slot.put(node) }
    }

    @inline(__always)
    private func closeNested(_ around: EncoderState.Place, _ start: Int) {
        while unsafe pointee.writer.depth > around.depth {
            unsafe pointee.closeItem()
            unsafe pointee.writer.pop()
        }
        if around.depth > 0 { unsafe pointee.reopen(around) }
        if unsafe pointee.writer.structure.count == start { unsafe pointee.writeEmptyObject() }
    }

    /// Ends a value that failed after the containers around it had ended. Nothing can be given away any more, even if the
    /// error is not passed on.
    @inline(never)
    private func endLost(_ type: UnsafeMutablePointer<EncodedType>, _ swiftType: Any.Type, _ error: any Error) {
        unsafe wantCare(type)
        unsafe pointee.writer.fail(
            error as? NavWireError
                ?? NavWireError(
                    code: .notRepresentable, reason: "a \(swiftType) inside a type that writes itself failed: \(error)"
                ))
    }

    /// Only of the innermost type around what went wrong: those around it may be as straight as any.
    private func wantCare(_ type: UnsafeMutablePointer<EncodedType>) {
        guard unsafe pointee.isTree, unsafe pointee.care == .none else { return }
        unsafe pointee.care = .wanted
        unsafe type.pointee.isWrittenApart = unsafe type.pointee.kind != .direct
    }
}
