// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// Handles that are kept beyond the call that made them, when the state that they point to serves another call: nothing
/// of that may be seen through them, and nothing in it may move.
@Suite struct KeptHandleTests {
    private struct Later: Codable { var z: Int }
    private enum LaterKeys: CodingKey { case z }

    private static let marker = CodingUserInfoKey(rawValue: "marker")!

    private static let keys = NavWireKeys("a", "list")

    // MARK: Decoding

    /// A state in a second call, whose values are like those of the first, and the root of the first.
    private func keptRoot(
        _ use: (WireDecoder) throws -> Void = { _ in }
    ) throws -> (state: UnsafeMutablePointer<DecoderState>, root: WireDecoder) {
        struct Value: Encodable {
            var a: Int?? = .some(nil)
            var list = [1, 2]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(a, forKey: "a")
                try container.encode(list, forKey: "list")
            }
        }
        let state = UnsafeMutablePointer<DecoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecoderState())
        let envelope = try NavWireEncoder().encode(Value())
        unsafe try state.pointee.open(envelope, limits: .default, dictionary: nil)
        let root = unsafe state.root
        try use(root)
        unsafe state.pointee.end()
        unsafe try state.pointee.open(envelope, limits: .default, dictionary: nil)
        unsafe state.pointee.userInfo = [Self.marker: "second call"]
        return unsafe (state, root)
    }

    @Test func aDecoderFindsNothing() throws {
        let (state, root) = unsafe try keptRoot()
        let known = unsafe state.pointee.valueTypes.count
        #expect(throws: WireDecoder.tooLate) { try root.value(Later.self) }
        #expect(throws: WireDecoder.tooLate) { try root.value(Int???.self) }
        #expect(throws: WireDecoder.tooLate) { try root.valueIfPresent(Int??.self) }
        #expect(throws: WireDecoder.tooLate) { try root.container(keyedBy: LaterKeys.self) }
        #expect(throws: WireDecoder.tooLate) { try root.unkeyedContainer() }
        #expect(root.userInfo.isEmpty)
        #expect(root.codingPath.isEmpty)
        #expect(unsafe state.pointee.valueTypes.count == known)
        #expect(unsafe state.pointee.keyTypes.count == 0)
        #expect(unsafe state.root.userInfo.count == 1)
    }

    @Test func containersOfADecoderFindNothing() throws {
        var kept: KeyedDecodingContainer<AnyKey>?
        var list: (any UnkeyedDecodingContainer)?
        let (state, _) = unsafe try keptRoot { root in
            kept = try root.container(keyedBy: AnyKey.self)
            list = try kept?.nestedUnkeyedContainer(forKey: "list")
        }
        let keyed = try #require(kept)
        var items = try #require(list)
        let known = unsafe (state.pointee.valueTypes.count, state.pointee.keyTypes.count)
        #expect(throws: WireDecoder.tooLate) { try keyed.decode(Later.self, forKey: "list") }
        #expect(throws: WireDecoder.tooLate) { try keyed.decodeIfPresent(Later.self, forKey: "list") }
        #expect(throws: WireDecoder.tooLate) { try keyed.decodeIfPresent(Int.self, forKey: "list") }
        #expect(throws: WireDecoder.tooLate) { try keyed.decodeNil(forKey: "a") }
        #expect(throws: WireDecoder.tooLate) { try keyed.nestedContainer(keyedBy: LaterKeys.self, forKey: "list") }
        #expect(throws: WireDecoder.tooLate) { try Later(from: keyed.superDecoder(forKey: "list")) }
        #expect(throws: WireDecoder.tooLate) { try items.decode(Later.self) }
        #expect(throws: WireDecoder.tooLate) { try items.decodeIfPresent(Later.self) }
        #expect(throws: WireDecoder.tooLate) { try items.superDecoder() }
        #expect(keyed.allKeys.isEmpty && keyed.codingPath.isEmpty && !keyed.contains("a"))
        #expect(items.count == 0 && items.isAtEnd && items.codingPath.isEmpty)
        #expect(unsafe known == (state.pointee.valueTypes.count, state.pointee.keyTypes.count))
    }

    @Test func readersOfTheDirectPathFindNothing() throws {
        var object: NavWireObjectReader?
        var items: NavWireItems?
        let (state, root) = unsafe try keptRoot { root in
            object = try NavWireReader(root).object(Self.keys)
            items = try object?.read(1).items()
        }
        let reader = NavWireReader(root)
        var members = try #require(object)
        var rest = try #require(items)
        #expect(throws: WireDecoder.tooLate) { try members.read(0) }
        #expect(throws: WireDecoder.tooLate) { try members.readIfPresent(0) }
        #expect(members.firstKey() == nil)
        #expect(rest.next() == nil)
        #expect(throws: WireDecoder.tooLate) { try reader.value(Later.self) }
        #expect(throws: WireDecoder.tooLate) { try reader.object(NavWireKeys("z")) }
        #expect(throws: WireDecoder.tooLate) { try reader.items() }
        #expect(throws: WireDecoder.tooLate) { try reader.place(among: NavWireKeys("z")) }
        #expect(unsafe state.pointee.directKeys.count == 1)
    }

    /// The nil that stands in for a `super` that was never written has no entry.
    @Test func aMissingSuperIsNilOfEveryDepth() throws {
        let envelope = try NavWireEncoder().encode(Pair(x: 1, y: 2))
        let found = try NavWireDecoder()
            .decode(Reads<Int???>.self, from: envelope) { decoder in
                let parent = try decoder.container(keyedBy: AnyKey.self).superDecoder()
                return try parent.singleValueContainer().decode(Int???.self)
            }
        #expect(found == .none)
    }

    // MARK: Encoding

    /// A state in a second call, and what `use` kept of the first.
    private func kept<Kept>(
        _ use: (WireEncoder) throws -> Kept
    ) throws -> (state: UnsafeMutablePointer<EncoderState>, kept: Kept) {
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncoderState())
        unsafe state.pointee.begin(limits: .default, userInfo: [:])
        let kept = try use(unsafe WireEncoder(next: state))
        unsafe state.pointee.end()
        unsafe state.pointee.begin(limits: .default, userInfo: [Self.marker: "second call"])
        // As deep as the first call was, so that all places are where they were.
        var list = unsafe WireEncoder(next: state).unkeyedContainer()
        try list.encode(1)
        return unsafe (state, kept)
    }

    @Test func anEncoderWritesNothing() throws {
        let (state, encoder) = unsafe try kept { $0 }
        var keyed = encoder.container(keyedBy: LaterKeys.self)
        var dictionary = encoder.container(keyedBy: AnyKey.self)
        var list = encoder.unkeyedContainer()
        var single = encoder.singleValueContainer()
        #expect(throws: EncoderState.tooLate) { try keyed.encode(1, forKey: .z) }
        #expect(throws: EncoderState.tooLate) { try keyed.encodeNil(forKey: .z) }
        #expect(throws: EncoderState.tooLate) { try keyed.encode(Later(z: 1), forKey: .z) }
        #expect(throws: EncoderState.tooLate) { try keyed.encodeIfPresent(Later(z: 1), forKey: .z) }
        #expect(throws: EncoderState.tooLate) { try dictionary.encode([1], forKey: "z") }
        #expect(throws: EncoderState.tooLate) { try list.encode("x") }
        #expect(throws: EncoderState.tooLate) { try single.encode(Later(z: 1)) }
        var nested = keyed.nestedContainer(keyedBy: LaterKeys.self, forKey: .z)
        var items = nested.nestedUnkeyedContainer(forKey: .z)
        #expect(throws: EncoderState.tooLate) { try nested.encode(1, forKey: .z) }
        #expect(throws: EncoderState.tooLate) { try items.encode(1) }
        #expect(throws: EncoderState.tooLate) { try Later(z: 1).encode(to: items.superEncoder()) }
        #expect(throws: EncoderState.tooLate) { try Later(z: 1).encode(to: keyed.superEncoder()) }
        #expect(encoder.userInfo.isEmpty && encoder.codingPath.isEmpty && list.count == 0)
        #expect(keyed.codingPath.isEmpty && list.codingPath.isEmpty && single.codingPath.isEmpty)
        #expect(unsafe state.pointee.keyTypes.count == 0)
        #expect(unsafe state.pointee.writer.fault == nil)
        unsafe state.pointee.close(to: 0)
        #expect(unsafe try state.pointee.writer.payload() == NativeValue(encoding: [1]).payload)
    }

    @Test func containersOfAnEncoderWriteNothing() throws {
        let (state, found) = unsafe try kept { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            return (list, list.nestedContainer(keyedBy: AnyKey.self), list.superEncoder())
        }
        var (list, keyed, parent) = found
        let known = unsafe state.pointee.keyTypes.count
        #expect(throws: EncoderState.tooLate) { try list.encode(2) }
        #expect(throws: EncoderState.tooLate) { try keyed.encode(2, forKey: "a") }
        #expect(throws: EncoderState.tooLate) { try Later(z: 1).encode(to: parent) }
        #expect(throws: EncoderState.tooLate) { try Later(z: 1).encode(to: keyed.superEncoder(forKey: "a")) }
        #expect(list.count == 0)
        #expect(list.codingPath.isEmpty && keyed.codingPath.isEmpty && parent.codingPath.isEmpty)
        #expect(parent.userInfo.isEmpty)
        #expect(unsafe state.pointee.keyTypes.count == known)
    }

    /// A writer cannot be kept, but two of them can be put in each other's place.
    @Test func aWriterOfAnotherValueIsTheProgrammersMistake() async {
        await #expect(processExitsWith: .failure) {
            _ = try NavWireEncoder().encode(direct: Swapping())
        }
    }

    private struct Swapping: NavWireCodable {
        init() {}
        init(from reader: NavWireReader) throws {}
        func write(to writer: inout NavWireWriter) throws {
            try withUnsafeMutablePointer(to: &writer) { outer in
                nonisolated(unsafe) let outer = unsafe outer
                _ = try NavWireEncoder().encode(direct: Inner { unsafe swap(&$0, &outer.pointee) })
            }
            writer.write(1)
        }
    }

    private struct Inner: NavWireCodable {
        var body: (inout NavWireWriter) -> Void
        init(_ body: @escaping (inout NavWireWriter) -> Void) { self.body = body }
        init(from reader: NavWireReader) throws { body = { _ in } }
        func write(to writer: inout NavWireWriter) throws {
            writer.write(1)
            body(&writer)
        }
    }
}
