// SPDX-License-Identifier: Apache-2.0

/// A description of what is on a screen, as far as navigation sees it: the headless part of a SwiftUI view.
///
///     struct Shelf: NavigationContent {
///         var body: some NavigationContent {
///             NavigationLink("Moby-Dick", value: Book(id: 1))
///         }
///     }
///
/// Descriptions are plain values. They are made anew whenever the tree is looked at, so `body` reads state and changes
/// none.
public protocol NavigationContent {
    associatedtype Body: NavigationContent
    @NavigationContentBuilder var body: Body { get }
}

extension Never: PrimitiveContent {
    public typealias Body = Never
    var node: Node { .group([]) }
}

/// The content that the library itself provides; it has a node in place of a body.
protocol PrimitiveContent: NavigationContent where Body == Never {
    var node: Node { get }
}

extension PrimitiveContent {
    // Never reached: `node(of:)` asks a primitive for its node.
    public var body: Never { preconditionFailure("a primitive has no body") }
}

/// The node of any content.
func node(of content: some NavigationContent) -> Node {
    if let primitive = content as? any PrimitiveContent { return primitive.node }
    return node(of: content.body)
}

/// Several pieces of content in order; also what conditions and loops in a builder make.
public struct ContentGroup: PrimitiveContent {
    let nodes: [Node]
    var node: Node { .group(nodes) }
}

/// Builds content from statements.
@resultBuilder
public enum NavigationContentBuilder {
    public static func buildExpression(_ content: some NavigationContent) -> ContentGroup {
        ContentGroup(nodes: [node(of: content)])
    }
    public static func buildBlock(_ groups: ContentGroup...) -> ContentGroup {
        ContentGroup(nodes: groups.map(\.node))
    }
    public static func buildOptional(_ group: ContentGroup?) -> ContentGroup { group ?? ContentGroup(nodes: []) }
    public static func buildEither(first group: ContentGroup) -> ContentGroup { group }
    public static func buildEither(second group: ContentGroup) -> ContentGroup { group }
    public static func buildArray(_ groups: [ContentGroup]) -> ContentGroup {
        ContentGroup(nodes: groups.map(\.node))
    }
    public static func buildLimitedAvailability(_ group: ContentGroup) -> ContentGroup { group }
}
