// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Random trees and paths from one seed.
struct RandomContent {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func string() -> String {
        switch below(6) {
        case 0: pick(["", "a", "id", "name", "Swift.Int", "Foundation.UUID", "red", "x"])
        case 1: pick(["Shop", "Mail", "Shop.Extra"]) + "." + pick(["Product", "Item", "Odd", "X1", "lower", "A"])
        case 2: pick(["naïve café", "日本", "📎", "e\u{301}", "\u{0}", "a\nb"])
        case 3: String(repeating: pick(["k", "ü", "ab"]), count: below(80))
        default: String((0..<below(12)).map { _ in pick(Array("abcdefgh")) })
        }
    }

    /// Small and large, near the borders of the forms.
    mutating func magnitude() -> UInt64 {
        let border: UInt64 = pick([
            0, 64, 320, 65856, 16_843_072, 4_311_810_368, 281_479_288_520_704, 256, .max, 1 << 32, 1 << 63,
        ])
        return border &+ next() % 5 &- 2
    }

    mutating func double() -> Double {
        switch below(6) {
        case 0:
            pick([
                0, -0.0, .nan, .infinity, -.infinity, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude,
                Double(nan: 1, signaling: false),
            ])
        case 1: Double(below(2000) - 1000)
        case 2: Double(below(200_000) - 100_000) / 100
        case 3: Double(below(20_000) - 10_000) / 10
        default: Double(bitPattern: next())
        }
    }

    mutating func json(depth: Int = 0) -> JSONValue {
        switch below(depth > 4 ? 5 : 8) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2, 3: .number(number())
        case 4: .string(string())
        case 5: .array((0..<below(14)).map { _ in json(depth: depth + 1) })
        case 6: uniformJSON()
        default: .object(JSONObject((0..<below(6)).map { _ in .init(key: string(), value: json(depth: depth + 1)) }))
        }
    }

    private mutating func uniformJSON() -> JSONValue {
        let kind = below(3)
        return .array(
            (0..<below(20)).map { _ in
                switch kind {
                case 0: .bool(below(2) == 0)
                case 1: .number(JSONNumber(500 + below(60_000)))
                default:
                    .number(
                        JSONNumber(isNegative: false, digits: "\(below(900) * 10 + 1)", exponent: -2) ?? JSONNumber(0))
                }
            })
    }

    mutating func number() -> JSONNumber {
        let digits =
            switch below(4) {
            case 0: "\(magnitude())"
            case 1: "\(below(1000))"
            case 2: "\(next())\(next())\(next())"
            default: "\(below(100_000))"
            }
        let exponent = pick([0, 0, 0, -1, -2, -3, 1, 2, 17, 19, 400, -400])
        return JSONNumber(isNegative: below(3) == 0, digits: digits, exponent: exponent) ?? JSONNumber(0)
    }

    mutating func native(depth: Int = 0) -> NativeNode {
        switch below(depth > 4 ? 14 : 21) {
        case 0: .null
        case 1: .nestedNull(depth: 1 + below(3))
        case 2: .bool(below(2) == 0)
        case 3: .integer(isNegative: below(2) == 0, magnitude: UInt128(magnitude()))
        case 4: .integer(isNegative: below(2) == 0, magnitude: UInt128(next()) << 64 | UInt128(next()))
        case 5: .half(bitPattern: UInt16(truncatingIfNeeded: next()))
        case 6: .float(bitPattern: UInt32(truncatingIfNeeded: next()))
        case 7: .double(bitPattern: double().bitPattern)
        case 8:
            .decimal(
                below(5) == 0
                    ? nil
                    : JSONNumber(isNegative: below(2) == 0, digits: "\(1 + below(99_999))", exponent: below(20) - 10))
        case 9: .string(string())
        case 10: .uuid(UInt128(next()) << 64 | UInt128(next()))
        case 11: .date(bitPattern: (below(2) == 0 ? double() : Double(next() % (1 << 41)) / 1000).bitPattern)
        case 12: .data((0..<below(40)).map { _ in UInt8(truncatingIfNeeded: next()) })
        case 13:
            .url(
                pick(["https://example.com/a?b=c", "mailto:x@y.z", "https://", "a/b"]),
                base: below(3) == 0 ? "https://base.org/" : nil)
        case 14, 15: .array((0..<below(14)).map { _ in native(depth: depth + 1) })
        case 16: uniform()
        case 17: .object(members(depth))
        case 18: .map(members(depth))
        case 19: .pairs((0..<2 * below(4)).map { _ in native(depth: depth + 1) })
        default: .set((0..<below(5)).map { _ in native(depth: depth + 1) })
        }
    }

    private mutating func uniform() -> NativeNode {
        let kind = below(6)
        return .array(
            (0..<below(20)).map { _ in
                switch kind {
                case 0: .bool(below(2) == 0)
                case 1: .integer(isNegative: false, magnitude: UInt128(100 + below(100)))
                case 2: .double(bitPattern: (Double(100 + below(50_000)) / 100).bitPattern)
                case 3: .uuid(UInt128(next()))
                case 4: .float(bitPattern: UInt32(truncatingIfNeeded: next()))
                default: .date(bitPattern: (Double(700_000_000_000 + below(1 << 30)) / 1000).bitPattern)
                }
            })
    }

    private mutating func members(_ depth: Int) -> [NativeNode.Member] {
        var seen = Set<String>()
        return (0..<below(6)).compactMap { _ in
            let key = string()
            return seen.insert(key).inserted ? .init(key: key, value: native(depth: depth + 1)) : nil
        }
    }

    mutating func path() throws -> [PathElement] {
        try (0..<below(8)).map { _ in
            // Tags have no control characters.
            let tag = String(String.UnicodeScalarView(string().unicodeScalars.filter { $0.value >= 0x20 }))
            return switch below(5) {
            case 0: PathElement(tag: tag, value: .verbatim(string()))
            case 1, 2: PathElement(tag: tag, value: .json(json()))
            default: PathElement(tag: tag, value: .native(try NativeValue(native())))
            }
        }
    }
}
