// SPDX-License-Identifier: Apache-2.0

/// Everything that lives through one call of an encoder and is kept warm for the next.
///
/// **Which container may write.** A handle — an `Encoder` or one of its containers — carries the token of its place:
/// the session and the number that a container there has, or would have, in the order of the heads. The writer knows
/// the token of the place that is being written. When both are equal the handle writes on; that is the whole cost on
/// the usual way. When they differ, `settle` ends what was opened below the handle. If the handle's own container has
/// ended already, which only odd code does (siblings written by turns, a `superEncoder` kept for later), the document
/// so far becomes a tree, `TreeEncoding`, and the rest of it is written there.
@safe
struct EncoderState {
    var writer = PayloadWriter()
    var keyTypes = TypeTable<KeyType>()
    /// Whether a key type has more containers than it keeps.
    var boxesAreMany = false
    var valueTypes = TypeTable<EncodedType>()
    var optionalTypes = TypeTable<OptionalType>()
    var directKeys = TypeTable<DirectKeys>()
    let noKeys = unsafe DirectKeys(NavWireKeys()).numbers
    var userInfo: [CodingUserInfoKey: Any] = [:]
    var tree: TreeEncoding? { didSet { isTree = tree != nil } }
    private(set) var isTree = false
    /// The keys of the members that are being written, one for each open map.
    var mapKeys: [String] = []
    /// Where the whole value is a member of, when it is one of a set or dictionary that is sorted first.
    var outer: (place: WireEncoder, key: WireKey?)?
    /// How many containers are around the innermost value that is writing itself; -1 while none is.
    var directDepth = -1
    /// Whether every value is written by its `Codable` conformance, also one that could write itself.
    var isPlain = false
    /// Whether the document may differ from the one that is written plainly: see `writeDocument`.
    var isAmiss = false
    /// Whether it was ended for that.
    private(set) var isEndedAmiss = false
    private var keyEpoch: UInt32 = 0

    /// Nil says that there is none, as most often: even an empty dictionary is counted when it is passed on.
    mutating func begin(limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]?) {
        if writer.remembersTooMuch {
            writer.forgetKeys()
            keyEpoch &+= 1
            let epoch = keyEpoch
            unsafe keyTypes.forEach { unsafe $0.pointee.forgetNumbers(epoch: epoch) }
            unsafe directKeys.forEach { unsafe $0.pointee.forgetNumbers() }
        }
        writer.begin(limits: limits)
        if let userInfo { self.userInfo = userInfo }
        writer.aimAtSlot()
    }

    mutating func end() {
        if !userInfo.isEmpty { userInfo = [:] }
        if isTree { tree = nil }
        if outer != nil { outer = nil }
        if boxesAreMany {
            unsafe keyTypes.forEach { unsafe $0.pointee.trim() }
            boxesAreMany = false
        }
        isPlain = false
        isAmiss = false
        isEndedAmiss = false
        directKeys.trim()
        writer.trim()
        writer.end()
    }

    /// Starts the document anew.
    mutating func beginPlainly() {
        isPlain = true
        isAmiss = false
        isEndedAmiss = false
        tree = nil
        writer.begin(limits: writer.limits)
        writer.aimAtSlot()
    }

    // MARK: Places

    /// Says that a value may be written here by somebody who is given a handle: it may also come to nothing.
    @inline(__always)
    mutating func openItem() {
        if writer.depth > 0 {
            let frame = unsafe writer.top
            unsafe frame.pointee.isItemOpen = true
            unsafe frame.pointee.itemStart = Int32(truncatingIfNeeded: writer.structure.count)
        }
        writer.aimAtSlot()
    }

    /// Ends the value that was begun in the innermost container. One that came to nothing is an empty object, as it is
    /// to `JSONEncoder`.
    @inline(__always)
    mutating func closeItem() {
        let frame = unsafe writer.top
        guard unsafe frame.pointee.isItemOpen else { return }
        unsafe frame.pointee.isItemOpen = false
        if unsafe writer.structure.count == Int(frame.pointee.itemStart) { writeEmptyObject() }
        if unsafe frame.pointee.kind != .object { writer.endItem() }
        writer.returnToTop()
    }

    mutating func writeEmptyObject() {
        writer.push(.object)
        writer.endObject()
    }

    /// Ends all containers but `count`, and what was begun in the last of these.
    @inline(__always)
    mutating func close(to count: Int) {
        while writer.depth > count {
            closeItem()
            writer.pop()
        }
        if count > 0, writer.depth == count { closeItem() }
    }

    /// Ends what was written of the one value of a document; false when that is nothing. A function of its own, since its
    /// temporaries would lie on the stack once for each level of sets inside each other: only optimised code inlines it.
    @inline(__always)
    mutating func endDocument() throws(NavWireError) -> Bool {
        if writer.isFaulty, let fault = writer.fault { throw fault }
        guard tree == nil else { return true }
        close(to: 0)
        guard writer.structure.count > 0 else { return false }
        if writer.hasDuplicateKeys { try moveToTree() }
        return true
    }

    /// Makes the container with `token`, at `frame`, the one that is being written. False when that takes the tree.
    @inline(never)
    mutating func settle(_ token: UInt64, frame: Int) throws -> Bool {
        guard UInt32(truncatingIfNeeded: token >> 32) == writer.session else { throw Self.tooLate }
        if writer.isFaulty, let fault = writer.fault { throw fault }
        if isTree { return false }
        if isOpen(token, frame: frame), !hasRunning(above: frame) {
            close(to: frame + 1)
            return true
        }
        try moveToTree()
        return false
    }

    /// Whether the container with `token` is open at `frame`.
    func isOpen(_ token: UInt64, frame: Int) -> Bool {
        unsafe frame < writer.depth && writer.frames[frame].ordinal == UInt32(truncatingIfNeeded: token)
    }

    /// Whether a dictionary, or a value that writes itself, is being written inside a container. A function that is still
    /// running does so, and ends it itself or goes on in the tree.
    private func hasRunning(above frame: Int) -> Bool {
        if frame < directDepth { return true }
        for inner in frame + 1..<max(frame + 1, writer.depth) where unsafe writer.frames[inner].kind == .map {
            return true
        }
        return false
    }

    /// A tree knows nothing of the calls of a value that writes itself.
    var hasRunningDirect: Bool { directDepth >= 0 }

    /// A state outside the pool, for containers that are asked for too late. No call ever begins there, so nobody's
    /// token is current and nobody writes to it: that is why all threads may share it.
    static var late: UnsafeMutablePointer<EncoderState> { unsafe lateBox.value }
    private static let lateBox = {
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncoderState())
        return unsafe SendableBox(state)
    }()

    static let tooLate = NavWireError(
        code: .notRepresentable, reason: "an encoder was used after its value was encoded")

    /// A value whose type encodes does not when its conformance belongs to another actor than the one that runs.
    static func notHere(_ what: String) -> NavWireError {
        NavWireError(
            code: .notRepresentable,
            reason: "\(what) does not encode here: its conformance belongs to an actor; encode on that actor")
    }

    /// Makes a tree of what has been written so far. Where that fails there is one all the same, which takes nothing: no
    /// container is open any more, and whoever goes on must find something.
    mutating func moveToTree() throws(NavWireError) {
        guard tree == nil else { return }
        // The containers end either way: no handle may find its own token here.
        defer { writer.token = PayloadWriter.NoHandle.tree }
        if hasRunningDirect { markAmiss(Self.aroundDirect) }
        do throws(NavWireError) {
            if writer.isFaulty, let fault = writer.fault { throw fault }
            close(to: 0)
            if writer.structure.count == 0 { writeEmptyObject() }
            tree = try TreeEncoding(writer: &writer)
        } catch {
            // What was just written cannot be read: not the fault of whoever reads.
            let fault = writer.fault ?? writer.refuse(Self.aroundDirect)
            writer.depth = 0
            tree = TreeEncoding(refusal: fault)
            throw fault
        }
    }

    /// Ends the document, unless a fault has already: it has to be written once more.
    mutating func markAmiss(_ reason: String) {
        if writer.isFaulty { return }
        isAmiss = true
        isEndedAmiss = true
        _ = writer.refuse(reason)
    }

    /// Whether the document has to be written once more. A fault of another kind is told instead.
    var hasToBePlain: Bool {
        mutating get { isAmiss && (isEndedAmiss || !writer.isFaulty) }
    }

    private static let aroundDirect = "a container was ended while a type that writes itself had one open inside it"
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Whether the call that gave out `token` is still running.
    ///
    /// Looked at before anything else of the state, which another thread may be using by now when it is not. To read one
    /// number there is harmless: states are never freed, so it stays an aligned word of its own, and whatever a call of
    /// another thread writes to it is not the number of the call that gave out the token, which comes only once. The same
    /// goes for the writer's token, in which that number is.
    ///
    /// Asked of the pointer, since code that is not optimised copies what it calls a function of.
    @inline(__always)
    func isCurrent(_ token: UInt64) -> Bool {
        unsafe UInt32(truncatingIfNeeded: token >> 32) == pointee.writer.session
    }

    /// What a type is in this document.
    @inline(__always)
    func kind(_ type: UnsafeMutablePointer<EncodedType>) -> ValueKind {
        unsafe pointee.isPlain ? type.pointee.plainKind : type.pointee.kind
    }

    /// Goes on in the tree where the place at `depth` is no longer the one that is being written nor around it: only a
    /// tree still knows such a place. Nothing is told of a failure, which whoever writes next is told. While a type that writes
    /// itself is running there is no tree, and less is known, until the document is written again.
    func lookBack(_ token: UInt64, depth: Int) {
        guard unsafe pointee.tree == nil, unsafe pointee.writer.token != token,
            unsafe !pointee.isOpen(token, frame: depth)
        else { return }
        if unsafe pointee.hasRunningDirect {
            unsafe pointee.isAmiss = true
        } else {
            unsafe try? pointee.moveToTree()
        }
    }

    /// The keys and indices on the way to the place at `depth`.
    func codingPath(_ token: UInt64, depth: Int) -> [any CodingKey] {
        guard unsafe isCurrent(token) else { return [] }
        var path: [any CodingKey] = unsafe pointee.outer.map { $0.place.codingPath + ($0.key.map { [$0] } ?? []) } ?? []
        unsafe lookBack(token, depth: depth)
        if let tree = unsafe pointee.tree { return path + tree.codingPath(to: UInt32(truncatingIfNeeded: token)) }
        var mapKeys = unsafe pointee.mapKeys.makeIterator()
        for index in unsafe 0..<min(depth, pointee.writer.depth) {
            let frame = unsafe pointee.writer.frames[index]
            switch frame.kind {
            case .object:
                let key = unsafe pointee.writer.shapes.nodes[Int(frame.node)].key
                path.append(WireKey(stringValue: key < 0 ? "" : unsafe pointee.writer.keys.string(of: Int(key))))
            case .map: path.append(WireKey(stringValue: mapKeys.next() ?? ""))
            case .array, .pairs, .set: path.append(WireKey(index: Int(frame.count)))
            }
        }
        return path
    }
}
