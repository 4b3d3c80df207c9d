// SPDX-License-Identifier: Apache-2.0

/// The types that tags may name.
///
/// A tag finds a type only here, never through the runtime's lookup: what came from outside cannot choose a type that
/// the program did not offer. All spellings of a name find the same type: Apple's and Linux's names of Foundation's
/// types, aliases, and renames of modules and enclosing types, inside generic arguments too.
///
///     var registry = RouteRegistry()                       // knows Swift's and Foundation's own types
///     try registry.register(Product.self)                  // as App.Product, the name that SwiftUI writes
///     try registry.register(Settings.self, as: "prefs")    // a private type needs a name that is stable
///     try registry.rename("ShopPhone", to: "Shop")         // the phone app's module is another
public struct RouteRegistry: Sendable {
    /// What of a type's values may be shown or written.
    public enum Redaction: Hashable, Sendable {
        /// Everything.
        case none
        /// Written, but shown only as a tag.
        case whenShown
        /// Never written: an element keeps its tag and loses its value.
        case everywhere
    }

    /// Makes an item of an older form into one of today's. Nil when the element needs no change.
    ///
    /// It is called before decoding, with the tag as it was found, so a renamed type can tell its forms apart. It meets
    /// JSON values only, whoever wrote the element, and text that is none.
    public typealias Migration = @Sendable (PathElement) -> JSONValue?

    private struct Rename: Sendable {
        let old: [String]
        let new: [String]
    }

    /// By the canonical form of the tag.
    private var routes: [String: Route] = [:]
    private var keys: [ObjectIdentifier: String] = [:]
    /// Types that were registered by themselves, not as a container of another.
    private var registered: Set<ObjectIdentifier> = []
    private var aliases: [String: String] = [:]
    private var renames: [Rename] = []

    /// A registry with Swift's and Foundation's own types.
    public init() { self = Self.standard }

    init(routes: [Route]) {
        for route in routes { add(route) }
    }

    // MARK: Registering

    /// Registers a type under the name that SwiftUI gives it, or under a name of your own.
    ///
    /// Its optionals, arrays, sets and dictionaries by string are registered with it. Throws when the type is private
    /// and no name is given, since the compiler's name of it differs in every run; when the name has no use as a tag;
    /// and when a name already belongs to another type.
    ///
    /// `hasSets` is false for a type whose sets no stranger may send, because different values can have one hash, or a value
    /// is not equal to itself; see <doc:UntrustedInput>. Registering such a set by itself still works.
    public mutating func register<Value: Codable & Hashable>(
        _ type: Value.Type, as name: String? = nil, aliases: [String] = [], redaction: Redaction = .none,
        hasSets: Bool = true, migrate: Migration? = nil
    ) throws(NavWireError) {
        let tag = if let name { name } else { try Self.stableName(of: type) }
        for text in [tag] + aliases {
            try Self.check(text)
            guard routes[key(of: text)].map({ $0.type == ObjectIdentifier(type) }) ?? true else {
                throw NavWireError(code: .nameTaken, reason: "the name \(text) belongs to another registered type")
            }
        }
        add(TypedRoute<Value>(tag: tag, redaction: redaction, migrate: migrate, hasSets: hasSets))
        for alias in aliases { add(alias: alias, of: tag) }
    }

    /// Says that a module, or a type in it, once had or elsewhere has another name.
    ///
    /// `old` is a module (`OldKit`), an enclosing type or a type (`OldKit.Maps`). Whole names between dots are compared.
    public mutating func rename(_ old: String, to new: String) throws(NavWireError) {
        guard let old = Self.plainComponents(old), let new = Self.plainComponents(new) else {
            throw NavWireError(
                code: .invalidTag,
                reason: "\(old) or \(new) is not a module or a type in one, such as Shop or Shop.Cart")
        }
        renames.append(Rename(old: old, new: new))
    }

    private mutating func add(_ route: Route) {
        set(route)
        registered.insert(route.type)
        if let type = route.leftOut, !registered.contains(type), keys.removeValue(forKey: type) != nil {
            routes = routes.filter { $0.value.type != type }
        }
        guard TypeName(route.tag) != nil else { return }
        for container in route.containers() where !registered.contains(container.type) { set(container) }
    }

    private mutating func set(_ route: Route) {
        let key = RouteName.key(route.tag)
        routes[key] = route
        keys[route.type] = key
    }

    private mutating func add(alias: String, of tag: String) {
        aliases[RouteName.key(alias)] = RouteName.key(tag)
        // As a rename it holds inside generic arguments and for nested types too.
        if let old = Self.plainComponents(alias), let new = Self.plainComponents(tag), old.count > 1 {
            renames.append(Rename(old: old, new: new))
        }
    }

    private static func stableName(of type: Any.Type) throws(NavWireError) -> String {
        let text = String(reflecting: type)
        guard let name = TypeName(text), !name.isPrivate else {
            throw NavWireError(
                code: .privateType,
                reason: "\(text) is a private or local type, whose name differs in every run; register it under a name")
        }
        return name.canonical.description
    }

    private static func check(_ name: String) throws(NavWireError) {
        guard !name.isEmpty, name.utf8.count <= NavWireLimits.default.maximumTagByteCount,
            !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw NavWireError(
                code: .invalidTag,
                reason: "a name has 1 to \(NavWireLimits.default.maximumTagByteCount) bytes and no control characters")
        }
    }

    /// The components of a dotted name without generic arguments.
    static func plainComponents(_ text: String) -> [String]? {
        guard let name = TypeName(text), !name.isPrivate, name.extensionModule == nil else { return nil }
        var plain: [String] = []
        for case .named(let component, []) in name.components { plain.append(component) }
        return plain.count == name.components.count ? plain : nil
    }

    // MARK: Finding

    /// The tag under which values of a type are written.
    public func tag(of type: Any.Type) -> String {
        keys[ObjectIdentifier(type)].flatMap { routes[$0]?.tag } ?? RouteName.standard(of: type)
    }

    /// Whether a tag names a registered type, under any of its names.
    public func knows(_ tag: String) -> Bool { route(of: tag) != nil }

    func route(of tag: String) -> Route? { routes[key(of: tag)] }

    func route(of type: Any.Type) -> Route? { keys[ObjectIdentifier(type)].flatMap { routes[$0] } }

    /// Registers a type that is known here only as Hashable, such as a destination's, when it is Codable, absent, and
    /// not private: a private type needs a name.
    public mutating func register(ifCodable type: any Hashable.Type) {
        guard keys[ObjectIdentifier(type)] == nil, let codable = type as? any (Codable & Hashable).Type else { return }
        func add<Value: Codable & Hashable>(_ type: Value.Type) {
            guard let name = try? Self.stableName(of: type), routes[RouteName.key(name)] == nil else { return }
            self.add(TypedRoute<Value>(tag: name, redaction: .none, migrate: nil))
        }
        add(codable)
    }

    private func key(of tag: String) -> String {
        guard let parsed = TypeName(tag) else { return aliases[tag] ?? tag }
        var name = parsed.canonical
        if let alias = aliases[name.description] { return alias }
        for rename in renames { name = name.replacing(rename.old, by: rename.new) }
        return name.canonical.description
    }
}

extension NavWireError.Code {
    /// A private or local type was registered without a name.
    public static let privateType = Self(rawValue: "privateType")
    /// A name already belongs to another type.
    public static let nameTaken = Self(rawValue: "nameTaken")
}
