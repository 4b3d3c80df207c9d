// SPDX-License-Identifier: Apache-2.0

/// The place of a link or a container in a tree.
///
/// It follows from the structure alone, so it stays the same when the tree is looked at again, when screens are pushed
/// on top, and in another process with the same content and path.
public struct NavigationID: Hashable, Sendable, CustomStringConvertible {
    private let text: String

    static let root = NavigationID(text: "root")

    private init(text: String) { self.text = text }

    func child(_ index: Int) -> Self { Self(text: "\(text).\(index)") }

    /// A screen of a stack: `0` is the root, then one per element.
    func screen(_ index: Int) -> Self { Self(text: "\(text)/\(index)") }

    /// A screen that is presented by a flag or an item, the lowest first.
    func presentation(_ index: Int) -> Self { Self(text: "\(text)/+\(index)") }

    public var description: String { text }
}
