// SPDX-License-Identifier: Apache-2.0

/// Writes one payload: values in, bytes out, in one pass.
///
/// Three sections grow side by side and are put together at the end: the texts of strings, the structure (heads and
/// what follows them), and the fixed-width values, which lie back to front. A container's head is patched when the
/// container ends. All memory outlives the document, so a warm writer allocates nothing but the result.
///
/// The writer trusts its caller to end what it began. Limits do not throw from the middle of a value: the first one
/// broken is kept in `fault`, and whoever gives the bytes away looks there. From then on no handle is that of the place
/// being written, so whoever writes by one is told, and no buffer grows.
@safe
struct PayloadWriter {
    var structure = ByteBuffer(capacity: 4096)
    var text = ByteBuffer(capacity: 4096)
    var fixed = DownwardBuffer(capacity: 4096)
    /// Where the finished envelope is put together.
    var envelope = ByteBuffer(capacity: 4096)
    var strings = SeenStrings()
    var names = KnownNames()
    /// First parts of names in this document.
    var prefixCount: UInt32 = 0
    var keys = KeyTable()
    var shapes = ShapeTree()
    /// The shapes of this document in the order of their numbers, as nodes of `shapes`.
    var documentShapes = RawList<Int32>(capacity: 64)
    var generation: UInt32 = 0

    var frames: UnsafeMutablePointer<Frame>
    private var frameCapacity = 66
    /// How many containers are open.
    var depth = 0
    /// Sets the handles of this document apart from those of earlier ones.
    private(set) var session: UInt32 = 0
    /// Which container, or place for a value that may become one, is being written: the session in the upper half, in
    /// the lower the number of the container among their heads. Or one of `NoHandle`. The structure keeps it, which
    /// knows first when it is over.
    @inline(__always)
    var token: UInt64 {
        mutating get { structure.sign }
        set { structure.sign = newValue }
    }
    /// Whether a keyed container was given one key twice.
    var hasDuplicateKeys = false
    /// Containers begun so far, in the order of their heads.
    var containerCount: UInt32 = 0

    /// Globals that are made at first use, kept here so that each use need not ask whether they are.
    let symbols = StaticSymbols.shared
    let seed = ByteHash.seed

    var limits = NavWireLimits.default
    private var firstFault: NavWireError?
    /// Where the key table stood before this document.
    private var knownKeyByteCount = 0
    var expandedByteCount = 0
    var valueCount = 0
    /// Elements of a path payload; -1 while a value payload is written.
    var elementCount = -1

    /// Tokens that no handle finds to be its own, since no session has their upper half.
    enum NoHandle {
        /// Nothing can be written any more.
        static let faulty = ByteBuffer.overSign
        /// Nothing is being written.
        static let idle = UInt64.max - 1
        /// The document goes on in a tree.
        static let tree = UInt64.max - 2
        /// Of a handle that was asked for too late.
        static let late = UInt64.max - 3
        /// A value that has been written is still open.
        static let openItem = UInt64.max - 4
        /// The place of a value that writes itself.
        static let direct = UInt64.max - 5
    }

    /// An open container.
    struct Frame {
        var kind: Kind
        /// Whether a value was begun by somebody who may never write it; it begins at `itemStart`.
        var isItemOpen = false
        /// Arrays: the head that all items so far have, `ItemHead.none` or `ItemHead.mixed`.
        var uniform = ItemHead.none
        /// Where its head stands in the structure.
        var start: Int32
        /// Objects: the node of its shape so far.
        var node: Int32 = 0
        /// Arrays: items so far.
        var count: Int32 = 0
        /// Arrays: where the last item begins.
        var itemStart: Int32 = 0
        /// What makes it the one that is being written.
        var token: UInt64

        /// The number of the container in the order of their heads.
        var ordinal: UInt32 { UInt32(truncatingIfNeeded: token) }

        enum Kind: UInt8 { case object, array, map, pairs, set }
    }

    init() {
        unsafe frames = .allocate(capacity: 66)
    }

    func free() {
        structure.free()
        text.free()
        fixed.free()
        strings.free()
        names.free()
        documentShapes.free()
        envelope.free()
        keys.free()
        shapes.free()
        unsafe frames.deallocate()
    }

    /// Starts a new document.
    mutating func begin(limits: NavWireLimits) {
        self.limits = limits
        let most = limits.mostUnpackedByteCount
        structure.removeAll(limit: most)
        text.removeAll(limit: most)
        fixed.removeAll(limit: most)
        knownKeyByteCount = keys.byteCount
        if firstFault != nil { firstFault = nil }
        strings.removeAll()
        documentShapes.removeAll()
        prefixCount = 0
        if names.areMany { names.removeAll() }
        generation &+= 1
        session &+= 1
        depth = 0
        hasDuplicateKeys = false
        containerCount = 0
        expandedByteCount = 0
        valueCount = 0
        elementCount = -1
    }

    /// Starts a new document where nobody keeps numbers of keys.
    mutating func beginAlone(limits: NavWireLimits) {
        if remembersTooMuch { forgetKeys() }
        begin(limits: limits)
    }

    /// Makes the handles of this document useless.
    mutating func end() {
        session &+= 1
        token = NoHandle.idle
        depth = 0
    }

    /// Whether the tables hold so many keys of past documents that they had better be built anew. Coders that keep
    /// numbers of keys drop them with `forgetKeys`.
    var remembersTooMuch: Bool {
        // One document may begin three times: to be written, to be written plainly, and to take a tree.
        keys.remembersTooMuch || shapes.remembersTooMuch || generation > .max - 4
    }

    mutating func forgetKeys() {
        keys.removeAll()
        shapes.removeAll()
        names.removeAll()
        generation = 0
    }

    /// Gives back what only a huge document needed.
    mutating func trim() {
        structure.trim(to: 1 << 20)
        text.trim(to: 1 << 20)
        fixed.trim(to: 1 << 20)
        envelope.trim(to: 1 << 20)
    }

    // MARK: Faults

    /// Whether a limit was broken, or the writer used wrongly.
    @inline(__always)
    var isFaulty: Bool { mutating get { structure.isOver } }

    /// What was wrong first.
    var fault: NavWireError? {
        mutating get { isFaulty ? firstFault ?? .payloadTooLarge(limit: limits.mostByteCount) : nil }
    }

    @inline(never)
    mutating func fail(_ error: NavWireError) {
        if !isFaulty { firstFault = error }
        structure.stop()
    }

    @inline(never)
    mutating func failTooLarge() { fail(.payloadTooLarge(limit: limits.mostByteCount)) }

    /// The number of a key whose text may be new: then it is a part of the payload.
    mutating func number(of key: String) -> Int {
        if keys.byteCount - knownKeyByteCount > limits.mostUnpackedByteCount { failTooLarge() }
        return keys.number(of: key)
    }

    // MARK: Containers

    @inline(__always)
    mutating func push(_ kind: Frame.Kind) {
        if depth == frameCapacity { growFrames() }
        aimAtSlot()
        unsafe (frames + depth).initialize(
            to: Frame(kind: kind, start: Int32(truncatingIfNeeded: structure.count), token: token))
        containerCount &+= 1
        depth &+= 1
        if depth > limits.maximumDepth { failTooDeep() }
        structure.append(Head.object)
    }

    @inline(never)
    private mutating func failTooDeep() {
        fail(.tooDeep(limit: limits.maximumDepth))
    }

    @inline(never)
    private mutating func growFrames() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: frameCapacity * 2)
        unsafe larger.moveInitialize(from: frames, count: frameCapacity)
        unsafe frames.deallocate()
        unsafe frames = unsafe larger
        frameCapacity *= 2
    }

    /// Makes the value that comes next the one that is being written, or the container that it becomes if it becomes one.
    @inline(__always)
    mutating func aimAtSlot() { token = UInt64(session) << 32 | UInt64(containerCount) }

    /// The innermost container. There is one. Mutating, or code that is not optimised would copy the writer to ask it.
    @inline(__always)
    var top: UnsafeMutablePointer<Frame> {
        mutating get { unsafe frames + (depth &- 1) }
    }

    /// Makes the innermost container the one that is being written, unless a value in it has yet to be ended: whoever
    /// writes to it next must do that first.
    @inline(__always)
    mutating func returnToTop() {
        guard depth > 0 else { return token = NoHandle.idle }
        token = unsafe top.pointee.isItemOpen ? NoHandle.openItem : top.pointee.token
    }

    /// Ends the innermost container, whatever it is.
    @inline(__always)
    mutating func pop() {
        if unsafe top.pointee.kind == .object { endObject() } else { endItems() }
    }

    /// Says that an object's next value belongs to `key`.
    @inline(__always)
    mutating func writeKey(_ key: Int) {
        let frame = unsafe top
        unsafe frame.pointee.node = unsafe Int32(
            truncatingIfNeeded: shapes.child(of: Int(frame.pointee.node), key: key, in: keys))
    }

    /// Whether the innermost object has a key, or has too many to look.
    @inline(__always)
    mutating func mayHaveKey(_ key: Int) -> Bool {
        let node = unsafe Int(top.pointee.node)
        return node != ShapeTree.root && shapes.mayHold(key, atOrAbove: node)
    }

    @inline(__always)
    mutating func endObject() {
        depth &-= 1
        let frame = unsafe frames[depth]
        let node = unsafe shapes.nodes + Int(frame.node)
        if unsafe node.pointee.generation != generation {
            shapes.study(Int(frame.node), keys)
            if unsafe node.pointee.duplicates == .some { hasDuplicateKeys = true }
            unsafe node.pointee.generation = generation
            unsafe node.pointee.documentNumber = UInt32(truncatingIfNeeded: documentShapes.count)
            documentShapes.append(frame.node)
        }
        unsafe valueCount &+= Int(node.pointee.keyCount)
        unsafe expandedByteCount &+= Int(node.pointee.keyByteCount)
        let number = unsafe Int(node.pointee.documentNumber)
        if number < Head.inlineShapes {
            structure.setByte(Head.object + UInt8(truncatingIfNeeded: number), at: Int(frame.start))
        } else {
            patch(Int(frame.start), Head.longObject, UInt64(truncatingIfNeeded: number - Head.inlineShapes))
        }
        returnToTop()
    }

    /// Replaces the byte at `start` by a head and a varint.
    @inline(never)
    mutating func patch(_ start: Int, _ head: UInt8, _ number: UInt64) {
        structure.insert(Varint.byteCount(number), at: start + 1)
        structure.setByte(head, at: start)
        structure.setVarint(number, at: start + 1)
    }

    /// Says that an item of the innermost array, set or map begins here.
    @inline(__always)
    mutating func beginItem() {
        unsafe top.pointee.itemStart = Int32(truncatingIfNeeded: structure.count)
    }

    /// The same for callers who may have begun no array.
    @inline(__always)
    mutating func beginItemOfArray() {
        if unsafe depth > 0 && frames[depth &- 1].kind == .array { return beginItem() }
        precondition(isFaulty, "an item is written outside an array")
    }

    /// Whether something was written to the item that has begun.
    @inline(__always)
    var isItemWritten: Bool {
        mutating get { unsafe depth > 0 && structure.count > Int(frames[depth &- 1].itemStart) }
    }

    /// Says that an object's next value belongs to `key`, for callers who may have begun no object.
    @inline(__always)
    mutating func writeKeyOfObject(_ key: Int) {
        if unsafe depth > 0 && frames[depth &- 1].kind == .object { return writeKey(key) }
        precondition(isFaulty, "a key is written outside its object")
    }

    /// Says that the item has been written.
    @inline(__always)
    mutating func endItem() {
        let frame = unsafe top
        var head = unsafe UInt16(structure.byte(at: Int(frame.pointee.itemStart)))
        if head == UInt16(Head.yes) { head = UInt16(Head.no) }
        if unsafe frame.pointee.uniform != head {
            unsafe frame.pointee.uniform = unsafe frame.pointee.count == 0 ? head : ItemHead.mixed
        }
        unsafe frame.pointee.count &+= 1
    }
}
