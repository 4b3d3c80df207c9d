// SPDX-License-Identifier: Apache-2.0

/// A document that is being written as a tree, because its containers are not written one inside the other.
///
/// It is made from what was written so far. Containers had numbers in the order of their heads, and the tree's nodes
/// get the same numbers, so the handles that code holds go on working.
final class TreeEncoding {
    private final class Node {
        var content = Content.empty
        weak var parent: Node?
        let key: WireKey

        init(parent: Node?, key: WireKey) {
            self.parent = parent
            self.key = key
        }
    }

    private enum Content {
        /// Nothing yet; in the end an empty object.
        case empty
        case leaf(NativeNode)
        case object([(key: String, value: Node)], isMap: Bool)
        case array([Node])
        case pairs([Node])
        case set([Node])
    }

    private var nodes: [UInt32: Node] = [:]
    private var nextNumber: UInt32 = 0
    private let root: Node
    private let maximumDepth: Int

    /// Takes over from a writer that has ended all its containers.
    init(writer: inout PayloadWriter) throws(NavWireError) {
        maximumDepth = writer.limits.maximumDepth
        let payload = try writer.uncheckedPayload()
        root = Node(parent: nil, key: WireKey(index: 0))
        let state = unsafe Coders.scanners.take()
        defer { unsafe Coders.scanners.give(state) }
        unsafe try payload.withBytes { bytes throws(NavWireError) in
            unsafe try state.pointee.scan(bytes, limits: .boundless, allowsDuplicateKeys: true)
            unsafe build(root, state, at: 0)
        }
        if nodes[0] == nil { nodes[0] = root }
        nextNumber = max(nextNumber, writer.containerCount) &+ 1
    }

    private func build(_ node: Node, _ state: UnsafeMutablePointer<PayloadScanner>, at index: Int) {
        let kind = unsafe state.pointee.tape.entries[index].kind
        switch kind {
        case .object, .map, .array, .pairs, .set: break
        default:
            node.content = unsafe .leaf(state.pointee.node(at: index))
            return
        }
        nodes[nextNumber] = node
        nextNumber += 1
        switch kind {
        case .object:
            node.content = .object([], isMap: false)
            for member in unsafe state.pointee.members(of: index) {
                let child = add(member.key, to: node)
                unsafe build(child, state, at: member.index)
            }
        case .map:
            node.content = .object([], isMap: true)
            let places = unsafe state.pointee.indices(of: index)
            for place in stride(from: 0, to: places.count - 1, by: 2) {
                let child = unsafe add(state.pointee.string(state.pointee.tape.entries[places[place]]), to: node)
                unsafe build(child, state, at: places[place + 1])
            }
        default:
            let children = unsafe state.pointee.indices(of: index).enumerated().map { offset, place in
                let child = Node(parent: node, key: WireKey(index: offset))
                unsafe build(child, state, at: place)
                return child
            }
            node.content = kind == .array ? .array(children) : kind == .pairs ? .pairs(children) : .set(children)
        }
    }

    /// A node under a key: in the place of the one that has the key already, or last.
    private func add(_ key: String, to parent: Node) -> Node {
        let child = Node(parent: parent, key: WireKey(stringValue: key))
        guard case .object(var members, let isMap) = parent.content else {
            parent.content = .object([(key, child)], isMap: false)
            return child
        }
        if let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            members[place].value = child
        } else {
            members.append((key, child))
        }
        parent.content = .object(members, isMap: isMap)
        return child
    }

    // MARK: What handles do

    private func node(_ number: UInt32) throws(NavWireError) -> Node {
        guard let node = nodes[number] else { throw EncoderState.tooLate }
        return node
    }

    private func number(_ node: Node) -> UInt32 {
        defer { nextNumber += 1 }
        nodes[nextNumber] = node
        return nextNumber
    }

    func makeKeyed(_ number: UInt32, isDictionary: Bool) throws(NavWireError) {
        let node = try node(number)
        switch node.content {
        case .object(let members, let isMap): node.content = .object(members, isMap: isMap || isDictionary)
        default: node.content = .object([], isMap: isDictionary)
        }
    }

    func makeUnkeyed(_ number: UInt32) throws(NavWireError) {
        let node = try node(number)
        if case .array = node.content { return }
        node.content = .array([])
    }

    func set(_ number: UInt32, to content: NativeNode) throws(NavWireError) {
        try node(number).content = .leaf(content)
    }

    func add(_ content: NativeNode, key: String, to parent: UInt32) throws(NavWireError) {
        add(key, to: try node(parent)).content = .leaf(content)
    }

    func append(_ content: NativeNode, to parent: UInt32) throws(NavWireError) {
        try append(to: try node(parent)).content = .leaf(content)
    }

    private func append(to parent: Node) throws(NavWireError) -> Node {
        var children: [Node] = []
        if case .array(let present) = parent.content { children = present }
        let child = Node(parent: parent, key: WireKey(index: children.count))
        parent.content = .array(children + [child])
        return child
    }

    func newNode(key: String, in parent: UInt32) throws(NavWireError) -> UInt32 {
        number(add(key, to: try node(parent)))
    }

    func newNode(in parent: UInt32) throws(NavWireError) -> UInt32 { number(try append(to: try node(parent))) }

    func remove(key: String, from parent: UInt32) {
        guard let node = nodes[parent], case .object(var members, let isMap) = node.content else { return }
        members.removeAll { $0.key.utf8.elementsEqual(key.utf8) }
        node.content = .object(members, isMap: isMap)
    }

    func removeLast(from parent: UInt32) {
        guard let node = nodes[parent] else { return }
        switch node.content {
        case .object(let members, let isMap): node.content = .object(members.dropLast(), isMap: isMap)
        case .array(let children): node.content = .array(children.dropLast())
        default: break
        }
    }

    func count(of number: UInt32) -> Int {
        if case .array(let children)? = nodes[number]?.content { children.count } else { 0 }
    }

    /// What encoded nothing is an empty object.
    func closeEmpty(_ number: UInt32) {
        if let node = nodes[number], case .empty = node.content { node.content = .object([], isMap: false) }
    }

    /// How many containers are around a node.
    func depth(of number: UInt32) -> Int {
        var depth = 0
        var node = nodes[number]
        while let parent = node?.parent {
            depth += 1
            node = parent
        }
        return depth
    }

    /// Throws where a container at that node would be too deep. What is not a container is found by nobody there.
    func checkDepth(of number: UInt32) throws(NavWireError) {
        if depth(of: number) > maximumDepth { throw .tooDeep(limit: maximumDepth) }
    }

    func codingPath(to number: UInt32) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = nodes[number]
        while let current = node, let parent = current.parent {
            path.append(current.key)
            node = parent
        }
        return path.reversed()
    }

    /// The finished tree.
    var node: NativeNode { Self.native(root) }

    private static func native(_ node: Node) -> NativeNode {
        switch node.content {
        case .empty: .object([])
        case .leaf(let leaf): leaf
        case .object(let members, let isMap):
            isMap
                ? .map(members.map { .init(key: $0.key, value: native($0.value)) })
                : .object(members.map { .init(key: $0.key, value: native($0.value)) })
        case .array(let children): .array(children.map(native))
        case .pairs(let children): .pairs(children.map(native))
        case .set(let children): .set(children.map(native))
        }
    }
}
