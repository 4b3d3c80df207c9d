// SPDX-License-Identifier: Apache-2.0

/// The JSON of SwiftUI's `NavigationPath.CodableRepresentation`.
///
/// One flat array of strings with an even count, **top first**: the tag of the element pushed last, its item, the tag
/// of the element below, its item, and so on to the root-most. An item is the element's own JSON text, carried as a
/// string.
///
///     ["Shop.Product","{\"id\":7}","Swift.String","\"home\""]
///      ^ top: tag      ^ its item   ^ root-most
///
/// In `[PathElement]` the order is the other way round, root-most first.
public enum SwiftUIJSON {
    /// Reads a path, root-most element first.
    ///
    /// Strict at both levels: the text and each item must be JSON by RFC 8259. An item that is not is kept as it was
    /// (``PathValue/verbatim(_:)``), as are tags that no type can have; see ``PathElement/oddity``. All else that does
    /// not fit throws, and says where.
    public static func decode(
        _ json: [UInt8], limits: NavWireLimits = .default
    ) throws(NavWireError) -> [PathElement] {
        let values = try PathText.elements(of: json, limits: limits)
        switch PathForm.detect(values) {
        case .swiftUI: return try pairs(values, limits: limits)
        case .some(let form): throw .unsupportedVariant(form)
        case nil: throw .notStrings(values)
        }
    }

    /// Writes a path as SwiftUI does: top first, tag then item. Names of Foundation's types that only Linux has are
    /// written as Apple's; other tags as they are.
    ///
    /// What is written is read again with the same limits. So it throws as ``decode(_:limits:)`` would: for too many
    /// elements, a tag or an item that is too long, a tag with control characters, a value that nests too deep. And it
    /// throws `tooLarge` when the text has more bytes than ``NavWireLimits/maximumJSONByteCount``, before it is made whole: a
    /// small envelope can hold a value whose JSON is huge.
    public static func encode(
        _ elements: [PathElement], limits: NavWireLimits = .default
    ) throws(NavWireError) -> [UInt8] {
        try PathText.check(writing: elements.count, valuesEach: 2, depth: 1, limits: limits)
        try checkIsNotTakenForAnother(elements)
        var writer = JSONWriter(limit: limits.maximumJSONByteCount)
        writer.writeRaw("[")
        for (index, element) in elements.enumerated().reversed() {
            if index < elements.count - 1 { writer.writeRaw(",") }
            writer.write(string: TypeName.portable(element.tag))
            writer.writeRaw(",")
            writer.write(string: try PathText.item(of: element, at: index, limits: limits))
            if writer.isTooLarge { break }
        }
        writer.writeRaw("]")
        guard !writer.isTooLarge else {
            throw .jsonTooLarge(writer.bytes.count, limit: limits.maximumJSONByteCount)
        }
        return writer.bytes
    }

    /// A path all of whose tags look like mangled names would be read as one of the libraries that write these.
    private static func checkIsNotTakenForAnother(_ elements: [PathElement]) throws(NavWireError) {
        guard !elements.isEmpty,
            elements.allSatisfy({ MangledName.isMangled(TypeName.portable($0.tag)) })
        else { return }
        throw NavWireError(
            code: .notRepresentable,
            reason: "every tag looks like a mangled name, so the JSON would be taken for that of "
                + "\(PathForm.backport.libraries); register the types under names of their own")
    }

    /// The elements of `tag, item, …`, turned round.
    static func pairs(_ values: [JSONValue], limits: NavWireLimits) throws(NavWireError) -> [PathElement] {
        let strings = values.compactMap(\.stringValue)
        guard strings.count.isMultiple(of: 2) else {
            throw NavWireError(
                code: .oddCount,
                reason: "an odd count of \(strings.count) strings: the tag at index \(strings.count - 1) has no item, "
                    + "expected at index \(strings.count)")
        }
        let count = strings.count / 2
        try PathText.check(count: count, limits: limits)
        var elements: [PathElement] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            let place = 2 * (count - 1 - index)
            elements.append(
                try PathText.element(tag: strings[place], item: strings[place + 1], index: index, limits: limits))
        }
        return elements
    }
}

extension NavWireError {
    static func unsupportedVariant(_ form: PathForm) -> Self {
        Self(
            code: .unsupportedVariant,
            reason: "the path is in the form of \(form.libraries), where SwiftUI's was expected; "
                + "convert it with 'navsyncctl encode --from \(form.rawValue)'")
    }

    static func notStrings(_ values: [JSONValue]) -> Self {
        let index = values.firstIndex { $0.stringValue == nil } ?? 0
        let kind = values.indices.contains(index) ? values[index].kind : "nothing"
        return Self(code: .notAPath, reason: "\(kind) at index \(index), where a path has only strings")
    }
}
