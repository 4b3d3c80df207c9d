// SPDX-License-Identifier: Apache-2.0

extension NativeNode {
    /// The content of a member of a set or a dictionary that is written at `place`: one level deeper.
    init(encoding member: some Encodable, index: Int, of place: WireEncoder) throws {
        try self.init(encoding: member, WireKey(index: index), of: place)
    }

    /// The same of a value under a key.
    init(encoding member: some Encodable, _ key: WireKey, of place: WireEncoder) throws {
        let node = unsafe try Self.apart(place, key: key, levels: 1) { state throws in
            unsafe try state.encodePart(member)
        }
        self = node ?? .object([])
    }

    /// The content of the value that is written at `place` itself.
    init(encoding value: some Encodable, at place: WireEncoder) throws {
        let node = unsafe try Self.apart(place, key: nil, levels: 0) { state throws in
            unsafe try state.encodePart(value)
        }
        self = node ?? .object([])
    }

    /// What `body` writes to a place of its own, which knows where it stands: the path to it, and how deep it is. Nil
    /// when that is nothing.
    static func apart(
        _ place: WireEncoder, key: WireKey?, levels: Int,
        _ body: (UnsafeMutablePointer<EncoderState>) throws -> Void
    ) throws -> NativeNode? {
        let state = unsafe try begin(place, key, levels)
        defer { unsafe EncoderState.close(state) }
        do {
            unsafe try body(state)
            let node = unsafe try finish(state)
            unsafe mark(place, state)
            return node
        } catch {
            unsafe mark(place, state)
            throw told(error, at: place)
        }
    }

    // What needs room is done in functions of its own: here it would lie on the stack once for each level of sets inside
    // each other.

    private static func begin(
        _ place: WireEncoder, _ key: WireKey?, _ levels: Int
    ) throws(NavWireError) -> UnsafeMutablePointer<EncoderState> {
        let outer = unsafe place.state
        guard unsafe outer.isCurrent(place.token) else { throw EncoderState.tooLate }
        var limits = unsafe outer.pointee.writer.limits.forValueAlone
        let maximumDepth = limits.maximumDepth
        let (depth, isTooLow) = maximumDepth.subtractingReportingOverflow(place.containersAround + levels)
        guard depth >= 0, !isTooLow else { throw .tooDeep(limit: maximumDepth) }
        limits.maximumDepth = depth
        let state = unsafe EncoderState.pool.take()
        unsafe state.pointee.begin(limits: limits, userInfo: outer.pointee.userInfo)
        unsafe state.pointee.outer = (place, key)
        unsafe state.pointee.isPlain = unsafe outer.pointee.isPlain
        return unsafe state
    }

    private static func finish(_ state: UnsafeMutablePointer<EncoderState>) throws(NavWireError) -> NativeNode? {
        unsafe try state.finishTree()
        guard unsafe state.pointee.writer.structure.count > 0 else { return nil }
        let value = NativeValue(verifiedPayload: unsafe try state.pointee.writer.payload())
        return unsafe try value.node(limits: state.pointee.writer.limits)
    }

    /// Makes what is wrong with the part wrong with the document around it. One that has to be written once more takes the
    /// whole, since it may have written to that too; a fault stays, whoever swallows the error.
    private static func mark(_ place: WireEncoder, _ state: UnsafeMutablePointer<EncoderState>) {
        if unsafe state.pointee.hasToBePlain {
            unsafe place.state.pointee.isAmiss = true
        } else if let fault = unsafe state.pointee.writer.fault {
            unsafe place.state.pointee.writer.fail(told(fault, at: place))
        }
    }

    /// What is left of a limit inside says nothing to anybody outside.
    private static func told(_ error: any Error, at place: WireEncoder) -> any Error {
        (error as? NavWireError).map { told($0, at: place) } ?? error
    }

    private static func told(_ error: NavWireError, at place: WireEncoder) -> NavWireError {
        guard error.code == .tooDeep else { return error }
        return unsafe .tooDeep(limit: place.state.pointee.writer.limits.maximumDepth)
    }
}

extension WireEncoder {
    /// How many containers are around the place, in this document.
    var containersAround: Int {
        unsafe state.pointee.tree?.depth(of: UInt32(truncatingIfNeeded: token)) ?? Int(depth)
    }
}
