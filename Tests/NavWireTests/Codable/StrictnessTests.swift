// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// A scalar is what it was encoded as; whatever else it is asked for is an error that names the place.
@Suite struct StrictnessTests {
    private func refuses<Value: Decodable>(_ type: Value.Type, _ value: some Encodable) throws {
        let bytes = try NavWireEncoder().encode(value)
        let error = try #require(throws: DecodingError.self, "\(Value.self) from \(value)") {
            try NavWireDecoder().decode(type, from: bytes)
        }
        guard case .typeMismatch = error else {
            Issue.record("\(Value.self) from \(value): \(error)")
            return
        }
    }

    @Test func aScalarOfAnotherKindIsAMismatch() throws {
        try refuses(String.self, 7)
        try refuses(Bool.self, 7)
        try refuses(Double.self, 7)
        try refuses(Float.self, 7)
        try refuses([Int].self, 7)
        try refuses([Int8].self, 7)
        try refuses([String: Int].self, 7)
        try refuses(Pair.self, 7)
        try refuses(Date.self, 7)
        try refuses(Decimal.self, 7)
        try refuses(Int.self, "7")
        try refuses(UUID.self, 7)
        try refuses(Date.self, 7.5 as Float)
        try refuses(URL.self, "https://example.com")
        try refuses(Data.self, "AAEC")
        try refuses(Int.self, true)
        try refuses(Int.self, 1.0)
        try refuses(Float.self, 1.0)
        try refuses(Double.self, 1 as Float)
        try refuses(Double.self, Date(timeIntervalSinceReferenceDate: 1))
        try refuses(String.self, UUID())
        try refuses([Int].self, ["a": 1])
        try refuses([String: Int].self, [1])
        try refuses(Int.self, [1])
    }

    @Test func nilIsNoValueOfAnyType() throws {
        let bytes = try NavWireEncoder().encode(nil as Int?)
        func refused<Value: Decodable>(_ type: Value.Type) {
            let error = #expect(throws: DecodingError.self) { try NavWireDecoder().decode(type, from: bytes) }
            guard case .valueNotFound? = error else {
                Issue.record("\(type): \(String(describing: error))")
                return
            }
        }
        refused(Int.self)
        refused(String.self)
        refused([Int].self)
        refused([Int8].self)
        refused(Pair.self)
        refused(Date.self)
        refused(URL.self)
    }

    @Test func aTextThatReadsLikeASentinelIsAText() throws {
        for text in ["$null", "null", "nil", "true", "NaN", "inf", "0", ""] {
            #expect(try roundTrip(text) == text)
            #expect(try roundTrip([text] as [String?]) == [text])
            #expect(try roundTrip(["$null": text]) == ["$null": text])
        }
    }

    @Test func anAbsentKeyIsKeyNotFoundEvenForAWrapperAroundAnOptional() throws {
        let bytes = try NavWireEncoder().encode(["list": [1]])
        let error = try #require(throws: DecodingError.self) {
            try NavWireDecoder().decode(OptionalTests.Wrapped.self, from: bytes)
        }
        guard case .keyNotFound(let key, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(key.stringValue == "x")
        #expect(context.codingPath.isEmpty)
    }

    @Test(arguments: [0, 1, 3, 4, 11, 12, 15, 16, 127, 128, 139, 140, 255, 256, 65_535, 65_536])
    func everyCountOfItemsComesBack(count: Int) throws {
        let numbers = (0..<count).map { $0 % 3 == 0 ? $0 : -$0 }
        #expect(try roundTrip(numbers) == numbers)
        let flags = numbers.map { $0 % 2 == 0 }
        #expect(try roundTrip(flags) == flags)
        let pairs = numbers.prefix(5_000).map { Pair(x: $0, y: 1) }
        #expect(try roundTrip(pairs) == pairs)
        let text = String(repeating: "x", count: count)
        #expect(try roundTrip([text, text, text]) == [text, text, text])
        let data = Data(repeating: 7, count: count)
        #expect(try roundTrip(data) == data)
    }

    @Test func whatJSONImportedKeepsItsRange() throws {
        func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
            let path = try SwiftUIJSON.decode(try JSONEncoder().encode(["Shop.Number", text]).map { $0 })
            let back = try PathEnvelope.decode(PathEnvelope.encode(path))
            return try ElementCoder.decode(type, from: back[0].value)
        }
        #expect(throws: DecodingError.self) { try read(Int64.self, "-9223372036854775809") }
        #expect(try read(Int64.self, "-9223372036854775808") == .min)
        #expect(try read(UInt64.self, "9223372036854775808") == 1 << 63)
        #expect(try read(UInt64.self, "18446744073709551615") == .max)
        #expect(throws: DecodingError.self) { try read(UInt64.self, "18446744073709551616") }
        #expect(try read(Decimal.self, "129.9") == Decimal(string: "129.9"))
        let nines = String(repeating: "9", count: 38)
        #expect(try read(Decimal.self, nines) == Decimal(string: nines))
    }

    // MARK: Wrappers

    /// Hands on its encoder and its decoder, or uses a container.
    private struct Wrapper<Value: Codable & Equatable, Ways: WrapperWays>: Codable, Equatable {
        let value: Value
        init(_ value: Value) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try Ways.handsOnDecoder ? Value(from: decoder) : decoder.singleValueContainer().decode(Value.self)
        }
        func encode(to encoder: any Encoder) throws {
            if Ways.handsOnEncoder { return try value.encode(to: encoder) }
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
    private protocol WrapperWays { static var handsOnEncoder: Bool { get }; static var handsOnDecoder: Bool { get } }
    private enum Both: WrapperWays { static let handsOnEncoder = true; static let handsOnDecoder = true }
    private enum Encoding: WrapperWays { static let handsOnEncoder = true; static let handsOnDecoder = false }
    private enum Decoding: WrapperWays { static let handsOnEncoder = false; static let handsOnDecoder = true }
    private enum Neither: WrapperWays { static let handsOnEncoder = false; static let handsOnDecoder = false }

    private func comesBack<Value: Codable & Equatable>(_ value: Value) throws {
        let written = try [
            NavWireEncoder().encode(["k": Wrapper<Value, Both>(value)]), NavWireEncoder().encode(["k": value]),
            NavWireEncoder().encode(["k": Wrapper<Value, Neither>(value)]),
        ]
        for bytes in written {
            #expect(try NavWireDecoder().decode([String: Wrapper<Value, Both>].self, from: bytes)["k"]?.value == value)
            #expect(
                try NavWireDecoder().decode([String: Wrapper<Value, Neither>].self, from: bytes)["k"]?.value == value)
            #expect(try NavWireDecoder().decode([String: Value].self, from: bytes)["k"] == value)
        }
        #expect(try roundTrip(Wrapper<Value, Encoding>(value)).value == value)
        #expect(try roundTrip(Wrapper<Value, Decoding>(value)).value == value)
    }

    @Test func wrappersThatHandOnTheirCodersComeOutEven() throws {
        try comesBack(Date(timeIntervalSinceReferenceDate: 812_345_678.25))
        try comesBack(UUID())
        try comesBack(1.5 as Float16)
        try comesBack("text")
        try comesBack(1.25)
        try comesBack([1, 2, 3])
        try comesBack(["a": Set([1])])
        try comesBack(Pair?.some(Pair(x: 1, y: 2)))
    }
}
