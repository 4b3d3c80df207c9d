// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    /// Writes one element of a path: its tag, then its value.
    mutating func write(_ element: PathElement) throws(NavWireError) {
        try writeTag(element.tag)
        switch element.value {
        case .json(let value): try writeImported(value)
        case .verbatim(let text): try writeVerbatim(text)
        case .native(let value): try write(try value.node(limits: limits))
        }
    }

    mutating func writeTag(_ tag: String) throws(NavWireError) {
        if tag.utf8.count > limits.maximumTagByteCount {
            throw .tagTooLarge(tag.utf8.count, limit: limits.maximumTagByteCount)
        }
        var tag = tag
        if tag.withUTF8({ unsafe ControlCharacters.isIn(UnsafeRawBufferPointer($0)) }) {
            throw .controlCharacterInTag(at: nil)
        }
        write(tag)
    }

    private mutating func writeImported(_ value: JSONValue) throws(NavWireError) {
        let (outer, before) = (limits.maximumDepth, valueCount)
        limits.maximumDepth = limits.forImport.maximumDepth
        defer { limits.maximumDepth = outer }
        structure.append(Head.imported)
        try write(value)
        // The value itself is counted with the element.
        let count = valueCount - before + 1
        if count > NavWireLimits.importedValueCount {
            throw .tooManyValues(count, limit: NavWireLimits.importedValueCount)
        }
    }

    /// A text that is JSON after all is written as what it says: nothing has two forms.
    private mutating func writeVerbatim(_ text: String) throws(NavWireError) {
        var text = text
        if text.withUTF8({ unsafe JSONCheck.isImportable(UnsafeRawBufferPointer($0)) }) {
            return try writeImported(try JSONScanner.value(of: Array(text.utf8)))
        }
        structure.append(Head.rare)
        structure.append(Head.Rare.verbatim)
        text.withUTF8 { unsafe writeText(UnsafeRawBufferPointer($0)) }
    }
}

extension PayloadScanner {
    /// The elements of the path that was scanned.
    func elements(limits: NavWireLimits) throws(NavWireError) -> [PathElement] {
        var elements: [PathElement] = []
        let places = indices(of: 0)
        elements.reserveCapacity(places.count / 2)
        for place in stride(from: 0, to: places.count - 1, by: 2) {
            let tag = unsafe string(tape.entries[places[place]])
            elements.append(PathElement(tag: tag, value: try value(at: places[place + 1], limits)))
        }
        return elements
    }

    private func value(at index: Int, _ limits: NavWireLimits) throws(NavWireError) -> PathValue {
        let entry = unsafe tape.entries[index]
        switch entry.kind {
        case .imported: return .json(json(at: index + 1))
        case .verbatim: return .verbatim(unsafe String(decoding: payloadBytes(entry), as: UTF8.self))
        default: return .native(try NativeValue(node(at: index), limits: limits))
        }
    }
}
