// SPDX-License-Identifier: Apache-2.0

/// Reads one payload from first byte to last, refuses whatever breaks a rule, and leaves a tape of what it holds.
///
/// It is the only code that looks at bytes from outside. It does not recurse, reserves memory only as values come in,
/// and accepts each value in exactly one spelling, so an accepted payload is the one its value is written as.
@safe
struct PayloadScanner {
    var tape = Tape()
    var strings = SeenStrings()
    var prefixes = SeenStrings()
    /// Keys and shapes of this and earlier documents; see `DocumentShape.node`.
    var keys = KeyTable()
    var shapes = ShapeTree()
    var documentKeys = RawList<Int32>(capacity: 64)
    var documentShapes = RawList<DocumentShape>(capacity: 64)
    var shapeKeys = RawList<Int32>(capacity: 256)
    private var allowsDuplicateKeys = false
    var generation: UInt32 = 0
    /// Sets long shapes apart, whose keys are stamped with it as they are read.
    private var stamp: UInt32 = 0
    private var byteCount = 0

    var start: UnsafeRawPointer
    /// The next byte of the structure.
    var at = 0
    /// The first byte of the fixed section that has been read; the structure must not reach it.
    var fixedStart = 0
    /// The next byte of the texts, and their end.
    var textAt = 0
    var textEnd = 0

    let symbols = StaticSymbols.shared
    let seed = ByteHash.seed
    /// The numbers of the static symbols among `keys`, -1 while they have none.
    private let symbolKeys: UnsafeMutablePointer<Int32>

    var limits = NavWireLimits.default
    var frames: UnsafeMutablePointer<Frame>
    private(set) var frameCapacity = usualFrameCapacity
    var depth = 0
    /// The number that the next shape to be used for the first time must have.
    var nextShape = 0
    var valueCount = 0
    var expandedByteCount = 0
    /// Whether the value being read was imported from JSON.
    var isImported = false
    var isPath = false

    private static let usualFrameCapacity = 66

    struct DocumentShape {
        /// Its keys in `shapeKeys`.
        var firstKey: Int32
        var keyCount: Int32
        var keyByteCount: Int32
        /// Its node in `shapes`, which means the same shape in each document.
        var node: Int32
        /// Whether the keys ascend.
        var order: Order

        enum Order: UInt8 { case unknown, sorted, unsorted }
    }

    /// An open container.
    struct Frame {
        var kind: TapeEntry.Kind
        var entry: Int32
        var remaining: Int32
        /// Arrays: the head that all items so far have; or what `ItemHead` says. Sets and pairs: how many members or keys up
        /// to the last one are equal.
        var uniform: UInt16
        var itemHead: UInt16
        /// Maps and pairs: the last key, or -1. Sets: the last item, or -1.
        var previous: Int32
        /// The item that is being read.
        var item: Int32
    }

    init() {
        unsafe symbolKeys = .allocate(capacity: symbols.count)
        unsafe symbolKeys.initialize(repeating: -1, count: symbols.count)
        unsafe frames = .allocate(capacity: frameCapacity)
        unsafe start = UnsafeRawPointer(frames)
    }

    func free() {
        tape.free()
        strings.free()
        prefixes.free()
        keys.free()
        shapes.free()
        documentKeys.free()
        documentShapes.free()
        shapeKeys.free()
        unsafe symbolKeys.deallocate()
        unsafe frames.deallocate()
    }

    /// Reads a whole payload. Its bytes must stay where they are for as long as the tape is used.
    ///
    /// - Parameter allowsDuplicateKeys: For payloads of our own that are not finished.
    mutating func scan(
        _ payload: UnsafeRawBufferPointer, limits: NavWireLimits, allowsDuplicateKeys: Bool = false
    ) throws(NavWireError) {
        self.limits = limits
        self.allowsDuplicateKeys = allowsDuplicateKeys
        guard let start = payload.baseAddress, payload.count > 0 else { throw .truncated("an empty payload", at: 0) }
        guard payload.count <= limits.mostByteCount else {
            throw .payloadTooLarge(payload.count, limit: limits.mostByteCount)
        }
        unsafe self.start = unsafe start
        reset(byteCount: payload.count)
        try readForm()
        let textCount = try readCount("the length of the texts")
        textAt = at
        guard textCount <= payload.count - at else { throw .truncated("the texts", at: payload.count) }
        textEnd = at + textCount
        // All at once, which is quicker; `takeText` only has to see that no character is cut in two.
        guard unsafe UTF8Check.isValid(start + at, textCount) else {
            throw .malformed("the texts are not UTF-8", at: at)
        }
        at = textEnd
        try readShapes()
        if isPath { try readElements() } else { try readValue() }
        try checkEverythingWasRead()
    }

    private mutating func reset(byteCount: Int) {
        if keys.remembersTooMuch || shapes.remembersTooMuch || generation == .max { forgetKeys() }
        generation &+= 1
        removeAll()
        self.byteCount = byteCount
        at = 0
        fixedStart = byteCount
        depth = 0
        nextShape = 0
        valueCount = 0
        expandedByteCount = 0
        isImported = false
    }

    @inline(__always)
    private mutating func removeAll() {
        tape.removeAll()
        strings.removeAll()
        prefixes.removeAll()
        documentKeys.removeAll()
        documentShapes.removeAll()
        shapeKeys.removeAll()
    }

    /// Says that nobody looks at the tape any more. Few bytes fill no table beyond what is kept.
    @inline(__always)
    mutating func end() {
        if byteCount > 1 << 14 { trim() }
    }

    /// Gives back what only a huge document needed.
    @inline(never)
    private mutating func trim() {
        byteCount = 0
        if keys.remembersTooMuch || shapes.remembersTooMuch { forgetKeys() }
        removeAll()
        guard frameCapacity > 1 << 14 else { return }
        unsafe frames.deallocate()
        frameCapacity = Self.usualFrameCapacity
        unsafe frames = .allocate(capacity: frameCapacity)
    }

    /// Changes whenever the numbers of keys and nodes of shapes are given out anew.
    private(set) var keyEpoch: UInt32 = 0

    private mutating func forgetKeys() {
        keys.removeAll()
        shapes.removeAll()
        unsafe symbolKeys.update(repeating: -1, count: symbols.count)
        generation = 0
        stamp = 0
        keyEpoch &+= 1
    }

    private mutating func readForm() throws(NavWireError) {
        switch try readByte("the form of the payload") {
        case PayloadForm.value: isPath = false
        case PayloadForm.path: isPath = true
        case let form: throw .malformed("payload of form \(form), where 0 (a value) or 1 (a path) was expected", at: 0)
        }
    }

    private mutating func checkEverythingWasRead() throws(NavWireError) {
        guard at == fixedStart else { throw .trailingBytes(fixedStart - at, at: at) }
        guard textAt == textEnd else {
            throw .malformed("\(textEnd - textAt) bytes of text are never used", at: textAt)
        }
        try checkValueCount()
        guard nextShape == documentShapes.count else {
            throw .malformed("\(documentShapes.count - nextShape) shapes are never used", at: textEnd)
        }
    }

    // MARK: Shapes

    private mutating func readShapes() throws(NavWireError) {
        let count = try readCount("the count of shapes")
        guard count <= fixedStart - at else { throw .truncated("the shapes", at: fixedStart) }
        // Each shape is used.
        guard count <= limits.maximumValueCount else { throw .tooManyValues(count, limit: limits.maximumValueCount) }
        for _ in 0..<count { try readShape() }
    }

    private mutating func readShape() throws(NavWireError) {
        let place = at
        let count = try readCount("the count of a shape's keys")
        guard count <= fixedStart - at else { throw .truncated("the keys of a shape", at: fixedStart) }
        // Each shape is used, and each key of it has a value then.
        guard shapeKeys.count + count <= limits.maximumValueCount else {
            throw .tooManyValues(shapeKeys.count + count, limit: limits.maximumValueCount)
        }
        let firstKey = shapeKeys.count
        var node = ShapeTree.root
        if count > Self.shortShape {
            try readManyKeys(count, of: place)
            for index in firstKey..<shapeKeys.count {
                node = shapes.child(of: node, key: Int(shapeKeys[index]), in: keys)
            }
        } else {
            for _ in 0..<count {
                let key = try readKey()
                shapeKeys.append(Int32(truncatingIfNeeded: key))
                node = shapes.child(of: node, key: key, in: keys)
            }
        }
        shapes.study(node, keys)
        if unsafe shapes.nodes[node].duplicates == .some, !allowsDuplicateKeys {
            throw .malformed("a shape has one key twice", at: place)
        }
        let known = unsafe shapes.nodes + node
        if unsafe known.pointee.generation == generation { throw .malformed("one shape twice", at: place) }
        unsafe known.pointee.generation = generation
        unsafe documentShapes.append(
            DocumentShape(
                firstKey: Int32(truncatingIfNeeded: firstKey), keyCount: Int32(truncatingIfNeeded: count),
                keyByteCount: known.pointee.keyByteCount, node: Int32(truncatingIfNeeded: node), order: .unknown))
    }

    /// So many keys become nodes before one of them is seen to stand there twice.
    private static let shortShape = 64

    /// Reads the keys of a long shape, up to the first that stands in it twice: a million of one key are a few bytes when
    /// they are compressed, and would be a million nodes.
    @inline(never)
    private mutating func readManyKeys(_ count: Int, of place: Int) throws(NavWireError) {
        if stamp == .max { forgetStamps() }
        stamp += 1
        for _ in 0..<count {
            let key = try readKey()
            guard unsafe allowsDuplicateKeys || keys.keys[key].documentNumber != stamp else {
                throw .malformed("a shape has one key twice", at: place)
            }
            unsafe keys.keys[key].documentNumber = stamp
            shapeKeys.append(Int32(truncatingIfNeeded: key))
        }
    }

    private mutating func forgetStamps() {
        for key in 0..<keys.count { unsafe keys.keys[key].documentNumber = 0 }
        stamp = 0
    }

    private mutating func readKey() throws(NavWireError) -> Int {
        let place = at
        let reference = try readCount("a key")
        if reference & 1 == 0 {
            guard reference / 2 < symbols.count else {
                throw .malformed("static symbol \(reference / 2) of \(symbols.count)", at: place)
            }
            let known = unsafe symbolKeys[reference / 2]
            if known >= 0 { return Int(known) }
            let key = unsafe keys.number(of: symbols[reference / 2])
            unsafe symbolKeys[reference / 2] = Int32(truncatingIfNeeded: key)
            return key
        }
        let number = reference / 2
        if number < documentKeys.count { return Int(documentKeys[number]) }
        guard number == documentKeys.count else {
            throw .malformed("key \(number) where at most \(documentKeys.count) was expected", at: place)
        }
        let byteCount = try readCount("the length of a key")
        guard byteCount <= fixedStart - at else { throw .truncated("a key", at: fixedStart) }
        guard unsafe UTF8Check.isValid(start + at, byteCount) else { throw .malformed("a key is not UTF-8", at: at) }
        let key = unsafe keys.number(of: UnsafeRawBufferPointer(start: start + at, count: byteCount))
        at += byteCount
        guard unsafe keys.keys[key].staticNumber < 0 else {
            throw .malformed("a static symbol is written out", at: place)
        }
        guard unsafe keys.keys[key].generation != generation else {
            throw .malformed("a key is written out twice", at: place)
        }
        unsafe keys.keys[key].generation = generation
        documentKeys.append(Int32(truncatingIfNeeded: key))
        return key
    }

    // MARK: Primitives

    @inline(__always)
    mutating func readByte(_ what: StaticString) throws(NavWireError) -> UInt8 {
        guard at < fixedStart else { throw .truncated("\(what)", at: at) }
        let byte = unsafe start.load(fromByteOffset: at, as: UInt8.self)
        at += 1
        return byte
    }

    /// A minimal varint.
    @inline(__always)
    mutating func readVarint(_ what: StaticString) throws(NavWireError) -> UInt64 {
        if at < fixedStart {
            let byte = unsafe start.load(fromByteOffset: at, as: UInt8.self)
            if byte < 0x80 {
                at += 1
                return UInt64(byte)
            }
        }
        return try readLongVarint(what)
    }

    @inline(never)
    private mutating func readLongVarint(_ what: StaticString) throws(NavWireError) -> UInt64 {
        let place = at
        if fixedStart - place >= 2 {
            let (first, second) = unsafe (
                start.load(fromByteOffset: place, as: UInt8.self), start.load(fromByteOffset: place + 1, as: UInt8.self)
            )
            if second &- 1 < 0x7F {
                at = place + 2
                return UInt64(first & 0x7F) | UInt64(second) << 7
            }
        }
        var value: UInt64 = 0
        for index in 0..<10 {
            let byte = try readByte(what)
            if index == 9, byte > 1 { break }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 {
                guard byte != 0 || index == 0 else {
                    throw .malformed("\(what) has more bytes than it needs", at: place)
                }
                return value
            }
        }
        throw .malformed("\(what) has more than 64 bits", at: place)
    }

    /// A varint that is a count or a length: at most 2^31.
    @inline(__always)
    mutating func readCount(_ what: StaticString) throws(NavWireError) -> Int {
        let place = at
        let value = try readVarint(what)
        guard value <= 1 << 31 else { throw .malformed("\(what) is \(value)", at: place) }
        return Int(truncatingIfNeeded: value)
    }

    /// The offset of the next fixed-width value.
    @inline(__always)
    mutating func takeFixed(_ byteCount: Int, _ what: StaticString) throws(NavWireError) -> Int {
        guard byteCount <= fixedStart - at else { throw .truncated("\(what)", at: fixedStart) }
        fixedStart -= byteCount
        return fixedStart
    }

    /// The offset of the next text, which is well-formed UTF-8.
    @inline(__always)
    mutating func takeText(_ byteCount: Int) throws(NavWireError) -> Int {
        let place = textAt
        guard byteCount <= textEnd - place else { throw .truncated("a text", at: textEnd) }
        if byteCount > 0, unsafe start.load(fromByteOffset: place, as: UInt8.self) >> 6 == 2 {
            throw .malformed("a character is cut in two", at: place)
        }
        textAt = place + byteCount
        return place
    }

    @inline(never)
    mutating func growFrames() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: frameCapacity * 2)
        unsafe larger.moveInitialize(from: frames, count: frameCapacity)
        unsafe frames.deallocate()
        unsafe frames = unsafe larger
        frameCapacity *= 2
    }

    var hasFreeFrame: Bool { depth < frameCapacity }
}
