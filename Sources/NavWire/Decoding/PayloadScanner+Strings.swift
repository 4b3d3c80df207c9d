// SPDX-License-Identifier: Apache-2.0

extension PayloadScanner {
    /// Reads a string whose head has been read; false, and nothing done, when it is no string's head.
    @inline(__always)
    mutating func readString(_ head: UInt8) throws(NavWireError) -> Bool {
        if head >= Head.string && head < Head.object {
            try readLiteral(Int(head - Head.string))
        } else if head >= Head.hotString && head < Head.array {
            try readHot(Int(head - Head.hotString))
        } else {
            return try readRareString(head)
        }
        return true
    }

    @inline(never)
    private mutating func readRareString(_ head: UInt8) throws(NavWireError) -> Bool {
        switch head {
        case Head.longString: try readLiteral(try readCount("the length of a string") + Head.inlineStringBytes)
        case Head.longHotString: try readHot(try readCount("the number of a string") + Head.inlineHotStrings)
        case Head.again: try readAgain()
        case Head.staticString: try readStatic()
        case Head.dottedString: try readDotted()
        default: return false
        }
        return true
    }

    /// Text that stands here; strings seen before, static and dotted ones must not.
    @inline(__always)
    mutating func readLiteral(_ byteCount: Int) throws(NavWireError) {
        let offset = try takeText(byteCount)
        if Head.internedByteCounts.contains(byteCount) {
            let text = unsafe start + offset
            let hash = unsafe ByteHash.hash(text, byteCount, seed: seed)
            let (number, slot) = unsafe strings.find(text, byteCount, hash: hash, textSection: start)
            if number >= 0 { throw .malformed("a string is written out again", at: offset) }
            if unsafe symbols.number(of: text, byteCount, hash: hash) != nil {
                throw .malformed("a static symbol is written out", at: offset)
            }
            if unsafe DottedName.split(text, byteCount) != nil {
                throw .malformed("a dotted name is written out in one piece", at: offset)
            }
            strings.add(textOffset: offset, byteCount, hash: hash, slot: slot)
            append(offset, byteCount, TapeEntry.Source.payload, seen: strings.count)
        } else {
            append(offset, byteCount, TapeEntry.Source.payload)
        }
    }

    /// - Parameter seen: The number among the strings seen, counted from one; 0 for a string that is not among them.
    @inline(__always)
    private mutating func append(_ offset: Int, _ byteCount: Int, _ source: UInt8, seen: Int = 0) {
        expandedByteCount += byteCount
        tape.append(
            TapeEntry(
                kind: .string, flag: source, length: UInt32(truncatingIfNeeded: byteCount),
                bits: UInt64(truncatingIfNeeded: seen << 32 | offset)))
    }

    @inline(__always)
    private mutating func append(seen number: Int) {
        let entry = unsafe strings.entries[number]
        append(
            Int(entry.offset), Int(entry.byteCount),
            entry.isInArena ? TapeEntry.Source.arena : TapeEntry.Source.payload, seen: number + 1)
    }

    @inline(__always)
    mutating func readHot(_ number: Int) throws(NavWireError) {
        guard number < strings.hotCount else {
            throw .malformed("string \(number) of \(strings.hotCount) used often", at: at)
        }
        unsafe append(seen: Int(strings.hot[number]))
    }

    private mutating func readAgain() throws(NavWireError) {
        let number = try readCount("the number of a string")
        guard number < strings.count else { throw .malformed("string \(number) of \(strings.count) seen", at: at) }
        guard unsafe strings.entries[number].hotNumber < 0 else {
            throw .malformed("string \(number) has a shorter number", at: at)
        }
        strings.makeHot(number)
        append(seen: number)
    }

    private mutating func readStatic() throws(NavWireError) {
        let number = try readCount("the number of a static symbol")
        guard number < symbols.count else {
            throw .malformed("static symbol \(number) of \(symbols.count)", at: at)
        }
        let symbol = unsafe symbols[number]
        guard let text = symbol.baseAddress, Head.internedByteCounts.contains(symbol.count) else {
            throw .malformed("the static symbol \(number) is too short to stand for a string", at: at)
        }
        unsafe try addWhole(text, symbol.count)
    }

    /// Adds a string to those seen and to the tape, from a place that does not last.
    private mutating func addWhole(_ text: UnsafeRawPointer, _ byteCount: Int) throws(NavWireError) {
        let hash = unsafe ByteHash.hash(text, byteCount, seed: seed)
        let (number, slot) = unsafe strings.find(text, byteCount, hash: hash, textSection: start)
        if number >= 0 { throw .malformed("a string is written out again", at: at) }
        unsafe strings.add(copying: text, byteCount, hash: hash, slot: slot)
        append(seen: strings.count - 1)
    }

    private mutating func readDotted() throws(NavWireError) {
        let place = at
        let prefix = unsafe try readPrefix()
        let reference = try readCount("the end of a name")
        let rest: UnsafeRawBufferPointer
        if reference & 1 == 0 {
            guard reference / 2 < symbols.count else {
                throw .malformed("static symbol \(reference / 2) of \(symbols.count)", at: place)
            }
            unsafe rest = unsafe symbols[reference / 2]
        } else {
            let byteCount = reference / 2
            unsafe rest = unsafe UnsafeRawBufferPointer(start: start + (try takeText(byteCount)), count: byteCount)
            let hash = unsafe ByteHash.hash(start + textAt - byteCount, byteCount, seed: seed)
            if unsafe symbols.number(of: start + textAt - byteCount, byteCount, hash: hash) != nil {
                throw .malformed("a static symbol is written out", at: place)
            }
        }
        let byteCount = prefix.count + 1 + rest.count
        guard Head.internedByteCounts.contains(byteCount) else {
            throw .malformed("a dotted name of \(byteCount) bytes", at: place)
        }
        unsafe try join(prefix, rest, at: place)
    }

    private mutating func join(
        _ prefix: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer, at place: Int
    ) throws(NavWireError) {
        // At most 64 bytes: the caller has checked.
        var name: (UInt128, UInt128, UInt128, UInt128, UInt128) = (0, 0, 0, 0, 0)
        let byteCount = prefix.count + 1 + rest.count
        var isInForm = false
        var failure: NavWireError?
        unsafe withUnsafeMutableBytes(of: &name) { name in
            unsafe name.copyMemory(from: prefix)
            unsafe name[prefix.count] = UInt8(ascii: ".")
            unsafe UnsafeMutableRawBufferPointer(rebasing: name[(prefix.count + 1)...]).copyMemory(from: rest)
            guard let start = name.baseAddress else { return }
            let hash = unsafe ByteHash.hash(start, byteCount, seed: seed)
            isInForm =
                unsafe DottedName.split(start, byteCount) == prefix.count
                && symbols.number(of: start, byteCount, hash: hash) == nil
            guard isInForm else { return }
            do throws(NavWireError) {
                try unsafe addWhole(start, byteCount)
            } catch {
                failure = error
            }
        }
        guard isInForm else { throw .malformed("a name in parts that is none", at: place) }
        if let failure { throw failure }
    }

    private mutating func readPrefix() throws(NavWireError) -> UnsafeRawBufferPointer {
        let place = at
        let reference = try readCount("the start of a name")
        if reference > 0 {
            guard reference <= prefixes.count else {
                throw .malformed("start of a name \(reference) of \(prefixes.count)", at: place)
            }
            let entry = unsafe prefixes.entries[reference - 1]
            return unsafe UnsafeRawBufferPointer(start: start + Int(entry.offset), count: Int(entry.byteCount))
        }
        let byteCount = try readCount("the length of the start of a name")
        guard Head.internedByteCounts.contains(byteCount) else {
            throw .malformed("a start of a name of \(byteCount) bytes", at: place)
        }
        let offset = try takeText(byteCount)
        let hash = unsafe ByteHash.hash(start + offset, byteCount, seed: seed)
        let (number, slot) = unsafe prefixes.find(start + offset, byteCount, hash: hash, textSection: start)
        if number >= 0 { throw .malformed("the start of a name is written out again", at: offset) }
        prefixes.add(textOffset: offset, byteCount, hash: hash, slot: slot)
        return unsafe UnsafeRawBufferPointer(start: start + offset, count: byteCount)
    }

    mutating func readURL(_ kind: TapeEntry.Kind) throws(NavWireError) {
        if isImported { throw .malformed("a native value in an imported one", at: at - 1) }
        let byteCount = try readCount("the length of a URL")
        let offset = try takeText(byteCount)
        if kind == .url,
            unsafe UnsafeRawBufferPointer(start: start + offset, count: byteCount).starts(with: Head.webPrefix)
        {
            throw .malformed("a URL that has a shorter form", at: offset)
        }
        expandedByteCount += byteCount + (kind == .webURL ? Head.webPrefix.utf8CodeUnitCount : 0)
        tape.append(
            TapeEntry(
                kind: kind, length: UInt32(truncatingIfNeeded: byteCount), bits: UInt64(truncatingIfNeeded: offset)))
    }

    mutating func readURLWithBase() throws(NavWireError) {
        let index = tape.count
        tape.append(TapeEntry(kind: .urlWithBase, bits: UInt64(truncatingIfNeeded: index + 3)))
        for _ in 0..<2 {
            let byteCount = try readCount("the length of a URL")
            append(try takeText(byteCount), byteCount, TapeEntry.Source.payload)
        }
    }

    /// The bytes of a string entry.
    func bytes(of entry: TapeEntry) -> UnsafeRawBufferPointer {
        let offset = Int(UInt32(truncatingIfNeeded: entry.bits))
        let source = unsafe entry.flag == TapeEntry.Source.arena ? UnsafeRawPointer(strings.arena.start) : start
        return unsafe UnsafeRawBufferPointer(start: source + offset, count: Int(entry.length))
    }
}
