// SPDX-License-Identifier: Apache-2.0

/// A document that is being written as a tree, because its containers are not written one inside the other.
///
/// It is made from what was written so far. Containers had numbers in the order of their heads, and the tree's nodes
/// get the same numbers, so the handles that code holds go on working. No node lies deeper than a container may: what
/// goes through the tree, its end included, can call itself for each level.
final class TreeEncoding {
    private var nodes: [UInt32: TreeNode] = [:]
    private var nextNumber: UInt32 = 0
    private let root: TreeNode
    private let maximumDepth: Int
    /// Why a place that was asked for is none: whoever writes there is told.
    private(set) var refusal: NavWireError?

    /// Takes over from a writer that has ended all its containers.
    init(writer: inout PayloadWriter) throws(NavWireError) {
        maximumDepth = writer.limits.maximumDepth
        let payload = try writer.uncheckedPayload()
        root = TreeNode(parent: nil, key: WireKey(index: 0))
        let state = unsafe PayloadScanner.pool.take()
        defer { unsafe PayloadScanner.close(state) }
        unsafe try payload.withBytes { bytes throws(NavWireError) in
            unsafe try state.pointee.scan(bytes, limits: .boundless, allowsDuplicateKeys: true)
            unsafe build(root, state, at: 0)
        }
        if nodes[0] == nil { nodes[0] = root }
        nextNumber = max(nextNumber, writer.containerCount) &+ 1
    }

    /// A tree that takes nothing: whoever writes to it is told why.
    init(refusal: NavWireError) {
        self.refusal = refusal
        root = TreeNode(parent: nil, key: WireKey(index: 0))
        maximumDepth = 0
    }

    private func build(_ node: TreeNode, _ state: UnsafeMutablePointer<PayloadScanner>, at index: Int) {
        guard let kind = unsafe TreeNode.Kind(state.pointee.tape.entries[index].kind) else {
            node.become(unsafe state.pointee.node(at: index))
            return
        }
        node.become(kind)
        nodes[nextNumber] = node
        nextNumber += 1
        switch kind {
        case .object:
            for member in unsafe state.pointee.members(of: index) {
                unsafe build(node.addMember(member.key), state, at: member.index)
            }
        case .map:
            let places = unsafe state.pointee.indices(of: index)
            for place in stride(from: 0, to: places.count - 1, by: 2) {
                let key = unsafe state.pointee.string(state.pointee.tape.entries[places[place]])
                unsafe build(node.addMember(key), state, at: places[place + 1])
            }
        default:
            for place in unsafe state.pointee.indices(of: index) { unsafe build(node.addItem(), state, at: place) }
        }
    }

    // MARK: What handles do

    private func node(_ number: UInt32) throws(NavWireError) -> TreeNode {
        guard let node = nodes[number] else { throw refusal ?? EncoderState.tooLate }
        return node
    }

    /// A node that is a container or becomes one.
    private func container(_ number: UInt32) throws(NavWireError) -> TreeNode {
        let node = try node(number)
        guard node.depth < maximumDepth else {
            refusal = .tooDeep(limit: maximumDepth)
            throw .tooDeep(limit: maximumDepth)
        }
        return node
    }

    private func number(_ node: TreeNode) -> UInt32 {
        defer { nextNumber += 1 }
        nodes[nextNumber] = node
        return nextNumber
    }

    func makeKeyed(_ number: UInt32, isDictionary: Bool) throws(NavWireError) {
        let node = try container(number)
        node.goOn(as: .object)
        if isDictionary { node.beginDictionary() }
    }

    /// An empty dictionary in the place of what was there.
    func makeMap(_ number: UInt32) throws(NavWireError) { try container(number).become(.map) }

    func makeUnkeyed(_ number: UInt32) throws(NavWireError) {
        try container(number).goOn(as: .array)
    }

    func set(_ number: UInt32, to content: NativeNode) throws(NavWireError) { try node(number).become(content) }

    func add(
        _ content: NativeNode, key: String, to parent: UInt32, inDictionary: Bool
    ) throws(NavWireError) {
        try container(parent).addMember(key, inDictionary: inDictionary).become(content)
    }

    func append(_ content: NativeNode, to parent: UInt32) throws(NavWireError) {
        try container(parent).appendItem().become(content)
    }

    /// A new member, or the one that has the key if it is a container which can go on as `kind`.
    func newNode(
        key: String, in parent: UInt32, goesOn kind: TreeNode.Kind? = nil, inDictionary: Bool = false
    ) throws(NavWireError) -> UInt32 {
        let parent = try container(parent)
        if let kind, let member = parent.member(key), member.canGoOn(as: kind) { return number(member) }
        return number(parent.addMember(key, inDictionary: inDictionary))
    }

    func newNode(in parent: UInt32) throws(NavWireError) -> UInt32 { number(try container(parent).appendItem()) }

    /// Takes back the member that a key was given for the `time`th time; what it took the place of is there again.
    func remove(key: String, time: Int, from parent: UInt32) { nodes[parent]?.removeMember(key, time: time) }

    /// Takes back an item, or the member that was the one with that number when it was added.
    func remove(at place: Int, from parent: UInt32) { nodes[parent]?.remove(at: place) }

    /// Takes back a member or an item whose encoding failed.
    func remove(_ number: UInt32) {
        if let node = nodes[number] { node.parent?.remove(node) }
    }

    func count(of number: UInt32) -> Int { nodes[number].map { $0.kind == .array ? $0.items.count : 0 } ?? 0 }

    /// What encoded nothing is an empty object.
    func closeEmpty(_ number: UInt32) {
        if let node = nodes[number], node.kind == .empty { node.become(.object) }
    }

    /// How many containers are around a node.
    func depth(of number: UInt32) -> Int { nodes[number]?.depth ?? 0 }

    func codingPath(to number: UInt32) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = nodes[number]
        while let current = node, let parent = current.parent {
            path.append(current.key)
            node = parent
        }
        return path.reversed()
    }

    /// Where the list of a container's items or members lies. It moves only when it grows.
    func address(of number: UInt32) -> UInt { nodes[number]?.address ?? 0 }

    /// The finished tree.
    var node: NativeNode { root.native }
}
