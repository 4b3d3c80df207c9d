// SPDX-License-Identifier: Apache-2.0

/// A registered type: its stable name and how its values are read.
class Route: @unchecked Sendable {
    // Unchecked because it has subclasses; all stored properties are immutable and Sendable, here and in `TypedRoute`.
    let tag: String
    let redaction: RouteRegistry.Redaction
    let migrate: RouteRegistry.Migration?
    /// Whether sets of the type are registered with it.
    let hasSets: Bool

    init(
        tag: String, redaction: RouteRegistry.Redaction, migrate: RouteRegistry.Migration?, hasSets: Bool = true
    ) {
        self.tag = tag
        self.redaction = redaction
        self.migrate = migrate
        self.hasSets = hasSets
    }

    var type: ObjectIdentifier { ObjectIdentifier(Route.self) }

    /// The box of a decoded value. Throws what the decoder throws.
    func decode(_ value: PathValue, userInfo: [CodingUserInfoKey: Any]) throws -> PathBox {
        throw NavWireError(code: .notRepresentable, reason: "the route has no type")
    }

    /// The routes of the type's common containers: optional, array, set, and dictionary by string.
    ///
    /// They are a fixed few. Tags from outside never make new generic types, whose metadata would stay in memory for
    /// ever.
    func containers() -> [Route] { [] }

    /// The type of its sets, when these are not registered with it.
    var leftOut: ObjectIdentifier? { nil }
}

// Unchecked as its superclass is: all its properties, those that it inherits too, are immutable and Sendable.
final class TypedRoute<Value: Codable & Hashable>: Route, @unchecked Sendable {
    override var type: ObjectIdentifier { ObjectIdentifier(Value.self) }
    private let isIdentified = Identified.isOrHolds(Value.self)

    override func decode(_ value: PathValue, userInfo: [CodingUserInfoKey: Any]) throws -> PathBox {
        if isIdentified { try Self.checkRows(of: value) }
        return CodableBox(try ElementCoder.decode(Value.self, from: value, userInfo: userInfo))
    }

    private static func checkRows(of value: PathValue) throws(NavWireError) {
        guard try value.jsonValue()?.hasLongRow == true else { return }
        throw NavWireError(code: .tooLarge, reason: "a row of more than \(String.longRowCount) combining marks")
    }

    override func containers() -> [Route] {
        let sets = hasSets ? [contained("Swift.Set<\(tag)>", Set<Value>.self)] : []
        return sets + [
            contained("Swift.Optional<\(tag)>", Value?.self), contained("Swift.Array<\(tag)>", [Value].self),
            contained("Swift.Dictionary<Swift.String, \(tag)>", [String: Value].self),
            contained("Swift.Array<Swift.Optional<\(tag)>>", [Value?].self),
            contained("Swift.Optional<Swift.Array<\(tag)>>", [Value]?.self),
        ]
    }

    override var leftOut: ObjectIdentifier? { hasSets ? nil : ObjectIdentifier(Set<Value>.self) }

    private func contained<Container: Codable & Hashable>(_ tag: String, _ type: Container.Type) -> Route {
        TypedRoute<Container>(tag: tag, redaction: redaction, migrate: nil)
    }
}
