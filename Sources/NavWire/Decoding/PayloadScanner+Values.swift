// SPDX-License-Identifier: Apache-2.0

extension PayloadScanner {
    /// The elements of a path: tag and value, tag and value.
    mutating func readElements() throws(NavWireError) {
        let count = try readCount("the count of elements")
        guard count <= limits.maximumElementCount else {
            throw .tooManyElements(count, limit: limits.maximumElementCount)
        }
        valueCount += 2 * count
        try checkValueCount()
        tape.append(TapeEntry(kind: .array, length: UInt32(truncatingIfNeeded: 2 * count)))
        for _ in 0..<count {
            try readTag()
            try readElementValue()
        }
        unsafe tape.entries[0].bits = UInt64(truncatingIfNeeded: tape.count)
    }

    private mutating func readTag() throws(NavWireError) {
        let place = at
        let head = try readByte("a tag")
        guard try readString(head) else { throw .malformed("a tag is not a string", at: place) }
        let byteCount = unsafe Int(tape.entries[tape.count - 1].length)
        guard byteCount <= limits.maximumTagByteCount else {
            throw .tagTooLarge(byteCount, limit: limits.maximumTagByteCount)
        }
        if unsafe ControlCharacters.isIn(bytes(of: tape.entries[tape.count - 1])) {
            throw .controlCharacterInTag(at: place)
        }
    }

    private mutating func readElementValue() throws(NavWireError) {
        guard at < fixedStart else { throw .truncated("an element", at: at) }
        let head = unsafe start.load(fromByteOffset: at, as: UInt8.self)
        if head == Head.imported {
            at += 1
            let wrapper = tape.count
            tape.append(TapeEntry(kind: .imported, length: 1))
            try readImported()
            unsafe tape.entries[wrapper].bits = UInt64(truncatingIfNeeded: tape.count)
        } else if head == Head.rare, fixedStart - at > 1,
            unsafe start.load(fromByteOffset: at + 1, as: UInt8.self) == Head.Rare.verbatim
        {
            at += 2
            let byteCount = try readCount("the length of an item")
            let offset = try takeText(byteCount)
            if unsafe JSONCheck.isImportable(UnsafeRawBufferPointer(start: start + offset, count: byteCount)) {
                throw .malformed("an item that is JSON is kept verbatim", at: offset)
            }
            tape.append(
                TapeEntry(
                    kind: .verbatim, length: UInt32(truncatingIfNeeded: byteCount),
                    bits: UInt64(truncatingIfNeeded: offset)))
        } else {
            try readValueInFrames()
        }
    }

    /// A value that was imported, within what the format allows of that.
    private mutating func readImported() throws(NavWireError) {
        let (outer, before) = (limits.maximumDepth, valueCount)
        limits.maximumDepth = limits.forImport.maximumDepth
        isImported = true
        try readValueInFrames()
        isImported = false
        limits.maximumDepth = outer
        // The value itself is counted with the element.
        let count = valueCount - before + 1
        guard count <= NavWireLimits.importedValueCount else {
            throw .tooManyValues(count, limit: NavWireLimits.importedValueCount)
        }
    }

    /// The one value of a value payload.
    mutating func readValue() throws(NavWireError) {
        valueCount += 1
        try checkValueCount()
        try readValueInFrames()
    }

    /// One value and all that is in it.
    private mutating func readValueInFrames() throws(NavWireError) {
        repeat {
            if try readOne() { continue }
            while depth > 0, try endItem() {}
        } while depth > 0
    }

    /// Reads one head and what belongs to it. Whether that began a container, which is left open for its items.
    ///
    /// One `switch` over all heads: every further one costs a jump that the processor cannot foresee.
    @inline(__always)
    private mutating func readOne() throws(NavWireError) -> Bool {
        let head = try readByte("a value")
        if depth > 0 {
            let frame = unsafe frames + (depth - 1)
            unsafe frame.pointee.item = Int32(truncatingIfNeeded: tape.count)
            unsafe frame.pointee.itemHead = UInt16(head)
        }
        switch head {
        case Head.integer..<Head.string: tape.append(TapeEntry(kind: .integer, bits: UInt64(head)))
        case Head.string..<Head.object: try readLiteral(Int(head - Head.string))
        case Head.object..<Head.hotString: return try beginObject(Int(head - Head.object))
        case Head.hotString..<Head.array: try readHot(Int(head - Head.hotString))
        case Head.array..<Head.longArray: return try begin(.array, count: Int(head - Head.array))
        case Head.null: tape.append(TapeEntry(kind: .null))
        case Head.no, Head.yes: tape.append(TapeEntry(kind: .bool, bits: UInt64(head - Head.no)))
        case Head.integer1...Head.date: try readBody(head)
        default: return try readLess(head)
        }
        return false
    }

    /// The heads of what is long or rare.
    @inline(never)
    private mutating func readLess(_ head: UInt8) throws(NavWireError) -> Bool {
        switch head {
        case Head.longArray:
            return try begin(.array, count: try readCount("the count of an array") + Head.inlineItems)
        case Head.longObject: return try beginObject(try readCount("the number of a shape") + Head.inlineShapes)
        case Head.map: return try beginNative(.map, count: 2 * (try readCount("the count of a map")))
        case Head.run: try readRun()
        case Head.bits: try readBits()
        case Head.data: try readData()
        case Head.webURL: try readURL(.webURL)
        case Head.rare: return try readRare()
        default:
            guard try readString(head) else { throw .malformed("0x\(String(head, radix: 16)) is no head", at: at - 1) }
        }
        return false
    }

    // MARK: Containers

    @inline(__always)
    private mutating func beginObject(_ number: Int) throws(NavWireError) -> Bool {
        guard number < documentShapes.count else {
            throw .malformed("shape \(number) of \(documentShapes.count)", at: at - 1)
        }
        if isImported { try checkSorted(number) }
        let shape = unsafe documentShapes.start + number
        unsafe expandedByteCount += Int(shape.pointee.keyByteCount)
        return unsafe try begin(.object, count: Int(shape.pointee.keyCount), shape: number)
    }

    @inline(never)
    private mutating func checkSorted(_ shape: Int) throws(NavWireError) {
        var known = documentShapes[shape]
        if known.order == .unknown {
            let numbers = unsafe shapeKeys.elements(Int(known.firstKey), count: Int(known.keyCount))
            let isSorted = unsafe zip(numbers, numbers.dropFirst()).allSatisfy {
                unsafe keys.bytes(of: Int($0)).lexicographicallyPrecedes(keys.bytes(of: Int($1)))
            }
            known.order = isSorted ? .sorted : .unsorted
            documentShapes[shape] = known
        }
        if known.order == .unsorted {
            throw .malformed("the keys of an imported object are not in order", at: at - 1)
        }
    }

    mutating func beginNative(_ kind: TapeEntry.Kind, count: Int) throws(NavWireError) -> Bool {
        if isImported { throw .malformed("a native value in an imported one", at: at - 1) }
        return try begin(kind, count: count)
    }

    /// Begins a container, and ends it at once when it has no items. Whether it is left open.
    @inline(__always)
    private mutating func begin(_ kind: TapeEntry.Kind, count: Int, shape: Int = 0) throws(NavWireError) -> Bool {
        // Each item takes a byte at least.
        guard count <= fixedStart - at else { throw .truncated("a container of \(count) items", at: fixedStart) }
        valueCount += count
        try checkValueCount()
        if depth >= limits.maximumDepth { throw .tooDeep(limit: limits.maximumDepth) }
        let entry = Int32(truncatingIfNeeded: tape.count)
        tape.append(
            TapeEntry(
                kind: kind, length: UInt32(truncatingIfNeeded: count),
                bits: UInt64(truncatingIfNeeded: shape) << 32 | UInt64(truncatingIfNeeded: tape.count + 1)))
        if count == 0 {
            if kind == .object { try noteShape(shape) }
            return false
        }
        if !hasFreeFrame { growFrames() }
        unsafe frames[depth] = Frame(
            kind: kind, entry: entry, remaining: Int32(truncatingIfNeeded: count),
            uniform: ItemHead.none, itemHead: 0, previous: -1, item: 0)
        depth += 1
        return true
    }

    /// Called when a value has been read: counts it in its container, and ends that when it was the last. Whether the
    /// container that ended is in turn an item of another.
    @inline(__always)
    private mutating func endItem() throws(NavWireError) -> Bool {
        let frame = unsafe frames + (depth - 1)
        if unsafe frame.pointee.kind == .array {
            unsafe noteHead(frame)
        } else if unsafe frame.pointee.kind != .object {
            unsafe try noteSorted(frame)
        }
        unsafe frame.pointee.remaining -= 1
        if unsafe frame.pointee.remaining > 0 { return false }
        unsafe try end(frame)
        depth -= 1
        return true
    }

    @inline(__always)
    private mutating func end(_ frame: UnsafeMutablePointer<Frame>) throws(NavWireError) {
        let entry = unsafe tape.entries + Int(frame.pointee.entry)
        let shape = unsafe entry.pointee.shape
        unsafe entry.pointee.bits =
            UInt64(truncatingIfNeeded: shape) << 32 | UInt64(truncatingIfNeeded: tape.count)
        if unsafe frame.pointee.kind == .object {
            try noteShape(shape)
        } else if unsafe frame.pointee.kind == .array {
            unsafe try checkIsNoRun(frame.pointee, count: Int(entry.pointee.length))
        }
    }

    /// Shapes are numbered in the order in which the first objects that have them end.
    @inline(__always)
    private mutating func noteShape(_ shape: Int) throws(NavWireError) {
        if shape < nextShape { return }
        guard shape == nextShape else {
            throw .malformed("shape \(shape) is used before shape \(nextShape)", at: at)
        }
        nextShape += 1
    }

    private func checkIsNoRun(_ frame: Frame, count: Int) throws(NavWireError) {
        guard count >= Head.shortestRun, frame.uniform < 0x100 else { return }
        let head = UInt8(truncatingIfNeeded: frame.uniform)
        if head == Head.no ? count >= Head.shortestBits : Head.isRunnable(head) {
            throw .malformed("an array of \(count) values of one kind is not packed", at: at)
        }
    }

    /// Notes the head of an array's item.
    @inline(__always)
    private func noteHead(_ frame: UnsafeMutablePointer<Frame>) {
        let head = unsafe frame.pointee.itemHead == UInt16(Head.yes) ? UInt16(Head.no) : frame.pointee.itemHead
        if unsafe frame.pointee.uniform != head {
            unsafe frame.pointee.uniform =
                unsafe frame.pointee.uniform == ItemHead.none
                ? head : ItemHead.mixed
        }
    }

    /// Checks that the members of a map, set or dictionary stand in order. Apart from the rest: of the kinds of
    /// containers these are rare, and a jump to one of all kinds is one that the processor cannot foresee.
    @inline(never)
    private mutating func noteSorted(_ frame: UnsafeMutablePointer<Frame>) throws(NavWireError) {
        switch unsafe frame.pointee.kind {
        case .map: unsafe try noteMapItem(frame)
        case .pairs where unsafe frame.pointee.remaining & 1 == 1: unsafe try notePair(frame)
        case .set: unsafe try noteOrdered(frame)
        default: break
        }
    }

    /// Keys of a map are strings and ascend.
    private mutating func noteMapItem(_ frame: UnsafeMutablePointer<Frame>) throws(NavWireError) {
        guard unsafe frame.pointee.remaining & 1 == 0 else { return }
        let item = unsafe tape.entries[Int(frame.pointee.item)]
        guard item.kind == .string else { throw .malformed("a key of a map is not a string", at: at) }
        if unsafe frame.pointee.previous >= 0 {
            let previous = unsafe tape.entries[Int(frame.pointee.previous)]
            guard unsafe bytes(of: previous).lexicographicallyPrecedes(bytes(of: item)) else {
                throw .malformed("the keys of a map are not in order", at: at)
            }
        }
        unsafe frame.pointee.previous = unsafe frame.pointee.item
    }

    /// Members of a set ascend; equal neighbours are two NaNs, say.
    private mutating func noteOrdered(_ frame: UnsafeMutablePointer<Frame>) throws(NavWireError) {
        if unsafe frame.pointee.previous >= 0 {
            let order = unsafe compare(Int(frame.pointee.previous), Int(frame.pointee.item))
            guard order <= 0 else { throw .malformed("the members of a set are not in order", at: at) }
            unsafe try noteEqual(frame, isEqual: order == 0, "members of a set")
        }
        unsafe frame.pointee.previous = unsafe frame.pointee.item
    }

    /// Keys of a dictionary in pairs ascend; of equal ones, such as two NaNs, the values do. `item` is a value.
    private mutating func notePair(_ frame: UnsafeMutablePointer<Frame>) throws(NavWireError) {
        let previous = unsafe Int(frame.pointee.previous)
        guard previous >= 0 else {
            unsafe frame.pointee.previous = unsafe frame.pointee.entry + 1
            return
        }
        let value = tape.next(after: previous)
        let key = tape.next(after: value)
        let order = compare(previous, key)
        if unsafe order > 0 || (order == 0 && compare(value, Int(frame.pointee.item)) > 0) {
            throw .malformed("the members of a dictionary are not in order", at: at)
        }
        unsafe try noteEqual(frame, isEqual: order == 0, "keys of a dictionary")
        unsafe frame.pointee.previous = Int32(truncatingIfNeeded: key)
    }

    /// Counts equal neighbours, where nothing is packed: in the place of the head that the items of an array have.
    private func noteEqual(
        _ frame: UnsafeMutablePointer<Frame>, isEqual: Bool, _ what: StaticString
    ) throws(NavWireError) {
        let known = unsafe frame.pointee.uniform == ItemHead.none ? 1 : frame.pointee.uniform
        let count = isEqual ? known + 1 : 1
        guard count <= NavWireLimits.equalNeighbourCount else { throw .tooManyEqual(what, at: at) }
        unsafe frame.pointee.uniform = count
    }

    func checkValueCount() throws(NavWireError) {
        guard valueCount <= limits.maximumValueCount else {
            throw .tooManyValues(valueCount, limit: limits.maximumValueCount)
        }
        guard expandedByteCount <= limits.maximumExpandedByteCount else {
            throw .expandsTooFar(expandedByteCount, limit: limits.maximumExpandedByteCount)
        }
    }
}
