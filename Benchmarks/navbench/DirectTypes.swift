// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

// Types of their own around those of the corpus, which stay without `NavWireCodable`: a `Codable` path would use it
// wherever it meets it, and what is measured as `Codable` would be something else.

struct DirectProduct: DirectElement {
    let value: Product

    init(_ value: Product) { self.value = value }

    var tag: String { "ShopApp.Product" }
    static let keys = NavWireKeys("id", "title", "price", "tags")

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            $0.write(value.id, 0)
            $0.write(value.title, 1)
            $0.write(value.price, 2)
            try $0.write(value.tags, 3)
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        value = Product(
            id: try object.read(0).uuid(), title: try object.read(1).string(), price: try object.read(2).double(),
            tags: try object.read(3).array { try $0.string() })
    }
}

struct DirectFolder: DirectElement {
    let value: Folder

    init(_ value: Folder) { self.value = value }

    var tag: String { "ShopApp.Folder" }
    static let keys = NavWireKeys("id", "name", "parent")

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            $0.write(value.id, 0)
            $0.write(value.name, 1)
            if let parent = value.parent { $0.write(parent, 2) }
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        value = Folder(
            id: try object.read(0).int(), name: try object.read(1).string(), parent: try object.readIfPresent(2)?.int())
    }
}

struct DirectMessage: DirectElement {
    let value: Message

    init(_ value: Message) { self.value = value }

    var tag: String { "ShopApp.Message" }
    static let keys = NavWireKeys("id", "thread", "sentAt", "unread")

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            $0.write(value.id, 0)
            $0.write(value.thread, 1)
            $0.write(value.sentAt, 2)
            $0.write(value.unread, 3)
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        value = Message(
            id: try object.read(0).integer(), thread: try object.read(1).uuid(), sentAt: try object.read(2).date(),
            unread: try object.read(3).bool())
    }
}

struct DirectFilter: DirectElement {
    let value: Filter

    init(_ value: Filter) { self.value = value }

    var tag: String { "ShopApp.Filter" }
    static let keys = NavWireKeys("text", "range", "facets", "sort")
    static let rangeKeys = NavWireKeys("min", "max")

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            if let text = value.text { $0.write(text, 0) }
            if let range = value.range {
                try $0.object(Self.rangeKeys, 1) {
                    $0.write(range.min, 0)
                    if let max = range.max { $0.write(max, 1) }
                }
            }
            try $0.write(encodable: value.facets, 2)
            if let sort = value.sort { $0.write(sort.rawValue, 3) }
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.keys)
        let text = try object.readIfPresent(0)?.string()
        let range = try object.readIfPresent(1).map { reader in
            var range = try reader.object(Self.rangeKeys)
            return PriceRange(min: try range.read(0).int(), max: try range.readIfPresent(1)?.int())
        }
        let facets: [String: String] = try object.read(2).value()
        let sort = try object.readIfPresent(3).map { try Section(raw: $0) }
        value = Filter(text: text, range: range, facets: facets, sort: sort)
    }
}

extension Section {
    private static let all: [Section] = [.general, .account, .privacy, .notifications, .appearance]
    private static let names = NavWireKeys("general", "account", "privacy", "notifications", "appearance")

    fileprivate init(raw reader: NavWireReader) throws {
        guard let place = try reader.place(among: Self.names) else { throw reader.dataCorrupted("unknown section") }
        self = Self.all[place]
    }
}

struct DirectRoute: DirectElement {
    let value: Route

    init(_ value: Route) { self.value = value }

    var tag: String { "ShopApp.Route" }
    static let cases = NavWireKeys("home", "search", "product", "profile", "settings", "web", "tab", "compose")
    static let none = NavWireKeys()
    static let one = NavWireKeys("_0")
    static let searchKeys = NavWireKeys("query")
    static let productKeys = NavWireKeys("id", "variant")
    static let profileKeys = NavWireKeys("userID")
    static let composeKeys = NavWireKeys("to", "draft")
    static let draftKeys = NavWireKeys("subject", "body", "priority")

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.cases) { writer in
            switch value {
            case .home: try writer.object(Self.none, 0) { _ in }
            case .search(let query): try writer.object(Self.searchKeys, 1) { $0.write(query, 0) }
            case .product(let id, let variant):
                try writer.object(Self.productKeys, 2) {
                    $0.write(id, 0)
                    if let variant { $0.write(variant, 1) }
                }
            case .profile(let user): try writer.object(Self.profileKeys, 3) { $0.write(user, 0) }
            case .settings(let section): try writer.object(Self.one, 4) { $0.write(section.rawValue, 0) }
            case .web(let url): try writer.object(Self.one, 5) { $0.write(url, 0) }
            case .tab(let tab): try writer.object(Self.one, 6) { $0.write(tab, 0) }
            case .compose(let to, let draft):
                try writer.object(Self.composeKeys, 7) {
                    try $0.write(to, 0)
                    if let draft { try Self.write(draft, to: &$0) }
                }
            }
        }
    }

    private static func write(_ draft: Draft, to writer: inout NavWireWriter) throws {
        try writer.object(draftKeys, 1) {
            if let subject = draft.subject { $0.write(subject, 0) }
            $0.write(draft.body, 1)
            $0.write(draft.priority, 2)
        }
    }

    init(from reader: NavWireReader) throws {
        var object = try reader.object(Self.cases)
        guard let place = object.firstKey() else { throw reader.dataCorrupted("no case") }
        let payload = try object.read(place)
        switch place {
        case 0: value = .home
        case 1: value = .search(query: try Self.only(payload, Self.searchKeys).string())
        case 2:
            var product = try payload.object(Self.productKeys)
            value = .product(id: try product.read(0).uuid(), variant: try product.readIfPresent(1)?.int())
        case 3: value = .profile(userID: try Self.only(payload, Self.profileKeys).integer())
        case 4: value = .settings(try Section(raw: try Self.only(payload, Self.one)))
        case 5: value = .web(try Self.only(payload, Self.one).url())
        case 6: value = .tab(try Self.only(payload, Self.one).int())
        default:
            var compose = try payload.object(Self.composeKeys)
            value = .compose(
                to: try compose.read(0).array { try $0.string() }, draft: try compose.readIfPresent(1).map(Self.draft))
        }
    }

    private static func only(_ reader: NavWireReader, _ keys: NavWireKeys) throws -> NavWireReader {
        var object = try reader.object(keys)
        return try object.read(0)
    }

    private static func draft(_ reader: NavWireReader) throws -> Draft {
        var object = try reader.object(draftKeys)
        return Draft(
            subject: try object.readIfPresent(0)?.string(), body: try object.read(1).string(),
            priority: try object.read(2).int())
    }
}
