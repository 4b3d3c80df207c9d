// SPDX-License-Identifier: Apache-2.0

/// The JSON forms in which apps save a path. Each has a shape of its own, so a text is told apart by its content.
public enum PathForm: String, Hashable, Sendable, CaseIterable {
    /// SwiftUI: `[tag, item, …]`, top first, readable type names.
    case swiftUI = "swiftui"
    /// NavigationBackport and swift-navigation: as SwiftUI, but with mangled type names.
    case backport
    /// FlowStacks: `[style, tag, item, …]`, top first, a style object and a mangled name.
    case flowPath = "flowpath"
    /// swift-cross-ui: `[{"type", "value"}, …]`, root first, the item in Base64.
    case swiftCrossUI = "crossui"
    /// A plain array of values of one type, root first. Its tag is not in the text and must be given.
    case plain

    /// The libraries that write this form.
    public var libraries: String {
        switch self {
        case .swiftUI: "SwiftUI"
        case .backport: "NavigationBackport or swift-navigation (mangled type names)"
        case .flowPath: "FlowStacks"
        case .swiftCrossUI: "swift-cross-ui"
        case .plain: "a plain array of values"
        }
    }

    /// The form of a parsed text; nil when it is no array, or an array of no known form.
    static func detect(_ elements: [JSONValue]) -> PathForm? {
        let strings = elements.compactMap(\.stringValue)
        if strings.count == elements.count {
            let tags = stride(from: 0, to: strings.count, by: 2).map { strings[$0] }
            return !tags.isEmpty && tags.allSatisfy(MangledName.isMangled) ? .backport : .swiftUI
        }
        if elements.allSatisfy(isTypeAndValue) { return .swiftCrossUI }
        let isTriples =
            elements.count.isMultiple(of: 3)
            && elements.indices.allSatisfy { index in
                index.isMultiple(of: 3) ? elements[index].objectValue != nil : elements[index].stringValue != nil
            }
        return isTriples ? .flowPath : nil
    }

    private static func isTypeAndValue(_ element: JSONValue) -> Bool {
        guard let object = element.objectValue else { return false }
        return object.members.count == 2 && zip(object.members, ["type", "value"]).allSatisfy(isKey)
            && object.members.allSatisfy { $0.value.stringValue != nil }
    }

    private static func isKey(_ member: JSONObject.Member, _ key: String) -> Bool {
        member.key.utf8.elementsEqual(key.utf8)
    }
}

extension JSONValue {
    /// The string, or nil for another kind of value.
    public var stringValue: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The elements, or nil for another kind of value.
    public var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The object, or nil for another kind of value.
    public var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// What kind of value this is, for a message: "a number".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
