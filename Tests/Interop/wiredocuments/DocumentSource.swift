// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A value with a property of every kind that JSON can hold. Sets are left out: JSON has them in the order of chance.
struct Document: Encodable {
    var scalars: [Scalar]
    var nested: Nested
    var names: [String: [Int]]
    var numbers: [Int: String]
    var routes: [Route]
    var flags: [Bool]
    var dates: [Date]
    var ids: [UUID]
    var missing: String?
    var maybe: [Double?]
}

enum Scalar: Encodable {
    case int(Int), small(Int8), wide(Int128), unsigned(UInt64), widest(UInt128)
    case float(Float), double(Double), decimal(Decimal)
    case text(String), id(UUID), date(Date), data(Data), url(URL)
}

indirect enum Route: Encodable {
    case home
    case item(id: UUID, variant: Int?)
    case search(String)
    case back(Route)
}

struct Nested: Encodable {
    var name: String
    var children: [Nested]
}

/// Random documents from one seed.
struct DocumentSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    private mutating func list<Value>(_ most: Int, _ item: (inout Self) -> Value) -> [Value] {
        var items: [Value] = []
        for _ in 0..<below(most + 1) { items.append(item(&self)) }
        return items
    }

    mutating func document() -> Document {
        Document(
            scalars: list(20) { $0.scalar() }, nested: nested(depth: 0),
            names: Dictionary(list(5) { ($0.text(), $0.list(9) { $0.integer() }) }) { first, _ in first },
            numbers: Dictionary(list(5) { ($0.integer(), $0.text()) }) { first, _ in first },
            routes: list(6) { $0.route(depth: 0) }, flags: list(20) { $0.below(2) == 0 }, dates: list(9) { $0.date() },
            ids: list(9) { $0.uuid() }, missing: below(2) == 0 ? nil : text(),
            maybe: list(9) { $0.below(2) == 0 ? nil : $0.double() })
    }

    private mutating func integer<Value: FixedWidthInteger>() -> Value {
        let value = Value(truncatingIfNeeded: UInt128(next()) << 64 | UInt128(next()))
        return [.min, .max, 0, 1, value, value >> (Value.bitWidth / 2), value >> (Value.bitWidth - 6)][below(7)]
    }

    private mutating func double() -> Double {
        let value = Double(bitPattern: next())
        let known = [
            0, -0.0, 0.1, 3.14, -2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, Double(below(100_000)) / 100,
        ]
        return value.isFinite && below(3) == 0 ? value : known[below(known.count)]
    }

    private mutating func text() -> String {
        let known = [
            "", "a", "id", "name", "Swift.Int", "Shop.Product", "naïve café", "日本 📎", "a\n\"\\\u{0}", "e\u{301}",
        ]
        return below(3) == 0 ? String(repeating: "ab ", count: below(40)) : known[below(known.count)]
    }

    private mutating func uuid() -> UUID {
        let digits = [next(), next()].map { word in
            let text = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        var text = digits.joined()
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return UUID(uuidString: text) ?? UUID()
    }

    private mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: below(3) == 0 ? double() : Double(below(1 << 40)) / 1_000)
    }

    private mutating func decimal() -> Decimal {
        Decimal(string: "\(below(2) == 0 ? "-" : "")\(next() >> UInt64(below(60)))e\(below(30) - 20)") ?? 0
    }

    private mutating func url() -> URL {
        let text = urlText(isBase: below(3) == 0)
        let base = below(3) == 0 ? nil : URL(string: urlText(isBase: true))
        return URL(string: text, relativeTo: base) ?? URL(fileURLWithPath: "/")
    }

    /// From parts that Foundation takes, some only after escaping them.
    private mutating func urlText(isBase: Bool) -> String {
        let known = [
            "https://example.com/a", "mailto:a@example.com", "item/7", "?q=1", "https://xn--bcher-kva.example",
        ]
        if below(4) == 0 { return known[below(known.count)] }
        var text = ""
        let schemes = ["https:", "HTTP:", "mailto:", "file:", "x-y+z.1:", "urn:", ":"]
        let hosts = ["", "h", "bücher.example", "u:p@h:80", "u@h", ":@h", "h:", "[::1]:8", "%68", "EXAMPLE.com"]
        if below(10) < (isBase ? 8 : 1) { text += schemes[below(schemes.count)] }
        if below(10) < (isBase ? 6 : 1) { text += "//" + hosts[below(hosts.count)] + (below(3) == 0 ? "" : "/") }
        let segments = ["/", "/", "..", ".", "a", "b:", "%2e%2E", "%2F", "ß", "//", "x y", ";", "@", "...", "[", "|"]
        for _ in 0..<below(6) { text += segments[below(segments.count)] }
        let rest = ["", "a", "a/../b", "?", "ü b", "%", "[x]", "//"]
        if below(3) == 0 { text += "?" + rest[below(rest.count)] }
        if below(3) == 0 { text += "#" + rest[below(rest.count)] }
        return text
    }

    private mutating func scalar() -> Scalar {
        switch below(13) {
        case 0: .int(integer())
        case 1: .small(integer())
        case 2: .wide(integer())
        case 3: .unsigned(integer())
        case 4: .widest(integer())
        case 5: .float(below(2) == 0 ? 3.14 : Float(below(1_000)) / 8)
        case 6: .double(double())
        case 7: .decimal(decimal())
        case 8: .text(text())
        case 9: .id(uuid())
        case 10: .date(date())
        case 11: .data(Data(list(20) { UInt8(truncatingIfNeeded: $0.next()) }))
        default: .url(url())
        }
    }

    private mutating func route(depth: Int) -> Route {
        switch below(depth > 3 ? 3 : 4) {
        case 0: .home
        case 1: .item(id: uuid(), variant: below(2) == 0 ? nil : integer())
        case 2: .search(text())
        default: .back(route(depth: depth + 1))
        }
    }

    private mutating func nested(depth: Int) -> Nested {
        let children = depth > 2 ? [] : list(4) { $0.nested(depth: depth + 1) }
        return Nested(name: text(), children: children)
    }
}
