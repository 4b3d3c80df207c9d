// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    /// The first byte of a payload.
    /// How the bytes of a finished payload are laid out.
    struct Layout {
        /// The whole payload.
        var byteCount: Int
        /// Where the shapes begin in the structure buffer; they were written behind the values.
        var shapesStart: Int
        /// The part before the fixed section, which is all that compression can gain from.
        var compressibleByteCount: Int
        /// The part up to the end of the texts.
        var textEnd: Int
    }

    /// Checks the limits, writes the shapes and says how long the payload is.
    mutating func finish() throws(NavWireError) -> Layout {
        if isFaulty, let fault { throw fault }
        let shapesStart = structure.count
        writeShapes()
        if isFaulty, let fault { throw fault }
        var head = 1 + Varint.byteCount(UInt64(truncatingIfNeeded: text.count))
        if elementCount >= 0 { head += Varint.byteCount(UInt64(truncatingIfNeeded: elementCount)) }
        let compressible = head + text.count + structure.count
        let layout = Layout(
            byteCount: compressible + fixed.count, shapesStart: shapesStart, compressibleByteCount: compressible,
            textEnd: 1 + Varint.byteCount(UInt64(truncatingIfNeeded: text.count)) + text.count)
        try checkLimits(layout)
        return layout
    }

    private mutating func checkLimits(_ layout: Layout) throws(NavWireError) {
        if layout.byteCount > limits.mostByteCount {
            throw .payloadTooLarge(layout.byteCount, limit: limits.mostByteCount)
        }
        valueCount += elementCount < 0 ? 1 : 2 * elementCount
        if valueCount > limits.maximumValueCount {
            throw .tooManyValues(valueCount, limit: limits.maximumValueCount)
        }
        if expandedByteCount > limits.maximumExpandedByteCount {
            throw .expandsTooFar(expandedByteCount, limit: limits.maximumExpandedByteCount)
        }
        if elementCount > limits.maximumElementCount, elementCount >= 0 {
            throw .tooManyElements(elementCount, limit: limits.maximumElementCount)
        }
    }

    /// Each shape: the count of its keys, then the keys. A key: twice the number of a static symbol; or twice its
    /// number in this document and one, followed by length and text where the number is used for the first time.
    private mutating func writeShapes() {
        structure.appendVarint(UInt64(truncatingIfNeeded: documentShapes.count))
        var keyCount: UInt32 = 0
        for index in 0..<documentShapes.count {
            let shape = unsafe shapes.nodes + Int(documentShapes[index])
            if unsafe shape.pointee.encodedByteCount > 0 {
                unsafe structure.append(
                    shapes.encoded.start + Int(shape.pointee.keysStart), byteCount: Int(shape.pointee.encodedByteCount))
            } else {
                writeKeys(ofShape: Int(documentShapes[index]), &keyCount)
            }
        }
    }

    private mutating func writeKeys(ofShape node: Int, _ keyCount: inout UInt32) {
        let list = unsafe shapes.keys(ofListed: node)
        structure.appendVarint(UInt64(truncatingIfNeeded: list.count))
        for place in 0..<list.count { unsafe writeKey(numbered: Int(list[place]), &keyCount) }
    }

    @inline(__always)
    private mutating func writeKey(numbered key: Int, _ keyCount: inout UInt32) {
        let entry = unsafe keys.keys + key
        let known = unsafe Int(entry.pointee.staticNumber)
        if known >= 0 { return structure.appendVarint(UInt64(truncatingIfNeeded: known * 2)) }
        let isNew = unsafe entry.pointee.generation != generation
        if isNew {
            unsafe entry.pointee.generation = generation
            unsafe entry.pointee.documentNumber = keyCount
            keyCount += 1
        }
        unsafe structure.appendVarint(UInt64(entry.pointee.documentNumber) * 2 + 1)
        if isNew {
            let bytes = unsafe keys.bytes(of: key)
            structure.appendVarint(UInt64(truncatingIfNeeded: bytes.count))
            unsafe structure.append(bytes)
        }
    }

    /// Puts the sections together. `target` has room for `layout.byteCount` bytes.
    func write(_ layout: Layout, to target: UnsafeMutableRawPointer) {
        var cursor = unsafe target
        func put(_ bytes: UnsafeRawBufferPointer) {
            if let start = bytes.baseAddress, bytes.count > 0 {
                unsafe cursor.copyMemory(from: start, byteCount: bytes.count)
            }
            unsafe cursor += bytes.count
        }
        func putVarint(_ value: UInt64) {
            var rest = value
            while rest >= 0x80 {
                unsafe cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
                unsafe cursor += 1
                rest >>= 7
            }
            unsafe cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
            unsafe cursor += 1
        }
        unsafe cursor.storeBytes(of: elementCount >= 0 ? PayloadForm.path : PayloadForm.value, as: UInt8.self)
        unsafe cursor += 1
        putVarint(UInt64(truncatingIfNeeded: text.count))
        unsafe put(text.bytes)
        let whole = unsafe structure.bytes
        unsafe put(UnsafeRawBufferPointer(rebasing: whole[layout.shapesStart...]))
        if elementCount >= 0 { putVarint(UInt64(truncatingIfNeeded: elementCount)) }
        unsafe put(UnsafeRawBufferPointer(rebasing: whole[..<layout.shapesStart]))
        unsafe put(fixed.bytes)
    }

    /// The payload so far, whatever the limits say.
    mutating func uncheckedPayload() throws(NavWireError) -> [UInt8] {
        let kept = limits
        limits = .boundless
        defer { limits = kept }
        return try payload()
    }

    /// The finished payload as an array of its own.
    mutating func payload() throws(NavWireError) -> [UInt8] {
        let layout = try finish()
        return unsafe [UInt8](unsafeUninitializedCapacity: layout.byteCount) { target, count in
            if let start = target.baseAddress { unsafe write(layout, to: UnsafeMutableRawPointer(start)) }
            count = layout.byteCount
        }
    }
}
