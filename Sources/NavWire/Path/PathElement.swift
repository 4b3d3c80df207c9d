// SPDX-License-Identifier: Apache-2.0

/// One step of a path: the stable name of a type, and a value of it.
///
/// A path as plain data is `[PathElement]`, root-most element first. It needs no type of the app: an element whose tag
/// nobody knows is kept, shown, counted, synced and written back unchanged.
public struct PathElement: Hashable, Sendable {
    /// The type's readable name as Apple systems spell it, such as `Shop.Product` or `Swift.Int`.
    public var tag: String
    /// What the element holds.
    public var value: PathValue

    public init(tag: String, value: PathValue) {
        self.tag = tag
        self.value = value
    }

    /// Equal when the tags have the same bytes and the values are equal; texts are never normalised.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.tag.utf8.elementsEqual(rhs.tag.utf8) && lhs.value == rhs.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: tag)
        hasher.combine(value)
    }
}

/// What an element holds, and where it came from: the byte form of a value depends on its origin.
public enum PathValue: Hashable, Sendable {
    /// Imported from JSON text. Objects have their keys sorted, numbers are exact decimals.
    case json(JSONValue)
    /// A text that was given as an item and is not JSON. Kept as it was, and marked wherever it is shown. One that is
    /// JSON is encoded as `json`, which is what every reader then finds.
    case verbatim(String)
    /// Encoded from a Swift value. Scalars are strict; see the decoder.
    case native(NativeValue)

    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.json(let left), .json(let right)): left == right
        case (.verbatim(let left), .verbatim(let right)): left.utf8.elementsEqual(right.utf8)
        case (.native(let left), .native(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .json(let value): hasher.combine(value)
        case .verbatim(let text): hasher.combine(bytesOf: text)
        case .native(let value): hasher.combine(value)
        }
    }
}
