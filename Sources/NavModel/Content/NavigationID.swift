// SPDX-License-Identifier: Apache-2.0

/// The place of a link or a container in a tree.
///
/// It follows from the structure alone, so it stays the same when the tree is looked at again, when screens are pushed
/// on top, and in another process with the same content and path. So it can be sent: a server that drives a client's
/// screens names a link by it, and is told by it what was tapped.
public struct NavigationID: Hashable, Sendable, LosslessStringConvertible {
    private let text: String

    static let root = NavigationID(text: "root")

    private init(text: String) { self.text = text }

    /// The place that a `description` tells of. A text that tells of none finds nothing in any tree.
    public init(_ description: String) { text = description }

    func child(_ index: Int) -> Self { Self(text: "\(text).\(index)") }

    /// A screen of a stack: `0` is the root, then one per element.
    func screen(_ index: Int) -> Self { Self(text: "\(text)/\(index)") }

    /// A screen that is presented by a flag or an item, the lowest first.
    func presentation(_ index: Int) -> Self { Self(text: "\(text)/+\(index)") }

    public var description: String { text }
}

extension NavigationID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// One string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
