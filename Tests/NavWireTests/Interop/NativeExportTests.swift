// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// A natively encoded value exported as JSON is what `JSONEncoder` writes for the Swift value.
@Suite struct NativeExportTests {
    private func text(_ node: NativeNode) throws -> String {
        String(decoding: JSONWriter.bytes(of: try node.jsonValue()), as: UTF8.self)
    }

    private func expect(_ node: NativeNode, _ value: some Encodable) throws {
        let reference = try JSONScanner.value(of: Array(Coders.encoder.encode(value)))
        #expect(try node.jsonValue() == reference, "\(node)")
    }

    @Test func integersKeepEveryDigit() throws {
        try expect(.integer(isNegative: false, magnitude: 18_446_744_073_709_551_615), UInt64.max)
        try expect(.integer(isNegative: true, magnitude: UInt128(Int128.max)), Int128.min)
        try expect(.integer(isNegative: false, magnitude: 0), 0)
        try expect(.integer(isNegative: true, magnitude: 0), -1)
        #expect(try text(.integer(isNegative: true, magnitude: .max)) == "-340282366920938463463374607431768211456")
    }

    @Test func floatingPointIsWrittenAtItsOwnWidth() throws {
        for value in [0, -0.0, 1, 0.1, 1e300, Double.leastNonzeroMagnitude, -129.9, .greatestFiniteMagnitude, 1 / 3] {
            try expect(.double(bitPattern: value.bitPattern), value)
            try expect(.date(bitPattern: value.bitPattern), Date(timeIntervalSinceReferenceDate: value))
        }
        for value: Float in [3.14, 0.1, 1e38, .leastNonzeroMagnitude, -0.0] {
            try expect(.float(bitPattern: value.bitPattern), value)
        }
        for value: Float16 in [3.14, 65504, 5.96e-8, -0.0, 0.5, 1] {
            #expect(try text(.half(bitPattern: value.bitPattern)) == text(.float(bitPattern: Float(value).bitPattern)))
        }
    }

    @Test func whatJSONCannotHoldIsRefused() {
        for node in [
            NativeNode.double(bitPattern: Double.nan.bitPattern), .double(bitPattern: Double.infinity.bitPattern),
            .float(bitPattern: (-Float.infinity).bitPattern), .half(bitPattern: Float16.nan.bitPattern),
            .half(bitPattern: Float16.infinity.bitPattern), .decimal(nil),
            .array([.object([.init(key: "x", value: .double(bitPattern: Double.nan.bitPattern))])]),
        ] {
            #expect(throws: NavWireError(code: .notRepresentable, reason: "")) { try node.jsonValue() }
        }
    }

    @Test func foundationTypesHaveTheirTexts() throws {
        let id = try #require(UUID(uuidString: "00000000-0001-4000-8000-00000000000A"))
        try expect(.uuid(0x0000_0000_0001_4000_8000_0000_0000_000A), id)
        try expect(.uuid(.max), try #require(UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")))
        try expect(.data([0, 1, 2, 255]), Data([0, 1, 2, 255]))
        let relative = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")))
        try expect(.url("b?c", base: "https://example.com/a/"), relative)
        try expect(.url("https://example.com/%20", base: nil), try #require(URL(string: "https://example.com/%20")))
        let decimal = try #require(Decimal(string: "12345678901234567890.123456789012345678"))
        let number = try #require(
            JSONNumber(isNegative: false, digits: "12345678901234567890123456789012345678", exponent: -18))
        try expect(.decimal(number), decimal)
    }

    @Test func containersAreArraysAndObjects() throws {
        let one = NativeNode.integer(isNegative: false, magnitude: 1)
        try expect(.array([.null, .nestedNull(depth: 2), .bool(true), .string("é\u{0}")]), Mixed())
        try expect(.map([.init(key: "b", value: one), .init(key: "a", value: one)]), ["a": 1, "b": 1])
        #expect(try text(.pairs([.string("k"), one])) == #"["k",1]"#)
        #expect(try text(.set([one])) == "[1]")
        // JSONEncoder keeps the last value of a key that was encoded twice.
        #expect(try text(.object([.init(key: "k", value: .null), .init(key: "k", value: one)])) == #"{"k":1}"#)
    }

    @Test func keysThatDifferInNormalisationAreOneKeyAsToJSONEncoder() throws {
        let members: [NativeNode.Member] = [
            .init(key: "e\u{301}", value: .bool(true)), .init(key: "b", value: .null),
            .init(key: "\u{E9}", value: .bool(false)),
        ]
        try expect(.object(members), Accents())
        #expect(try text(.object(members)) == "{\"b\":null,\"e\u{301}\":false}")
    }

    private struct Accents: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PlainKey.self)
            try container.encode(true, forKey: PlainKey(stringValue: "e\u{301}"))
            try container.encodeNil(forKey: PlainKey(stringValue: "b"))
            try container.encode(false, forKey: PlainKey(stringValue: "\u{E9}"))
        }
    }

    private struct PlainKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Mixed: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encodeNil()
            try container.encode(Int???.some(.some(nil)))
            try container.encode(true)
            try container.encode("é\u{0}")
        }
    }
}
