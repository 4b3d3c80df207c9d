// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// What coders remember of `NavWireKeys`, which are meant to be one for each type but need not be.
@Suite struct KeysMadeAnewTests {
    private struct Point: NavWireCodable, Equatable {
        var x: Int
        var y: Int

        init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

        init(from reader: NavWireReader) throws {
            var object = try reader.object(NavWireKeys("x", "y"))
            self.init(x: try object.read(0).int(), y: try object.read(1).int())
        }

        func write(to writer: inout NavWireWriter) throws {
            try writer.object(NavWireKeys("x", "y")) { writer in
                writer.write(x, 0)
                writer.write(y, 1)
            }
        }
    }

    private struct Points: NavWireCodable, Equatable {
        var points: [Point]

        init(_ points: [Point]) { self.points = points }
        init(from reader: NavWireReader) throws { points = try reader.array(Point.init(from:)) }
        func write(to writer: inout NavWireWriter) throws { try writer.array(points) { try $1.write(to: &$0) } }
    }

    @Test func anEncoderForgetsThem() throws {
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncoderState())
        let points = Points((0..<1_000).map { Point(x: $0, y: -$0) })
        var payloads: Set<[UInt8]> = []
        for _ in 0..<3 {
            unsafe state.pointee.begin(limits: .default, userInfo: [:])
            var writer = unsafe NavWireWriter(state)
            try points.write(to: &writer)
            payloads.insert(unsafe try state.pointee.writer.payload())
            unsafe state.pointee.end()
            #expect(unsafe state.pointee.directKeys.count <= 256)
        }
        #expect(payloads.count == 1)
    }

    @Test func aDecoderForgetsThem() throws {
        let state = UnsafeMutablePointer<DecoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecoderState())
        let points = Points((0..<1_000).map { Point(x: $0, y: -$0) })
        let envelope = try NavWireEncoder().encode(direct: points)
        for _ in 0..<3 {
            unsafe try state.pointee.open(envelope, limits: .default, dictionary: nil)
            #expect(unsafe try Points(from: NavWireReader(state.root)) == points)
            unsafe state.pointee.end()
            #expect(unsafe state.pointee.directKeys.count <= 256)
        }
    }

    /// A document of very many keys must not make what is remembered of a few ones large.
    @Test func theyTakeRoomForThemselvesAlone() async {
        await #expect(processExitsWith: .success) {
            var table = KeyTable()
            for number in 0..<200_000 { _ = table.number(of: "\(number)") }
            let before = Memory.peakByteCount
            var known: [DirectKeys] = []
            for number in 0..<200 {
                var keys = DirectKeys(NavWireKeys("a\(number)", "b\(number)"))
                keys.number(&table)
                known.append(keys)
            }
            for keys in known {
                let places = (0..<2).map { keys.place(of: unsafe Int(keys.numbers[$0])) }
                guard places == [0, 1], keys.place(of: 7) == nil, keys.place(of: -1) == nil else { exit(3) }
            }
            guard before > 0, Memory.peakByteCount - before < 32 << 20 else { exit(2) }
        }
    }

    @Test func ofEqualNamesTheFirstCounts() {
        var table = KeyTable()
        var keys = DirectKeys(NavWireKeys("a", "b", "a", ""))
        keys.number(&table)
        #expect(["a", "b", "", "c"].map { keys.place(of: table.number(of: $0)) } == [0, 1, 3, nil])
    }
}
