// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct NumberTests {
    private func keepsEverything<Value: FixedWidthInteger & Codable>(_ type: Value.Type) throws {
        let half = Value.max / 2
        let values: [Value] = [Value.min, Value.min + 1, 0, 1, 63, 64, 100, half, half + 1, Value.max - 1, Value.max]
        for value in values {
            #expect(try roundTrip(value) == value)
            #expect(try roundTrip([value]) == [value])
            #expect(try roundTrip(["k": value]) == ["k": value])
        }
    }

    @Test func everyWidthOfIntegerComesBack() throws {
        try keepsEverything(Int.self)
        try keepsEverything(Int8.self)
        try keepsEverything(Int16.self)
        try keepsEverything(Int32.self)
        try keepsEverything(Int64.self)
        try keepsEverything(Int128.self)
        try keepsEverything(UInt.self)
        try keepsEverything(UInt8.self)
        try keepsEverything(UInt16.self)
        try keepsEverything(UInt32.self)
        try keepsEverything(UInt64.self)
        try keepsEverything(UInt128.self)
    }

    @Test func everyBorderOfAFormComesBack() throws {
        for border in [0, 64, 320, 65856, 16_843_072, 4_311_810_368, 281_479_288_520_704, Int.max - 2] {
            for value in (max(0, border - 2))...(border + 2) {
                #expect(try roundTrip([value, -value, ~value]) == [value, -value, ~value])
            }
        }
    }

    @Test func aNumberThatDoesNotFitIsRefused() throws {
        let large = try NavWireEncoder().encode(300)
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(UInt8.self, from: large) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Int8.self, from: large) }
        #expect(try NavWireDecoder().decode(Int16.self, from: large) == 300)
        let negative = try NavWireEncoder().encode(-1)
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(UInt64.self, from: negative) }
        let huge = try NavWireEncoder().encode(UInt64.max)
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Int64.self, from: huge) }
        #expect(try NavWireDecoder().decode(Int128.self, from: huge) == Int128(UInt64.max))
    }

    @Test func doublesKeepEveryBit() throws {
        var values: [Double] = [
            0, -0.0, 1, -1, 0.1, 3.14, 5.02, 129.9, 99.99, .infinity, -.infinity, .nan, .pi, 1e300,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, Double(sign: .minus, exponent: -1074, significand: 1),
            Double(bitPattern: 0x7FF0_0000_0000_0001), Double(bitPattern: 0xFFF8_0000_0000_1234), 1_099_511_627_776,
            1_099_511_627_777, 0.05, 0.005, 1e15, 4503599627370497.5,
        ]
        var random = RandomContent(seed: 3)
        for _ in 0..<2000 { values.append(random.double()) }
        for value in values {
            #expect(try roundTrip(value).bitPattern == value.bitPattern)
            #expect(
                try roundTrip([value, value, value, value, value]).map(\.bitPattern)
                    == Array(repeating: value.bitPattern, count: 5))
        }
    }

    @Test func floatsKeepTheirWidth() throws {
        for value in [0 as Float, -0.0, 3.14, .nan, .infinity, .leastNonzeroMagnitude, Float(bitPattern: 0x7F80_0001)] {
            #expect(try roundTrip(value).bitPattern == value.bitPattern)
            let bytes = try NavWireEncoder().encode(value)
            #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Double.self, from: bytes) }
        }
    }

    @Test func decimalsAreExact() throws {
        let texts = [
            "129.9", "0.1", "99999999999999999999999999999999999999", "0", "-0", "-12.50", "1e100", "1e-100",
            "12345678901234567890.123456789012345678",
        ]
        for text in texts {
            let value = try #require(Decimal(string: text))
            #expect(try roundTrip(value) == value)
            #expect(try roundTrip([value]) == [value])
        }
        #expect(try roundTrip(Decimal.nan).isNaN)
        let ten = try #require(Decimal(string: "1e1"))
        #expect(try NativeValue(encoding: ten) == NativeValue(encoding: Decimal(10)))
    }

    @Test func datesKeepEveryBit() throws {
        for seconds in [
            0, 0.1, -0.1, 0.001, 781_234_567.25, 790_018_388.5, -978_307_200, 1e18, -0.0, 1_099_511_627.775,
            1_099_511_627.776,
        ] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let back = try roundTrip([[date]])
            #expect(back[0][0].timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
        }
        struct Dated: Codable, Hashable { var d: Date }
        let dated = [[Dated(d: Date(timeIntervalSinceReferenceDate: 0.1))], [], [Dated(d: .distantPast)]]
        #expect(try roundTrip(dated) == dated)
        for date in [Date.distantPast, .distantFuture] { #expect(try roundTrip(date) == date) }
    }

    @Test func halfFloatsComeBackBitForBit() throws {
        for bits: UInt16 in [0, 1, 0x3C00, 0x7C00, 0x7E01, 0x7D01, 0xFC00, 0x8000] {
            #expect(try roundTrip(Float16(bitPattern: bits)).bitPattern == bits)
        }
        for bits: UInt16 in [0, 1, 0x3C00, 0x7C00, 0x7E01, 0xFC00, 0x8000] {
            let value = try NativeValue(.half(bitPattern: bits))
            #expect(try value.node() == .half(bitPattern: bits))
        }
    }

    @Test func foundationsValuesComeBack() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        enum Holder: Codable, Hashable { case id(UUID), both(UUID, Int) }
        #expect(try roundTrip(Holder.id(id)) == .id(id))
        #expect(try roundTrip(Holder.both(id, 3)) == .both(id, 3))
        #expect(try roundTrip([id, id, id, id, id]) == [id, id, id, id, id])
        for count in [0, 1, 31, 300] {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            #expect(try roundTrip(data) == data)
            #expect(try roundTrip(["d": data[...]]) == ["d": data])
        }
        for text in ["https://example.com/a?b=c&d=%20", "mailto:a@b.c", "a/b", "https://", "file:///tmp/x"] {
            let url = try #require(URL(string: text))
            #expect(try roundTrip(url) == url)
        }
        let base = try #require(URL(string: "https://example.com/dir/"))
        let relative = try #require(URL(string: "page?x=1", relativeTo: base))
        let back = try roundTrip(relative)
        #expect(back.relativeString == "page?x=1")
        #expect(back.baseURL == base)
    }
}
