// SPDX-License-Identifier: Apache-2.0
import Foundation

struct SplitMix: RandomNumberGenerator {
    var s: UInt64
    init(_ seed: UInt64) { s = seed }
    mutating func next() -> UInt64 {
        s &+= 0x9E3779B97F4A7C15; var z = s
        z = (z ^ (z >> 30)) &* 0xBF58476D1CE4E5B9; z = (z ^ (z >> 27)) &* 0x94D049BB133111EB
        return z ^ (z >> 31)
    }
}

enum Section: String, Codable, Hashable, Sendable { case general, account, privacy, notifications, appearance }

struct Draft: Codable, Hashable, Sendable {
    var subject: String?, body: String, priority: Int
    init(subject: String?, body: String, priority: Int) {
        self.subject = subject; self.body = body; self.priority = priority
    }
}
enum Route: Codable, Hashable, Sendable {
    case home
    case search(query: String)
    case product(id: UUID, variant: Int?)
    case profile(userID: UInt64)
    case settings(Section)
    case web(URL)
    case tab(Int)
    case compose(to: [String], draft: Draft?)
}
struct Product: Codable, Hashable, Sendable {
    var id: UUID, title: String, price: Double, tags: [String]
    init(id: UUID, title: String, price: Double, tags: [String]) {
        self.id = id; self.title = title; self.price = price; self.tags = tags
    }
}
struct Folder: Codable, Hashable, Sendable {
    var id: Int, name: String, parent: Int?
    init(id: Int, name: String, parent: Int?) { self.id = id; self.name = name; self.parent = parent }
}
struct Message: Codable, Hashable, Sendable {
    var id: UInt64, thread: UUID, sentAt: Date, unread: Bool
    init(id: UInt64, thread: UUID, sentAt: Date, unread: Bool) {
        self.id = id; self.thread = thread; self.sentAt = sentAt; self.unread = unread
    }
}
struct PriceRange: Codable, Hashable, Sendable {
    var min: Int, max: Int?
    init(min: Int, max: Int?) { self.min = min; self.max = max }
}
struct Filter: Codable, Hashable, Sendable {
    var text: String?, range: PriceRange?, facets: [String: String], sort: Section?
    init(text: String?, range: PriceRange?, facets: [String: String], sort: Section?) {
        self.text = text; self.range = range; self.facets = facets; self.sort = sort
    }
}

/// Registry: what a NavigationPath does with `_typeByName`; here a plain table (fair to every codec).
struct TypeEntry: @unchecked Sendable {
    let name: String
    let type: Any.Type
    let enc: (Any, inout any UnkeyedEncodingContainer) throws -> Void
    let dec: (inout any UnkeyedDecodingContainer) throws -> any (Hashable & Codable & Sendable)
    let json: (Data, JSONDecoder) throws -> any (Hashable & Codable & Sendable)
    init<T: Hashable & Codable & Sendable>(_ n: String, _ t: T.Type) {
        name = n; type = t
        enc = { v, c in try c.encode(v as! T) }
        dec = { c in try c.decode(T.self) }
        json = { d, j in try j.decode(T.self, from: d) }
    }
}
typealias Elem = any (Hashable & Codable & Sendable)
let entries: [TypeEntry] =
    [
        .init("Swift.Int", Int.self), .init("Swift.String", String.self), .init("Foundation.UUID", UUID.self),
        .init("Foundation.URL", URL.self),
        .init("ShopApp.Route", Route.self), .init("ShopApp.Product", Product.self),
        .init("ShopApp.Folder", Folder.self),
        .init("ShopApp.Message", Message.self), .init("ShopApp.Filter", Filter.self), .init("Outdoors.Hike", Hike.self),
        .init("Reading.Library", Library.self),
        .init("Desk.Ticket", Ticket.self),
    ] + SampleCorpus.entries
let byName: [String: TypeEntry] = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
let byType: [ObjectIdentifier: TypeEntry] = Dictionary(
    uniqueKeysWithValues: entries.map { (ObjectIdentifier($0.type), $0) })

/// Heterogeneous path: [name, value, name, value …] in one unkeyed container (NavigationPath's own shape, values not stringified).
struct Path: Codable, Equatable, @unchecked Sendable {
    var elems: [Elem]
    init(_ e: [Elem]) { elems = e }
    func encode(to encoder: any Encoder) throws {
        var c = encoder.unkeyedContainer()
        for e in elems {
            let t = byType[ObjectIdentifier(Swift.type(of: e))]!
            try c.encode(t.name)
            try c.encode(e)  // opens the existential
        }
    }
    init(from decoder: any Decoder) throws {
        var c = try decoder.unkeyedContainer()
        elems = []
        while !c.isAtEnd {
            let n = try c.decode(String.self)
            guard let t = byName[n] else {
                throw DecodingError.dataCorruptedError(in: c, debugDescription: "unknown type \(n)")
            }
            elems.append(try t.dec(&c))
        }
    }
    static func == (a: Path, b: Path) -> Bool {
        guard a.elems.count == b.elems.count else { return false }
        for (x, y) in zip(a.elems, b.elems) { if AnyHashable(x) != AnyHashable(y) { return false } }
        return true
    }
}

let words = [
    "blue", "café", "winter", "jacket", "men's", "running", "shoes", "naïve", "organic", "cotton", "shirt", "leather",
    "wallet", "mini", "pro", "max", "ultra", "smart", "watch", "Kopfhörer", "green", "tea", "日本", "茶碗", "wooden",
    "desk", "lamp", "LED", "USB-C", "cable", "fast", "charger", "Größe", "XL", "classic", "retro", "vinyl", "record",
    "player", "garden",
]
let tagPool = [
    "sale", "new", "bestseller", "eco", "clearance", "premium", "kids", "outdoor", "indoor", "travel", "gift",
    "limited",
]
let folderNames = [
    "Inbox", "Archive", "Projects", "Invoices 2026", "Photos", "Réunions", "Taxes", "Receipts", "Design", "Personal",
    "Travel", "資料",
]
let hosts = ["www.example.com", "shop.example.org", "docs.example.net", "news.example.co.uk"]
let facetKeys = ["color", "size", "brand", "material"]
let facetVals = ["red", "blue", "black", "S", "M", "L", "XL", "Acme", "Nordwind", "cotton", "wool", "steel"]
let bodies = ["Hi, just following up.", "See attached 📎", "Can we move this to Thursday?", "Danke schön!", ""]

struct Gen {
    var r: SplitMix
    var bits = 0.0  // information put in by the generator (log2 of each choice)
    init(_ seed: UInt64) { r = SplitMix(seed) }
    mutating func n(_ k: Int) -> Int { bits += log2(Double(k)); return Int(r.next() % UInt64(k)) }
    mutating func pick<T>(_ a: [T]) -> T { a[n(a.count)] }
    mutating func uuid() -> UUID {
        bits += 122; var u: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &u) { p in
            for i in 0..<2 { p.storeBytes(of: r.next(), toByteOffset: i * 8, as: UInt64.self) };
            p[6] = p[6] & 0x0f | 0x40; p[8] = p[8] & 0x3f | 0x80
        }
        return UUID(uuid: u)
    }
    mutating func phrase(_ lo: Int, _ hi: Int) -> String {
        (0..<(lo + n(hi - lo + 1))).map { _ in pick(words) }.joined(separator: " ")
    }
    mutating func snowflake() -> UInt64 {
        (UInt64(1_700_000_000_000 + n(80_000_000_000)) << 22) & 0x7fff_ffff_ffff_ffff | UInt64(n(1 << 22))
    }
    mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: Double(720_000_000_000 + n(80_000_000_000)) / 1000)
    }
    mutating func url() -> URL {
        URL(string: "https://\(pick(hosts))/\(pick(tagPool))/\(n(100000))?ref=\(pick(tagPool))")!
    }
    mutating func route() -> Route {
        switch n(10) {
        case 0: return .home
        case 1: return .search(query: phrase(1, 4))
        case 2, 3: return .product(id: uuid(), variant: n(2) == 0 ? nil : n(20))
        case 4: return .profile(userID: snowflake())
        case 5: return .settings(pick([.general, .account, .privacy, .notifications, .appearance]))
        case 6: return .web(url())
        case 7: return .tab(n(5))
        default:
            return .compose(
                to: (0..<(1 + n(3))).map { _ in "user\(n(1000))@example.com" },
                draft: n(2) == 0
                    ? nil : Draft(subject: n(2) == 0 ? nil : phrase(2, 5), body: pick(bodies), priority: n(3)))
        }
    }
    mutating func product() -> Product {
        Product(
            id: uuid(), title: phrase(2, 6), price: Double(99 + n(50000)) / 100,
            tags: (0..<n(5)).map { _ in pick(tagPool) })
    }
    mutating func folder() -> Folder {
        Folder(id: n(100_000), name: pick(folderNames), parent: n(3) == 0 ? nil : n(100_000))
    }
    mutating func message() -> Message { Message(id: snowflake(), thread: uuid(), sentAt: date(), unread: n(2) == 0) }
    mutating func filter() -> Filter {
        var f: [String: String] = [:]; for _ in 0..<n(4) { f[pick(facetKeys)] = pick(facetVals) }
        return Filter(
            text: n(2) == 0 ? nil : phrase(1, 3),
            range: n(2) == 0 ? nil : PriceRange(min: n(100), max: n(2) == 0 ? nil : 100 + n(1000)), facets: f,
            sort: n(2) == 0 ? nil : .general)
    }
    mutating func elem() -> Elem {
        switch n(20) {
        case 0..<7: return route()
        case 7..<10: return product()
        case 10..<13: return folder()
        case 13..<16: return message()
        case 16: return filter()
        case 17: return n(100_000)
        case 18: return phrase(1, 3)
        default: return n(2) == 0 ? uuid() as Elem : url() as Elem
        }
    }
    mutating func path(_ k: Int) -> Path { Path((0..<k).map { _ in elem() }) }
}
enum Sets {
    static let small: [Path] = {
        var g = Gen(1); return (0..<64).map { _ in g.path(3) }
    }()  // 64 distinct paths of 3; figures are per path
    static let medium: [Path] = {
        var g = Gen(2); return (0..<16).map { _ in g.path(30) }
    }()
    static let large: [Path] = {
        var g = Gen(3); return [g.path(1000)]
    }()
    static let many: [Path] = {
        var g = Gen(4);
        return (0..<10_000).map { _ in
            let k = 1 + Int(g.r.next() % 6); return g.path(k)
        }
    }()
    static func bitsPerPath() -> [(String, Double)] {
        var o: [(String, Double)] = []
        var g = Gen(1); for _ in 0..<64 { _ = g.path(3) }; o.append(("S", g.bits / 64 / 8))
        g = Gen(2); for _ in 0..<16 { _ = g.path(30) }; o.append(("M", g.bits / 16 / 8))
        g = Gen(3); _ = g.path(1000); o.append(("L", g.bits / 8))
        g = Gen(4); for _ in 0..<10_000 { g.bits += log2(6.0); _ = g.path(1 + Int(g.r.next() % 6)) };
        o.append(("X", g.bits / 10_000 / 8))
        return o
    }
    /// homogeneous sets of 100 elements
    static func typed() -> [(String, [Path])] {
        var g = Gen(5)
        return [
            ("tProduct", [Path((0..<100).map { _ in g.product() as Elem })]),
            ("tFolder", [Path((0..<100).map { _ in g.folder() as Elem })]),
            ("tMessage", [Path((0..<100).map { _ in g.message() as Elem })]),
            ("tRoute", [Path((0..<100).map { _ in g.route() as Elem })]),
            ("tFilter", [Path((0..<100).map { _ in g.filter() as Elem })]),
            ("tURL", [Path((0..<100).map { _ in g.url() as Elem })]),
            ("tUUID", [Path((0..<100).map { _ in g.uuid() as Elem })]),
            ("tInt", [Path((0..<100).map { _ in g.n(100000) as Elem })]),
            ("tString", [Path((0..<100).map { _ in g.phrase(1, 3) as Elem })]),
        ]
    }
}
