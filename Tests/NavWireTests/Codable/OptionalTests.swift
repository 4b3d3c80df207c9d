// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

@Suite struct OptionalTests {
    struct Doubled: Codable, Hashable {
        var x: Int??
        var after = 7
    }

    struct Tripled: Codable, Hashable {
        var values: [Int???]
    }

    @Test(arguments: [nil, .some(nil), .some(.some(1))] as [Int??])
    func allStatesOfADoubleOptionalStayApart(value: Int??) throws {
        #expect(try roundTrip(value) == value)
        #expect(try roundTrip([value, 5, value]) == [value, 5, value])
        #expect(try roundTrip(Doubled(x: value)) == Doubled(x: value))
        #expect(try roundTrip(["k": value]) == ["k": value])
    }

    @Test func tripleOptionalsStayApart() throws {
        let value = Tripled(values: [nil, .some(nil), .some(.some(nil)), 3])
        #expect(try roundTrip(value) == value)
        #expect(Set([nil, .some(nil), .some(.some(nil))].map { try? NativeValue(encoding: $0 as Int???) }).count == 3)
    }

    @Test func presentNilIsNotAbsent() throws {
        let bytes = try NavWireEncoder().encode(
            Writes {
                var container = $0.container(keyedBy: AnyKey.self)
                try container.encodeNil(forKey: "nil")
                try container.encodeIfPresent(nil as Int?, forKey: "absent")
                try container.encode(nil as Int?, forKey: "optional")
                try container.encodeIfPresent(4, forKey: "four")
            })
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.allKeys == ["nil", "optional", "four"])
            #expect(container.contains("nil") && container.contains("optional") && !container.contains("absent"))
            #expect(try container.decodeNil(forKey: "nil") && container.decodeNil(forKey: "optional"))
            #expect(try !container.decodeNil(forKey: "four"))
            #expect(try container.decodeIfPresent(Int.self, forKey: "nil") == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: "absent") == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: "four") == 4)
            #expect(try container.decode(Int?.self, forKey: "nil") == nil)
            #expect(throws: DecodingError.self) { try container.decodeNil(forKey: "absent") }
            #expect(throws: DecodingError.self) { try container.decode(Int?.self, forKey: "absent") }
            #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: "nil") }
        }
    }

    @Test func nilStandsInEveryContainer() throws {
        #expect(try roundTrip([[1], nil, [2]] as [[Int]?]) == [[1], nil, [2]])
        #expect(try roundTrip(nil as String?) == nil)
        #expect(try roundTrip([nil, "", "abc"] as [String?]) == [nil, "", "abc"])
        let bytes = try NavWireEncoder().encode([nil, 1, nil] as [Int?])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decodeNil())
            #expect(try !container.decodeNil())
            #expect(container.currentIndex == 1)
            #expect(try container.decodeIfPresent(Int.self) == 1)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            #expect(container.isAtEnd)
            #expect(try container.decodeIfPresent(Int.self) == nil)
        }
    }

    @Test(arguments: [nil, "", "abc"] as [String?])
    func anOptionalInASingleValueUnderAKey(text: String?) throws {
        struct Wrapper: Codable, Hashable {
            var text: String?
            init(text: String?) { self.text = text }
            init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String?.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        struct Holder: Codable, Hashable {
            var wrapped: Wrapper
            var after: Int
        }
        let value = Holder(wrapped: Wrapper(text: text), after: 9)
        #expect(try roundTrip(value) == value)
    }

    @Test func emptyIsNotAbsent() throws {
        struct Lists: Codable, Hashable {
            var strings: [String]?
            var pairs: [Pair]?
            var map: [String: Int]?
        }
        for value in [
            Lists(), Lists(strings: [], pairs: [], map: [:]),
            Lists(strings: [""], pairs: [Pair(x: 1, y: 2)], map: ["": 0]),
        ] {
            #expect(try roundTrip(value) == value)
        }
    }

    @Test func anOptionalStructOfBothSides() throws {
        struct Tree: Codable, Hashable {
            var left: [Tree]
            var right: Pair?
        }
        let value = Tree(left: [Tree(left: [], right: nil)], right: Pair(x: 1, y: 2))
        #expect(try roundTrip(value) == value)
    }

    @propertyWrapper struct Kept<Value: Codable & Hashable>: Codable, Hashable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }

    struct Wrapped: Codable, Hashable {
        @Kept var x: Int?
        @Kept var list = [1, 2]
    }

    @Test func aWrapperAroundAnOptionalIsPresentAndNil() throws {
        for value in [Wrapped(x: nil), Wrapped(x: 3)] { #expect(try roundTrip(value) == value) }
        let absent = try NavWireEncoder().encode(["list": [1]])
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Wrapped.self, from: absent) }
    }
}
