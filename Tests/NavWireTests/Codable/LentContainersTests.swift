// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// How many boxes of the standard library a coder makes, which it keeps for ever.
@Suite struct LentContainersTests {
    private struct Point: Codable, Equatable {
        var x: Int
        var y: Int
    }

    private struct Chain: Codable, Equatable {
        var next: [Chain]

        init(depth: Int) { next = depth > 1 ? [Chain(depth: depth - 1)] : [] }
    }

    /// The most boxes that a new state has made for one type of keys.
    private func encodingBoxes<Value: Encodable>(_ values: [Value]) throws -> Int {
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncoderState())
        for value in values {
            unsafe state.pointee.begin(limits: .default, userInfo: [:])
            unsafe try state.encodeDocument(value)
            unsafe state.pointee.end()
        }
        var most = 0
        unsafe state.pointee.keyTypes.forEach { most = max(most, unsafe $0.pointee.boxCount) }
        return most
    }

    private func decodingBoxes<Value: Codable>(_ values: [Value]) throws -> Int {
        let state = UnsafeMutablePointer<DecoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecoderState())
        for value in values {
            let envelope = try NavWireEncoder().encode(value)
            unsafe try state.pointee.open(envelope, limits: .default, dictionary: nil)
            _ = unsafe try state.root.value(Value.self)
            unsafe state.pointee.end()
        }
        var most = 0
        unsafe state.pointee.keyTypes.forEach { most = max(most, unsafe $0.pointee.boxCount) }
        return most
    }

    @Test func valuesOneAfterAnotherShareABox() throws {
        let points = [(0..<300).map { Point(x: $0, y: -$0) }]
        #expect(try encodingBoxes(points) == 1)
        #expect(try decodingBoxes(points) == 1)
    }

    @Test func valuesInsideEachOtherHaveOneForEachLevel() throws {
        let chains = (0..<20).map { _ in Chain(depth: 30) }
        #expect(try encodingBoxes(chains) == 30)
        #expect(try decodingBoxes(chains) == 30)
    }

    /// Holds a container for each of its items at once.
    private struct Collecting: Codable {
        let items: [Point]
        init(count: Int) { items = (0..<count).map { Point(x: $0, y: 0) } }
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let containers = try (0..<(list.count ?? 0)).map { _ in try list.nestedContainer(keyedBy: AnyKey.self) }
            items = try containers.map { Point(x: try $0.decode(Int.self, forKey: "x"), y: 0) }
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var containers = items.map { _ in list.nestedContainer(keyedBy: AnyKey.self) }
            for (index, item) in items.enumerated() { try containers[index].encode(item.x, forKey: "x") }
        }
    }

    @Test func containersThatATypeCollectsAreGivenBack() throws {
        let lists = [Collecting(count: 5_000), Collecting(count: 3_000), Collecting(count: 10)]
        #expect(try encodingBoxes(lists) <= 80)
        #expect(try decodingBoxes(lists) <= 80)
        let bytes = try NavWireEncoder().encode(lists[1])
        #expect(try NavWireDecoder().decode(Collecting.self, from: bytes).items == lists[1].items)
    }
}
