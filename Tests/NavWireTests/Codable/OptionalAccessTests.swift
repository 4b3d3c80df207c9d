// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Optionals inside optionals, in every pair of ways to write and to read them.
@Suite struct OptionalAccessTests {
    /// How a value stands under its key.
    enum Write: CaseIterable { case encode, encodeIfPresent }
    enum Read: CaseIterable { case decode, decodeIfPresent }

    private static func bytes<Value: Encodable>(
        _ value: Value?, _ way: Write, inTree: Bool, _ encode: (Writes) throws -> [UInt8]
    ) throws -> [UInt8] {
        try encode(
            Writes {
                var container = $0.container(keyedBy: AnyKey.self)
                if inTree {
                    // Two containers that are open at once.
                    var (first, second) = (
                        container.nestedUnkeyedContainer(forKey: "a"), container.nestedUnkeyedContainer(forKey: "b")
                    )
                    try first.encode(1)
                    try second.encode(2)
                    try first.encode(3)
                }
                switch way {
                case .encode: try container.encode(value, forKey: "k")
                case .encodeIfPresent: try container.encodeIfPresent(value, forKey: "k")
                }
            })
    }

    private static func read<Value: Decodable>(_ decoder: any Decoder, _ way: Read) throws -> Value? {
        let container = try decoder.container(keyedBy: AnyKey.self)
        return switch way {
        case .decode: try container.decode(Value?.self, forKey: "k")
        case .decodeIfPresent: try container.decodeIfPresent(Value.self, forKey: "k")
        }
    }

    private func checkTable<Value: Codable & Hashable>(_ values: [Value?]) throws {
        for (write, read) in Write.allCases.flatMap({ write in Read.allCases.map { (write, $0) } }) {
            for (value, inTree) in values.flatMap({ [($0, false), ($0, true)] }) {
                let place: Comment = "\(String(reflecting: value)) by \(write) and \(read), in a tree: \(inTree)"
                let bytes = try Self.bytes(value, write, inTree: inTree) { try NavWireEncoder().encode($0) }
                func ours() throws -> Value? {
                    try NavWireDecoder().decode(Reads<Value?>.self, from: bytes) { try Self.read($0, read) }
                }
                if value == nil, write == .encodeIfPresent, read == .decode {
                    #expect(throws: DecodingError.self, place) { try ours() }
                } else {
                    #expect(try ours() == value, place)
                }
            }
        }
    }

    @Test func everyWayToWriteIsReadInEveryWay() throws {
        try checkTable([nil, 1] as [Int?])
        try checkTable([nil, .some(nil), 1] as [Int??])
        try checkTable([nil, .some(nil), .some(.some(nil)), 1] as [Int???])
        try checkTable([nil, .some(nil), Pair(x: 1, y: 2)] as [Pair??])
        try checkTable([nil, .some(nil), .some([nil, .some(nil), 3])] as [[Int??]??])
        try checkTable([nil, .some(nil), 2] as [Generic<Int>.Twice])
    }

    enum Generic<Wrapped> { typealias Twice = Wrapped?? }

    /// JSON has one null. What reads as nil there is nil here when it was the outermost, and what it was otherwise.
    @Test func theOutermostNilIsWhatJSONDecoderMakesOfIt() throws {
        for write in Write.allCases {
            for inTree in [false, true] {
                let json = try Self.bytes(nil as Int??, write, inTree: inTree) { try Array(JSONEncoder().encode($0)) }
                let reference = try JSONDecoder().decode(Synthesised<Int?>.self, from: Data(json))
                let bytes = try Self.bytes(nil as Int??, write, inTree: inTree) { try NavWireEncoder().encode($0) }
                #expect(try NavWireDecoder().decode(Synthesised<Int?>.self, from: bytes) == reference)
                #expect(reference.k == .none)
            }
        }
        let null = try NavWireEncoder().encode(
            Writes {
                var container = $0.container(keyedBy: AnyKey.self)
                try container.encodeNil(forKey: "k")
            })
        #expect(try NavWireDecoder().decode(Synthesised<Int?>.self, from: null).k == .none)
        #expect(try NavWireDecoder().decode(Synthesised<Int>.self, from: null).k == nil)
    }

    struct Synthesised<Value: Codable & Hashable>: Codable, Hashable { var k: Value? }

    struct WritesByItself: Codable, Hashable {
        var k: Int??
        enum CodingKeys: CodingKey { case k }
        init(k: Int??) { self.k = k }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(k, forKey: .k)
        }
    }

    enum Choice: Codable, Hashable { case one(Int??), two(x: Int???, y: Int) }

    @Test func synthesisedCodeKeepsEveryState() throws {
        for value in [nil, .some(nil), 1] as [Int??] {
            #expect(try roundTrip(WritesByItself(k: value)) == WritesByItself(k: value))
            #expect(try roundTrip(Synthesised<Int?>(k: value)) == Synthesised<Int?>(k: value))
            #expect(try roundTrip([Synthesised<Int?>(k: value)]) == [Synthesised<Int?>(k: value)])
            #expect(try roundTrip(Synthesised<Int??>(k: value)) == Synthesised<Int??>(k: value))
            #expect(try roundTrip(Choice.one(value)) == .one(value))
            #expect(try roundTrip(Choice.two(x: value, y: 1)) == .two(x: value, y: 1))
        }
        let payloads = try ([nil, .some(nil), 1] as [Int??]).map { try NativeValue(encoding: Synthesised<Int?>(k: $0)) }
        #expect(Set(payloads).count == 3)
    }

    @Test func itemsThatAreReadIfPresentKeepEveryState() throws {
        let values: [Int???] = [nil, .some(nil), .some(.some(nil)), 4]
        let bytes = try NavWireEncoder().encode(values)
        let back = try NavWireDecoder().decode(Reads<[Int???]>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            var items: [Int???] = []
            while !container.isAtEnd { items.append(try container.decodeIfPresent(Int??.self)) }
            return items
        }
        #expect(back == values)
    }

    /// A reader that knows of fewer optionals, or of more, than there were.
    @Test func aNilIsOneForEveryCountOfOptionals() throws {
        let bytes = try NavWireEncoder().encode(Synthesised<Int??>(k: .some(.some(nil))))
        #expect(try NavWireDecoder().decode(Synthesised<Int>.self, from: bytes).k == nil)
        #expect(try NavWireDecoder().decode(Synthesised<Int?>.self, from: bytes).k == .some(nil))
        #expect(try NavWireDecoder().decode(Synthesised<Int???>.self, from: bytes).k == .some(.some(nil)))
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.contains("k") && container.decodeNil(forKey: "k"))
            #expect(try container.decode(Int?.self, forKey: "k") == nil)
        }
    }

    struct Wrapper: Codable, Hashable {
        var value: Int?
        init(_ value: Int?) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int?.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// The one nil that is not told apart: a type that is no optional and writes nil for itself, in an optional.
    @Test func anOptionalOfWhatWritesNilItselfIsNilAsWithJSONDecoder() throws {
        let value = Synthesised<Wrapper>(k: Wrapper(nil))
        let reference = try JSONDecoder().decode(Synthesised<Wrapper>.self, from: JSONEncoder().encode(value))
        #expect(try roundTrip(value) == reference)
        #expect(reference.k == nil)
        #expect(try roundTrip(Synthesised<Wrapper>(k: Wrapper(3))) == Synthesised<Wrapper>(k: Wrapper(3)))
        #expect(try roundTrip([Wrapper(nil)]) == [Wrapper(nil)])
    }
}
