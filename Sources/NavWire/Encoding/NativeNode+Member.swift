// SPDX-License-Identifier: Apache-2.0

extension NativeNode {
    /// The content of a member of a set or a dictionary that is written at `place`: one level deeper.
    init(encoding member: some Encodable, index: Int, of place: WireEncoder) throws {
        let node = unsafe try Self.apart(place, key: WireKey(index: index), levels: 1) { state throws in
            unsafe try state.encodeDocument(member)
        }
        self = node ?? .object([])
    }

    /// The content of the value that is written at `place` itself.
    init(encoding value: some Encodable, at place: WireEncoder) throws {
        let node = unsafe try Self.apart(place, key: nil, levels: 0) { state throws in
            unsafe try state.encodeDocument(value)
        }
        self = node ?? .object([])
    }

    /// What `body` writes to a place of its own, which knows where it stands: the path to it, and how deep it is. Nil
    /// when that is nothing.
    static func apart(
        _ place: WireEncoder, key: WireKey?, levels: Int,
        _ body: (UnsafeMutablePointer<EncoderState>) throws -> Void
    ) throws -> NativeNode? {
        let outer = unsafe place.state
        let limits = unsafe outer.pointee.writer.limits
        var inner = limits
        inner.maximumDepth -= place.containersAround + levels
        guard inner.maximumDepth >= 0 else { throw NavWireError.tooDeep(limit: limits.maximumDepth) }
        let state = unsafe NavWireEncoder.states.take()
        defer {
            unsafe state.pointee.end()
            unsafe NavWireEncoder.states.give(state)
        }
        unsafe state.pointee.begin(limits: inner, userInfo: outer.pointee.userInfo)
        unsafe state.pointee.outer = (place, key)
        unsafe state.pointee.wrapperLevel = unsafe outer.pointee.wrapperLevel
        do {
            unsafe try body(state)
            unsafe try state.finishTree()
            guard unsafe state.pointee.writer.structure.count > 0 else { return nil }
            return unsafe try NativeValue(verifiedPayload: try state.pointee.writer.payload()).node(limits: inner)
        } catch let error as NavWireError where error.code == .tooDeep {
            // What is left of the limit here says nothing to anybody outside.
            throw NavWireError.tooDeep(limit: limits.maximumDepth)
        }
    }
}

extension WireEncoder {
    /// How many containers are around the place, in this document.
    var containersAround: Int {
        unsafe state.pointee.tree?.depth(of: UInt32(truncatingIfNeeded: token)) ?? Int(depth)
    }
}
