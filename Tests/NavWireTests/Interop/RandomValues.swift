// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A type with a property of every kind that an app's routes have.
struct Everything: Codable, Equatable {
    struct Inner: Codable, Equatable {
        var id: UUID
        var label: String?
        var children: [Inner]
    }

    var flag: Bool
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var int128: Int128
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var uint128: UInt128
    var float: Float
    var double: Double
    var decimal: Decimal
    var string: String
    var uuid: UUID
    var date: Date
    var data: Data
    var url: URL
    var relative: URL
    var optional: Int?
    var optionalText: String?
    var range: Range<Int>
    var route: RandomRoute
    var inner: Inner
    var numbers: [Int]
    var doubles: [Double]
    var dates: [Date]
    var maybe: [String?]
    var table: [String: [Int]]
    var byNumber: [Int: String]
}

indirect enum RandomRoute: Codable, Equatable {
    case home
    case item(UUID)
    case search(query: String, limit: Int?)
    case pair(Double, Decimal)
    case back(RandomRoute)
}

/// Random Swift values that JSON can hold, from one seed.
struct RandomValues {
    private var content: RandomContent

    init(seed: UInt64) { content = RandomContent(seed: seed) }

    mutating func integer<Value: FixedWidthInteger>() -> Value {
        let value = Value(truncatingIfNeeded: UInt128(content.next()) << 64 | UInt128(content.next()))
        return [.min, .max, 0, 1, value, value >> (Value.bitWidth / 2), value >> (Value.bitWidth - 6)][content.below(7)]
    }

    mutating func int() -> Int { integer() }
    mutating func string() -> String { content.string() }

    mutating func double() -> Double {
        let value = content.double()
        return value.isFinite ? value : 0.1
    }

    mutating func float() -> Float {
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: content.next()))
        return value.isFinite ? value : 3.14
    }

    mutating func decimal() -> Decimal {
        let sign = content.below(2) == 0 ? "" : "-"
        let digits = "\(content.below(9_999))\(content.next() >> UInt64(content.below(60)))"
        return Decimal(string: "\(sign)\(digits)e\(content.below(30) - 20)") ?? 0
    }

    mutating func uuid() -> UUID {
        let (high, low) = (content.next(), content.next())
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }

    mutating func date() -> Date {
        let seconds = content.below(3) == 0 ? double() : Double(content.below(1 << 40)) / 1_000
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    mutating func data() -> Data {
        Data((0..<content.below(20)).map { _ in UInt8(truncatingIfNeeded: content.next()) })
    }

    mutating func url() -> URL {
        let texts = [
            "https://example.com/a?b=c&d=%20#e", "https://", "mailto:a@b.c", "file:///tmp/x%20y", "a/b", "?q",
            "https://xn--bcher-kva.example/\(content.below(100))",
        ]
        return URL(string: content.pick(texts)) ?? URL(filePath: "/")
    }

    mutating func list<Value>(_ item: (inout Self) -> Value) -> [Value] {
        var items: [Value] = []
        for _ in 0..<content.below(7) { items.append(item(&self)) }
        return items
    }

    mutating func optional<Value>(_ item: (inout Self) -> Value) -> Value? {
        content.below(3) == 0 ? nil : item(&self)
    }

    mutating func dictionary<Value>(_ value: (inout Self) -> Value) -> [String: Value] {
        Dictionary(list { ($0.string(), value(&$0)) }) { first, _ in first }
    }

    mutating func route(depth: Int = 0) -> RandomRoute {
        switch content.below(depth > 3 ? 4 : 5) {
        case 0: .home
        case 1: .item(uuid())
        case 2: .search(query: string(), limit: optional { $0.integer() })
        case 3: .pair(double(), decimal())
        default: .back(route(depth: depth + 1))
        }
    }

    private mutating func inner(depth: Int = 0) -> Everything.Inner {
        let children = depth > 1 ? [] : list { $0.inner(depth: depth + 1) }
        return Everything.Inner(id: uuid(), label: optional { $0.string() }, children: children)
    }

    mutating func everything() -> Everything {
        let bound = content.below(1_000)
        return Everything(
            flag: content.below(2) == 0, int: integer(), int8: integer(), int16: integer(), int32: integer(),
            int64: integer(), int128: integer(), uint: integer(), uint8: integer(), uint16: integer(),
            uint32: integer(), uint64: integer(), uint128: integer(), float: float(), double: double(),
            decimal: decimal(), string: string(), uuid: uuid(), date: date(), data: data(), url: url(),
            relative: URL(string: "b?c", relativeTo: url()) ?? url(), optional: optional { $0.integer() },
            optionalText: optional { $0.string() }, range: -bound..<bound, route: route(), inner: inner(),
            numbers: list { $0.integer() }, doubles: list { $0.double() }, dates: list { $0.date() },
            maybe: list { $0.optional { $0.string() } }, table: dictionary { $0.list { $0.integer() } },
            byNumber: Dictionary(list { ($0.integer(), $0.string()) }) { first, _ in first })
    }
}
