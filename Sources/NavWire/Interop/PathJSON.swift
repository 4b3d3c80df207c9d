// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The JSON of a path in any of the forms that apps write.
///
/// Only ``SwiftUIJSON`` is the form that navsync itself speaks; the others are read so that an app can move over, and
/// swift-cross-ui's is written too, since it runs on Linux.
public enum PathJSON {
    /// A path that was read, and what its form held that a path has no place for.
    public struct Import: Hashable, Sendable {
        public var form: PathForm
        /// Root-most first.
        public var elements: [PathElement]
        /// In words, such as a presentation style that was left out.
        public var notes: [String]
    }

    /// Reads a path in a form, or in the form that its content shows when `form` is nil.
    ///
    /// A plain array shows no form and has no tags: give `.plain` and `plainTag`, the name of its elements' type.
    ///
    /// Tags become readable names as Apple systems spell them. One that is no type's name, or whose readable name has more
    /// bytes than ``NavWireLimits/maximumTagByteCount``, stays as it was; ``PathElement/oddity`` marks it.
    public static func decode(
        _ json: [UInt8], form: PathForm? = nil, plainTag: String? = nil, limits: NavWireLimits = .default
    ) throws(NavWireError) -> Import {
        let values = try PathText.elements(of: json, limits: limits)
        guard let form = form ?? PathForm.detect(values) else { throw .notStrings(values) }
        try PathText.check(count: values.count / (form == .plain || form == .swiftCrossUI ? 1 : 2), limits: limits)
        var result = Import(form: form, elements: [], notes: [])
        switch form {
        case .swiftUI:
            try requireStrings(values)
            result.elements = try SwiftUIJSON.pairs(values, limits: limits)
        case .backport:
            try requireStrings(values)
            result.elements = try SwiftUIJSON.pairs(values, limits: limits).map { $0.demangled(limits) }
        case .flowPath: try readTriples(values, into: &result, limits: limits)
        case .swiftCrossUI: result.elements = try crossUIElements(values, limits: limits)
        case .plain: result.elements = try plainElements(values, tag: plainTag, limits: limits)
        }
        return result
    }

    /// Writes a path in swift-cross-ui's form: root first, with the type names of the system it runs on. Throws as
    /// ``SwiftUIJSON/encode(_:limits:)`` does.
    public static func encodeSwiftCrossUI(
        _ elements: [PathElement], limits: NavWireLimits = .default
    ) throws(NavWireError) -> [UInt8] {
        try PathText.check(writing: elements.count, valuesEach: 3, depth: 2, limits: limits)
        var writer = JSONWriter(limit: limits.maximumJSONByteCount)
        writer.writeRaw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.writeRaw(",") }
            let item = try PathText.item(of: element, at: index, limits: limits)
            let tag = TypeName(element.tag)?.linuxSpelling.description ?? element.tag
            // Its reader sees the tag before it has Apple's spelling.
            try PathText.check(tag: TypeName.portable(tag), index: index, limits: limits)
            let text = Data(item.utf8).base64EncodedString()
            writer.write(
                .object(
                    JSONObject([.init(key: "type", value: .string(tag)), .init(key: "value", value: .string(text))])))
            if writer.isTooLarge { break }
        }
        writer.writeRaw("]")
        guard !writer.isTooLarge else {
            throw .jsonTooLarge(writer.bytes.count, limit: limits.maximumJSONByteCount)
        }
        return writer.bytes
    }

    private static func requireStrings(_ values: [JSONValue]) throws(NavWireError) {
        if values.contains(where: { $0.stringValue == nil }) { throw .notStrings(values) }
    }

    /// FlowStacks: style, tag, item; top first. A path has no styles: those that differ from a push are noted.
    private static func readTriples(
        _ values: [JSONValue], into result: inout Import, limits: NavWireLimits
    ) throws(NavWireError) {
        guard values.count.isMultiple(of: 3) else {
            throw NavWireError(
                code: .oddCount, reason: "\(values.count) values, where style, tag and item come in threes")
        }
        for place in stride(from: values.count - 3, through: 0, by: -3) {
            let index = result.elements.count
            guard let tag = values[place + 1].stringValue, let item = values[place + 2].stringValue else {
                throw NavWireError(
                    code: .notAPath, reason: "no tag and item after the style at index \(place)")
            }
            if let style = style(values[place]), !style.utf8.elementsEqual("push".utf8) {
                result.notes.append("element \(index) was presented as \(style), which a path does not hold")
            }
            result.elements.append(
                try PathText.element(tag: tag, item: item, index: index, limits: limits).demangled(limits))
        }
    }

    private static func style(_ value: JSONValue) -> String? { value.objectValue?.members.first?.key }

    /// swift-cross-ui: objects of type and value, root first, the item's text in Base64.
    private static func crossUIElements(
        _ values: [JSONValue], limits: NavWireLimits
    ) throws(NavWireError) -> [PathElement] {
        var elements: [PathElement] = []
        for (index, value) in values.enumerated() {
            guard let object = value.objectValue, let tag = object["type"]?.stringValue,
                let text = object["value"]?.stringValue
            else { throw NavWireError(code: .notAPath, reason: "element \(index) is no object of type and value") }
            // What is no Base64 of a text is kept as it is, like any item that is no JSON.
            let item = Data(base64Encoded: text).flatMap { String(validating: $0, as: UTF8.self) } ?? text
            let element = try PathText.element(tag: tag, item: item, index: index, limits: limits)
            elements.append(element.withAppleSpelling(limits))
        }
        return elements
    }

    private static func plainElements(
        _ values: [JSONValue], tag: String?, limits: NavWireLimits
    ) throws(NavWireError) -> [PathElement] {
        guard let tag else {
            throw NavWireError(
                code: .notAPath, reason: "a plain array does not say what its elements are; give the name of their type"
            )
        }
        var elements: [PathElement] = []
        for (index, value) in values.enumerated() {
            let item = String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
            elements.append(try PathText.element(tag: tag, item: item, index: index, limits: limits))
        }
        return elements
    }
}

extension PathElement {
    /// The element with its mangled tag made readable. A tag that is no mangled name stays as it is, and is marked.
    fileprivate func demangled(_ limits: NavWireLimits) -> PathElement {
        guard let name = MangledName.typeName(tag) else { return self }
        return withTag(name.isPrivate ? name.description : name.canonical.description, limits)
    }

    /// The element with its tag as Apple systems spell it.
    fileprivate func withAppleSpelling(_ limits: NavWireLimits) -> PathElement {
        guard let name = TypeName(tag), !name.isPrivate else { return self }
        return withTag(name.canonical.description, limits)
    }

    /// The element under another tag, unless that is too long for one.
    private func withTag(_ tag: String, _ limits: NavWireLimits) -> PathElement {
        tag.utf8.count <= limits.maximumTagByteCount ? PathElement(tag: tag, value: value) : self
    }

    /// Whether a text can be the name of a module.
    public static func isModuleName(_ text: String) -> Bool { RouteRegistry.plainComponents(text)?.count == 1 }

    /// The element with a module's name replaced in its tag, in generic arguments too: an app's phone and desktop
    /// builds are often modules of different names.
    public func renamingModule(_ old: String, to new: String) -> PathElement {
        guard let name = TypeName(tag) else { return self }
        let renamed = name.replacing([old], by: [new])
        return renamed == name ? self : PathElement(tag: renamed.description, value: value)
    }
}
