// SPDX-License-Identifier: Apache-2.0

extension NavTwin.NavigationPath {
    /// A path in a form that can be saved.
    ///
    /// With `JSONEncoder` it writes the bytes that SwiftUI writes: one flat array of strings, top first, tag then item.
    /// ``elements(userInfo:)`` gives the plain elements, which the compact form is made of. Decoding only splits pairs;
    /// an unknown tag or a broken item is no error here.
    ///
    /// A value: later changes to the path do not change it.
    public struct CodableRepresentation {
        let boxes: [PathBox]

        init(boxes: [PathBox]) { self.boxes = boxes }

        /// The saved form of plain elements, root-most first.
        public init(_ elements: some Sequence<PathElement>) { boxes = elements.map(PendingBox.init) }

        /// The plain elements, root-most first, under the names that SwiftUI gives. Throws for a value whose
        /// `encode(to:)` fails.
        public func elements(userInfo: [CodingUserInfoKey: Any] = [:]) throws(PathIssue) -> [PathElement] {
            try NavTwin.NavigationPath(boxes: boxes).elements(userInfo: userInfo).elements
        }
    }
}

extension NavTwin.NavigationPath.CodableRepresentation: Equatable {
    /// As for paths: what waits for its type is equal only to what waits.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.boxes.count == rhs.boxes.count && zip(lhs.boxes, rhs.boxes).allSatisfy { $0.isEqual(to: $1) }
    }
}

@available(*, unavailable)
extension NavTwin.NavigationPath.CodableRepresentation: Sendable {}

extension NavTwin.NavigationPath.CodableRepresentation: Encodable {
    /// Writes SwiftUI's form. An element that cannot be encoded throws `EncodingError` with its index, counted from the
    /// root, and its tag; nothing is lost by leaving it out silently.
    ///
    /// What is written is read again: so does an element that is over one of the limits of ``NavWireLimits``, and the one
    /// with which the JSON of tags and items is more than ``NavWireLimits/maximumJSONByteCount``. A path of too many elements
    /// throws as a whole.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var size = PathSize()
        do {
            try PathText.check(count: boxes.count, limits: .default)
        } catch {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: error.reason, underlyingError: error)
            throw EncodingError.invalidValue(boxes.count, context)
        }
        for (index, box) in boxes.enumerated().reversed() {
            let (tag, item) = (TypeName.portable(box.tag), try self.item(at: index, &size, encoder))
            try container.encode(tag)
            try container.encode(item)
        }
    }

    private func item(at index: Int, _ size: inout PathSize, _ encoder: any Encoder) throws -> String {
        let box = boxes[index]
        do {
            let tag = TypeName.portable(box.tag)
            try PathText.check(tag: tag, index: index, limits: .default)
            let item = try box.item(userInfo: encoder.userInfo)
            try PathText.check(item: item, limits: .default)
            try size.add(tag)
            try size.add(item)
            return item
        } catch {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath + [PathIndex(index)],
                debugDescription: "element \(index) (\(box.tag)): \(ElementCoder.reason(error))",
                underlyingError: error)
            throw EncodingError.invalidValue(box.tag, context)
        }
    }
}

/// How long the JSON of a path becomes as Foundation writes it, which escapes slashes too.
private struct PathSize {
    /// The brackets, where one stands for the comma that the first text does not have.
    private var byteCount = 1

    mutating func add(_ text: String) throws(NavWireError) {
        // The quotes and the comma.
        byteCount += 3
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: byteCount += 2
            case 0..<0x20: byteCount += 6
            default: byteCount += 1
            }
        }
        let limit = NavWireLimits.default.maximumJSONByteCount
        guard byteCount <= limit else { throw .jsonTooLarge(byteCount, limit: limit) }
    }
}

extension NavTwin.NavigationPath.CodableRepresentation: Decodable {
    /// Splits pairs. Throws `DecodingError` for what is no array of strings with an even count, and for elements beyond
    /// the limits of ``NavWireLimits``.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var texts: [(tag: String, item: String)] = []
        var size = PathSize()
        while !container.isAtEnd {
            let text = (tag: try container.decode(String.self), item: try container.decode(String.self))
            texts.append(text)
            do {
                try size.add(text.tag)
                try size.add(text.item)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
            }
            guard texts.count <= NavWireLimits.default.maximumElementCount else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "more than \(NavWireLimits.default.maximumElementCount) elements, the limit")
            }
        }
        var boxes: [PathBox] = []
        for (index, text) in texts.reversed().enumerated() {
            do {
                let element = try PathText.element(tag: text.tag, item: text.item, index: index, limits: .default)
                boxes.append(PendingBox(element))
            } catch {
                let path = decoder.codingPath + [PathIndex(2 * (texts.count - 1 - index))]
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: error.reason))
            }
        }
        self.boxes = boxes
    }
}

/// The place of an element, as a coding key.
struct PathIndex: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}
