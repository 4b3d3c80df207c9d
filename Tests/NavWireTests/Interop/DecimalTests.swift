// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Decimals of every exponent and width, beside Foundation's coders.
@Suite struct DecimalTests {
    static let seed = UInt64.random(in: .min ... .max)

    private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

    private func value(importedFrom item: String) throws -> PathValue {
        let text = try JSONEncoder().encode(["Shop.Price", item])
        return try PathEnvelope.decode(PathEnvelope.encode(SwiftUIJSON.decode(Array(text))))[0].value
    }

    /// A decimal comes back from all that holds it.
    private func check(_ value: Decimal, _ place: Comment) throws {
        #expect(try roundTrip(value) == value, place)
        #expect(try roundTrip(["k": [value, value]]) == ["k": [value, value]], place)
        let native = try ElementCoder.encode(value)
        #expect(try ElementCoder.decode(Decimal.self, from: native) == value, place)
        #expect(try JSONDecoder().decode(Decimal.self, from: Data(native.itemText().utf8)) == value, place)
        let item = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let imported = try self.value(importedFrom: item)
        #expect(try ElementCoder.decode(Decimal.self, from: imported) == value, place)
        #expect(try decodeImported(imported) == value, place)
        #expect(imported.isEquivalent(to: native), place)
    }

    /// What the decoder of payloads makes of an imported number.
    private func decodeImported(_ value: PathValue) throws -> Decimal? {
        guard case .json(.number(let number)) = value else { return nil }
        return Decimal(number)
    }

    @Test func everyDecimalComesBack() throws {
        var random = SeededGenerator(seed: Self.seed)
        for round in 0..<3_000 { try check(random.decimal(), "seed \(Self.seed), round \(round)") }
    }

    @Test(arguments: [
        "1e127", "1e-128", "-1e-128", "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211455e127", "-340282366920938463463374607431768211455e-128",
        "99999999999999999999999999999999999999e127", "1.00e128", "-1.5000000000000000e140",
        "1.00000000000000000000000000000000000000e165", "3.40000000000000000000000000000000000000e165",
        "-1.2345600000000000000000000000000000000e164", "0", "100000000000000000000000000000000000000",
        "12345678901234567890123456789012345678e-128", "0.000001", "0.0000001", "1e39", "1e40", "1e41",
    ])
    func decimalsAtTheEdgesComeBack(_ text: String) throws { try check(decimal(text), "\(text)") }

    @Test func aNumberIsTheDecimalThatJSONDecoderMakesOfIt() throws {
        var random = SeededGenerator(seed: Self.seed)
        var (compared, refused) = (0, 0)
        for round in 0..<1_500 {
            for text in random.spellings() {
                let place: Comment = "seed \(Self.seed), round \(round): \(text)"
                let imported = try value(importedFrom: text)
                guard let reference = try? JSONDecoder().decode(Decimal.self, from: Data(text.utf8)) else {
                    refused += 1
                    continue
                }
                compared += 1
                #expect(try decodeImported(imported) == reference, place)
                #expect(try ElementCoder.decode(Decimal.self, from: imported) == reference, place)
            }
        }
        #expect(compared > 3_000 && refused > 300, "seed \(Self.seed)")
    }

    @Test func whatNoDecimalHoldsIsRefused() throws {
        for text in ["1e166", "1e-129", "4e165", "-35e164", "1e1000", "1e-1000", "1.5e-128"] {
            let imported = try value(importedFrom: text)
            #expect(try decodeImported(imported) == nil, "\(text)")
            #expect(throws: DecodingError.self, "\(text)") { try ElementCoder.decode(Decimal.self, from: imported) }
        }
    }
}

extension SeededGenerator {
    /// Any bytes that a `Decimal` can have, zeros at the end of its significand too.
    fileprivate mutating func decimal() -> Decimal {
        var significand = UInt128(next()) << 64 | UInt128(next())
        significand >>= UInt128.random(in: 0..<128, using: &self)
        switch Int.random(in: 0..<6, using: &self) {
        case 0: significand = .max - significand % 3
        case 1: significand -= significand % 1_000_000
        case 2: significand = [1, 10, 10_000_000_000_000_000_000].randomElement(using: &self) ?? 1
        default: break
        }
        let units = (0..<8).map { UInt16(truncatingIfNeeded: significand >> UInt128(16 * $0)) }
        guard let last = units.lastIndex(where: { $0 != 0 }) else { return 0 }
        // As Foundation lays it out: exponent, then the count of units and the sign, two bytes, the units.
        let exponent = UInt8(bitPattern: .random(in: .min ... .max, using: &self))
        var bytes = [exponent, UInt8(last + 1) << 4 | (Bool.random(using: &self) ? 8 : 0), 0, 0]
        bytes += units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Decimal.self) }
    }

    /// Several texts of one number, with more digits than a `Decimal` keeps now and then.
    fileprivate mutating func spellings() -> [String] {
        var digits = String(Int.random(in: 1...9, using: &self))
        for _ in 0..<Int.random(in: 0...50, using: &self) { digits += String(Int.random(in: 0...9, using: &self)) }
        if Int.random(in: 0..<4, using: &self) == 0 { digits = "\(UInt128.max / 10)" + digits.suffix(2) }
        let exponent = Int.random(in: -180...175, using: &self)
        let zeros = String(repeating: "0", count: Int.random(in: 1...40, using: &self))
        let sign = Bool.random(using: &self) ? "-" : ""
        var texts = [
            "\(digits)e\(exponent)", "\(digits)\(zeros)e\(exponent - zeros.utf8.count)",
            "\(digits.prefix(1)).\(digits.dropFirst())\(zeros)E\(exponent + digits.utf8.count - 1)",
        ]
        let wholeDigits = digits.utf8.count + exponent
        if exponent >= 0 {
            texts.append(digits + String(repeating: "0", count: exponent))
            texts.append(digits + String(repeating: "0", count: exponent) + "." + zeros)
        } else if wholeDigits > 0 {
            texts.append("\(digits.prefix(wholeDigits)).\(digits.dropFirst(wholeDigits))")
        } else {
            texts.append("0." + String(repeating: "0", count: -wholeDigits) + digits)
        }
        return texts.map { sign + $0 }
    }
}
