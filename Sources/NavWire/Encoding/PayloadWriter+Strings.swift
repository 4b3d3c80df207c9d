// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    @inline(__always)
    mutating func write(_ string: String) {
        // Where it lies, which `withUTF8` would make a copy for: that counts references.
        let written: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
            unsafe writeString(UnsafeRawBufferPointer($0))
        }
        if written == nil { writeCopy(of: string) }
    }

    @inline(never)
    private mutating func writeCopy(of string: String) {
        var string = string
        string.withUTF8 { unsafe writeString(UnsafeRawBufferPointer($0)) }
    }

    /// Writes UTF-8 text. The caller vouches that it is well formed.
    @inline(never)
    mutating func writeString(_ bytes: UnsafeRawBufferPointer) {
        let byteCount = bytes.count
        expandedByteCount &+= byteCount
        guard let start = bytes.baseAddress, Head.internedByteCounts.contains(byteCount) else {
            return unsafe writeLiteral(bytes.baseAddress, byteCount)
        }
        let hash = unsafe ByteHash.hash(start, byteCount, seed: seed)
        let name = unsafe names.find(start, byteCount, hash: hash, .whole)
        if name >= 0 { return unsafe writeName(name, start) }
        let (number, slot) = unsafe strings.find(start, byteCount, hash: hash, textSection: text.start)
        if number < 0 {
            unsafe writeFirst(start, byteCount, hash: hash, slot: slot)
        } else {
            writeSeen(number)
        }
    }

    /// A string that the document holds already.
    @inline(__always)
    private mutating func writeSeen(_ number: Int) {
        let hot = unsafe Int(strings.entries[number].hotNumber)
        if hot < 0 {
            structure.append(Head.again)
            structure.appendVarint(UInt64(truncatingIfNeeded: number))
            strings.makeHot(number)
        } else if hot < Head.inlineHotStrings {
            structure.append(Head.hotString + UInt8(truncatingIfNeeded: hot))
        } else {
            structure.append(Head.longHotString)
            structure.appendVarint(UInt64(truncatingIfNeeded: hot - Head.inlineHotStrings))
        }
    }

    @inline(__always)
    private mutating func writeFirst(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64, slot: Int) {
        let name = unsafe addName(start, byteCount, hash: hash)
        if name >= 0 { return unsafe writeName(name, start) }
        strings.add(textOffset: text.count, byteCount, hash: hash, slot: slot)
        unsafe writeLiteral(start, byteCount)
    }

    /// Finds out whether a string is written out as it stands: then it is no name, and has the place -1.
    private mutating func addName(_ start: UnsafeRawPointer, _ byteCount: Int, hash: UInt64) -> Int {
        if let symbol = unsafe symbols.number(of: start, byteCount, hash: hash) {
            return unsafe names.add(start, byteCount, hash: hash, .whole, symbol: symbol, prefix: -1)
        }
        guard let dot = unsafe DottedName.split(start, byteCount) else { return -1 }
        let prefixHash = unsafe ByteHash.hash(start, dot, seed: seed)
        var prefix = unsafe names.find(start, dot, hash: prefixHash, .prefix)
        if prefix < 0 {
            prefix = unsafe names.add(start, dot, hash: prefixHash, .prefix, symbol: -1, prefix: -1)
        }
        let (rest, restCount) = unsafe (start + dot + 1, byteCount - dot - 1)
        let restHash = unsafe ByteHash.hash(rest, restCount, seed: seed)
        let symbol = unsafe symbols.number(of: rest, restCount, hash: restHash) ?? -1
        return unsafe names.add(start, byteCount, hash: hash, .whole, symbol: symbol, prefix: prefix)
    }

    @inline(__always)
    private mutating func writeName(_ place: Int, _ start: UnsafeRawPointer) {
        let name = unsafe names.names + place
        if unsafe name.pointee.generation == generation { return unsafe writeSeen(Int(name.pointee.documentNumber)) }
        unsafe name.pointee.generation = generation
        unsafe name.pointee.documentNumber = UInt32(truncatingIfNeeded: strings.count)
        strings.addElsewhere()
        if unsafe name.pointee.prefix >= 0 { return unsafe writeParts(name, start) }
        structure.append(Head.staticString)
        unsafe structure.appendVarint(UInt64(truncatingIfNeeded: name.pointee.symbol))
    }

    @inline(__always)
    private mutating func writeLiteral(_ start: UnsafeRawPointer?, _ byteCount: Int) {
        if byteCount < Head.inlineStringBytes {
            structure.append(Head.string + UInt8(truncatingIfNeeded: byteCount))
        } else {
            structure.append(Head.longString)
            structure.appendVarint(UInt64(truncatingIfNeeded: byteCount - Head.inlineStringBytes))
        }
        if let start = unsafe start, unsafe !text.append(start, byteCount: byteCount) { failTooLarge() }
    }

    /// The part before the dot: 0 and the text when it is new, else its number and one. Then the part after it: twice
    /// the number of a static symbol, or twice the length and one, and the text.
    private mutating func writeParts(_ name: UnsafeMutablePointer<KnownNames.Name>, _ start: UnsafeRawPointer) {
        structure.append(Head.dottedString)
        let prefix = unsafe names.names + name.pointee.prefix
        let dot = unsafe prefix.pointee.byteCount
        if unsafe prefix.pointee.generation == generation {
            unsafe structure.appendVarint(UInt64(prefix.pointee.documentNumber) + 1)
        } else {
            unsafe prefix.pointee.generation = generation
            unsafe prefix.pointee.documentNumber = prefixCount
            prefixCount += 1
            structure.append(0)
            structure.appendVarint(UInt64(truncatingIfNeeded: dot))
            if unsafe !text.append(start, byteCount: dot) { failTooLarge() }
        }
        if unsafe name.pointee.symbol >= 0 {
            unsafe structure.appendVarint(UInt64(truncatingIfNeeded: name.pointee.symbol * 2))
        } else {
            let restCount = unsafe name.pointee.byteCount - dot - 1
            structure.appendVarint(UInt64(truncatingIfNeeded: restCount * 2 + 1))
            if unsafe !text.append(start + dot + 1, byteCount: restCount) { failTooLarge() }
        }
    }

    /// A URL. `base` is nil for an absolute one and for a relative one that stands alone.
    mutating func writeURL(_ relative: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer?) {
        unsafe expandedByteCount += relative.count + (base?.count ?? 0)
        if let base = unsafe base {
            structure.append(Head.rare)
            structure.append(Head.Rare.urlWithBase)
            unsafe writeText(relative)
            unsafe writeText(base)
        } else if unsafe relative.starts(with: Head.webPrefix) {
            structure.append(Head.webURL)
            unsafe writeText(UnsafeRawBufferPointer(rebasing: relative[Head.webPrefix.utf8CodeUnitCount...]))
        } else {
            structure.append(Head.rare)
            structure.append(Head.Rare.url)
            unsafe writeText(relative)
        }
    }

    mutating func writeText(_ bytes: UnsafeRawBufferPointer) {
        structure.appendVarint(UInt64(truncatingIfNeeded: bytes.count))
        if let start = bytes.baseAddress, unsafe !text.append(start, byteCount: bytes.count) { failTooLarge() }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func starts(with prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard self.count >= count, let baseAddress else { return false }
        return unsafe ByteHash.equal(baseAddress, prefix.utf8Start, count)
    }
}
