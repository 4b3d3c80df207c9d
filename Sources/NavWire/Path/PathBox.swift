// SPDX-License-Identifier: Apache-2.0

/// One element inside a path: a value whose type is known, or an element that waits for its type.
///
/// Immutable, so paths that share boxes are still values.
package class PathBox {
    /// Whether the other box holds an equal value of the same type.
    package func isEqual(to other: PathBox) -> Bool { false }

    /// The tag that SwiftUI would write: the readable name of the static type.
    package var tag: String { "" }

    /// The value, when its type is known.
    package var value: (any Hashable)? { nil }

    /// The type of the value, when it is known.
    package var type: (any Hashable.Type)? { nil }

    /// Whether the overload that appended the value knew it as Codable; true for elements that were decoded.
    package var isCodable: Bool { false }

    /// The element, for boxes that wait for their type.
    package var pending: PathElement? { nil }

    /// The value as an element's. Throws `EncodingError`.
    package func encoded(limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]) throws -> PathValue {
        throw NavWireError(code: .notRepresentable, reason: "the value is not Codable")
    }

    /// The value as the JSON text that SwiftUI writes. Throws `EncodingError`.
    package func item(userInfo: [CodingUserInfoKey: Any]) throws -> String {
        throw NavWireError(code: .notRepresentable, reason: "the value is not Codable")
    }
}

/// A value appended through a Hashable-only overload.
package class ValueBox<Value: Hashable>: PathBox {
    let base: Value

    package init(_ base: Value) { self.base = base }

    /// By static type and value, as SwiftUI's typed boxes: `Int` 1 is not `Double` 1, although their `AnyHashable`s are.
    package override func isEqual(to other: PathBox) -> Bool { (other as? ValueBox<Value>)?.base == base }

    package override var tag: String { RouteName.standard(of: Value.self) }
    package override var value: (any Hashable)? { base }
    package override var type: (any Hashable.Type)? { Value.self }
}

/// A value appended through an overload that knows it as Codable.
package final class CodableBox<Value: Codable & Hashable>: ValueBox<Value> {
    package override var isCodable: Bool { true }

    package override func encoded(limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]) throws -> PathValue {
        try ElementCoder.encode(base, limits: limits, userInfo: userInfo)
    }

    package override func item(userInfo: [CodingUserInfoKey: Any]) throws -> String {
        try ElementCoder.item(of: base, userInfo: userInfo)
    }
}

/// An element that was read and whose type is not known yet. Equal to another that holds an equal element.
package final class PendingBox: PathBox {
    private let element: PathElement

    package init(_ element: PathElement) { self.element = element }

    package override func isEqual(to other: PathBox) -> Bool { (other as? PendingBox)?.element == element }
    package override var tag: String { element.tag }
    package override var isCodable: Bool { true }
    package override var pending: PathElement? { element }
    package override func encoded(limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]) throws -> PathValue {
        element.value
    }
    package override func item(userInfo: [CodingUserInfoKey: Any]) throws -> String {
        try element.value.item(at: 0)
    }
}

/// Names of types in the spelling that tags have.
package enum RouteName {
    /// The readable name of a type as Apple systems spell it. A private type's holds a memory address.
    package static func standard(of type: Any.Type) -> String {
        let text = String(reflecting: type)
        guard let name = TypeName(text), !name.isPrivate else { return text }
        return name.canonical.description
    }

    /// The form under which a tag is looked up: all spellings of one type have the same.
    package static func key(_ tag: String) -> String { TypeName(tag)?.canonical.description ?? tag }
}
