// SPDX-License-Identifier: Apache-2.0

// `Codable` values inside one that writes itself. What it wrote around them has no place in a tree, which knows nothing
// of its calls, and when it fails it leaves something else than its `Codable` conformance, for whoever swallows the
// error. Most documents meet neither. One that does is written once more with every value by its `Codable` conformance,
// so that what comes out is the same by both ways, and whatever was encoded before.

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Writes a document by `body`, once more if it has to be plain.
    @inline(__always)
    func writeDocument(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            guard unsafe pointee.hasToBePlain else { throw error }
        }
        guard unsafe pointee.hasToBePlain else { return }
        unsafe pointee.beginPlainly()
        try body()
    }

    /// Writes a document that is a value which writes itself.
    @inline(__always)
    func writeDocument<Value: NavWireEncodable>(direct value: Value) throws {
        do {
            unsafe try encodeDocument(direct: value)
        } catch {
            guard unsafe pointee.hasToBePlain else { throw error }
            return unsafe try writePlainly(value, error)
        }
        if unsafe pointee.hasToBePlain { unsafe try writePlainly(value, nil) }
    }

    @inline(never)
    private func writePlainly(_ value: some NavWireEncodable, _ error: (any Error)?) throws {
        guard let value = value as? any Encodable else {
            // An error of a value's own says more than what became of the document.
            if let error, !(error is NavWireError) { throw error }
            let type = type(of: value)
            throw NavWireError(
                code: .notRepresentable,
                reason: "what \(type) holds can be written by Codable conformances only, and it has none")
        }
        unsafe pointee.beginPlainly()
        unsafe try encodeDocument(value)
        unsafe try finishTree()
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
            unsafe try encodeHere(value, type)
        } catch {
            if unsafe pointee.isAt(orWithin: place) {
                unsafe closeNested(around, start)
            } else {
                unsafe lose(Value.self)
            }
            throw error
        }
        if unsafe !pointee.isAt(orWithin: place) {
            unsafe lose(Value.self)
            unsafe try throwFault()
        }
        unsafe closeNested(around, start)
    }

    @inline(never)
    private func refuseNested(_ type: Any.Type) throws {
        throw unsafe pointee.writer.refuse("\(type) has no place: the containers around it have ended")
    }

    /// Says that a value has ended the containers around it.
    @inline(never)
    private func lose(_ type: Any.Type) {
        unsafe pointee.markAmiss("\(type) writes to containers that have ended, or end with it")
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
}
