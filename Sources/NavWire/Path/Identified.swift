// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Foundation's types that have an identifier, and compare it with all that they know, each time in an order of marks that
/// they make anew. So no text in their values may have a long row of combining marks.
enum Identified {
    private static let types: Set<ObjectIdentifier> = [
        ObjectIdentifier(Calendar.self), ObjectIdentifier(DateComponents.self), ObjectIdentifier(Locale.self),
        ObjectIdentifier(TimeZone.self),
    ]

    /// Whether a type is one of them, or a container of such values.
    static func isOrHolds(_ type: Any.Type) -> Bool {
        types.contains(ObjectIdentifier(type))
            || (type as? any ContainerType.Type)?.contained.contains(where: isOrHolds) ?? false
    }
}

/// A type whose values hold those of others.
private protocol ContainerType {
    static var contained: [Any.Type] { get }
}

extension Optional: ContainerType {
    fileprivate static var contained: [Any.Type] { [Wrapped.self] }
}

extension Array: ContainerType {
    fileprivate static var contained: [Any.Type] { [Element.self] }
}

extension Set: ContainerType {
    fileprivate static var contained: [Any.Type] { [Element.self] }
}

extension Dictionary: ContainerType {
    fileprivate static var contained: [Any.Type] { [Key.self, Value.self] }
}
