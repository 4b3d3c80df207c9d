// SPDX-License-Identifier: Apache-2.0

/// What all JSON forms of a path share: the outer array, and the checks on a tag and an item.
enum PathText {
    /// The values of the outer array.
    static func elements(of json: [UInt8], limits: NavWireLimits) throws(NavWireError) -> [JSONValue] {
        guard json.count <= limits.maximumJSONByteCount else {
            throw .tooLarge("a JSON text of \(json.count) bytes, \(limits.maximumJSONByteCount) are allowed")
        }
        switch try JSONScanner.value(of: json, limits: limits) {
        case .array(let elements):
            // No form has more than three values for an element: what no path can be is not looked at closer.
            try check(count: elements.count / 3, limits: limits)
            return elements
        case .null:
            throw NavWireError(
                code: .nullPath,
                reason: "the text is null: no path was saved (an app writes this when its path cannot be encoded); "
                    + "an empty path is []")
        case let other:
            throw NavWireError(code: .notAPath, reason: "\(other.kind), where a path is an array of strings")
        }
    }

    static func check(count: Int, limits: NavWireLimits) throws(NavWireError) {
        guard count <= limits.maximumElementCount else {
            throw .tooLarge("a path of \(count) elements, \(limits.maximumElementCount) are allowed")
        }
    }

    /// Holds what is to be written to the limits that its reader has: the count of elements, and what the outer array is.
    static func check(
        writing count: Int, valuesEach: Int, depth: Int, limits: NavWireLimits
    ) throws(NavWireError) {
        try check(count: count, limits: limits)
        guard count * valuesEach < limits.maximumValueCount else {
            throw .tooManyValues(count * valuesEach + 1, limit: limits.maximumValueCount)
        }
        guard depth <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    }

    /// The text of an element's item, when a reader with these limits takes it and the tag.
    static func item(
        of element: PathElement, at index: Int, limits: NavWireLimits
    ) throws(NavWireError) -> String {
        try check(tag: TypeName.portable(element.tag), index: index, limits: limits)
        do {
            let item = try element.value.item(at: index, limits: limits)
            try check(item: item, limits: limits)
            return item
        } catch {
            throw NavWireError(code: error.code, reason: "element \(index) (\(element.tag)): \(error.reason)")
        }
    }

    /// Throws what reading an item would throw. A text that is no JSON is none too many: it is kept as it is.
    static func check(item: String, limits: NavWireLimits) throws(NavWireError) {
        var item = item
        let isQuickEnough =
            limits.maximumDepth >= NavWireLimits.default.maximumDepth
            && limits.maximumValueCount >= NavWireLimits.default.maximumValueCount
            && item.utf8.count <= limits.maximumElementByteCount
        if isQuickEnough, item.withUTF8({ unsafe JSONCheck.isImportable(UnsafeRawBufferPointer($0)) }) { return }
        _ = try PathValue(item: item, limits: limits)
    }

    /// An element from its two texts, with names that only Linux has in Apple's spelling. `index` counts from the root, as all errors and messages do.
    static func element(
        tag: String, item: String, index: Int, limits: NavWireLimits
    ) throws(NavWireError) -> PathElement {
        // Before anything is compared in it. The portable name may be shorter, but not by more than a half.
        guard tag.utf8.count / 2 <= limits.maximumTagByteCount else {
            throw .tagTooLarge(tag.utf8.count, at: index, limits)
        }
        let tag = TypeName.portable(tag)
        try check(tag: tag, index: index, limits: limits)
        do {
            return PathElement(tag: tag, value: try PathValue(item: item, limits: limits))
        } catch {
            throw NavWireError(code: error.code, reason: "element \(index) (\(tag)): \(error.reason)")
        }
    }

    static func check(tag: String, index: Int, limits: NavWireLimits) throws(NavWireError) {
        guard tag.utf8.count <= limits.maximumTagByteCount else {
            throw .tagTooLarge(tag.utf8.count, at: index, limits)
        }
        if let byte = tag.utf8.first(where: ControlCharacters.isControl) {
            throw NavWireError(
                code: .invalidTag,
                reason: "element \(index) has the control character 0x\(String(byte, radix: 16)) in its tag")
        }
    }
}

extension PathElement {
    /// An element from the texts that SwiftUI's JSON has for it.
    ///
    /// Throws when a text is over its limit or the tag has control characters. An item that is not JSON is kept.
    public init(checkingTag tag: String, item: String, limits: NavWireLimits = .default) throws(NavWireError) {
        self = try PathText.element(tag: tag, item: item, index: 0, limits: limits)
    }
}

extension PathValue {
    /// The value of an item's text: imported when it is JSON, otherwise kept verbatim.
    ///
    /// Throws when the text is larger than the limits allow, or nests deeper than they or the format do.
    public init(item: String, limits: NavWireLimits = .default) throws(NavWireError) {
        let bytes = Array(item.utf8)
        guard bytes.count <= limits.maximumElementByteCount else {
            throw .tooLarge("an item of \(bytes.count) bytes, \(limits.maximumElementByteCount) are allowed")
        }
        do {
            self = .json(try JSONScanner.value(of: bytes, limits: limits.forImport))
        } catch  where error.code == .notJSON {
            self = .verbatim(item)
        }
    }

    /// The item's text: JSON, or the text that was kept. Throws `notRepresentable` for what JSON has no form of, and
    /// `tooLarge` for a text that no path's JSON has room for.
    public func itemText(limits: NavWireLimits = .default) throws(NavWireError) -> String {
        try item(at: 0, limits: limits)
    }

    /// The item's text: what `JSONEncoder` would have written, value for value.
    ///
    /// `index` is the element's place from the root, for the error of a value that JSON cannot hold.
    package func item(at index: Int, limits: NavWireLimits = .default) throws(NavWireError) -> String {
        let limit = limits.maximumJSONByteCount
        var writer = JSONWriter(limit: limit)
        switch self {
        case .json(let value): writer.write(value)
        case .verbatim(let text):
            guard text.utf8.count <= limit else { throw .itemTooLarge(text.utf8.count, limit: limit) }
            return text
        case .native(let value): writer.write(try value.node().jsonValue())
        }
        // A few bytes are many bytes of JSON: a repeated string is one of them, and six for each of its characters here.
        guard !writer.isTooLarge else { throw .itemTooLarge(writer.bytes.count, limit: limit) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension NavWireError {
    static func tooLarge(_ reason: String) -> Self { Self(code: .tooLarge, reason: reason) }

    fileprivate static func tagTooLarge(_ byteCount: Int, at index: Int, _ limits: NavWireLimits) -> Self {
        .tooLarge("element \(index) has a tag of \(byteCount) bytes, \(limits.maximumTagByteCount) are allowed")
    }

    fileprivate static func itemTooLarge(_ byteCount: Int, limit: Int) -> Self {
        .tooLarge("an item of \(byteCount) bytes or more as JSON, \(limit) are allowed in all")
    }

    static func jsonTooLarge(_ byteCount: Int, limit: Int) -> Self {
        .tooLarge("a JSON text of \(byteCount) bytes or more, \(limit) are allowed")
    }
}
