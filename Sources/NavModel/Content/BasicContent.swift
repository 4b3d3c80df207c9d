// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A line of text. Navigation sees it only as a title or as a sign of which screen is shown.
    public struct Text: NavigationContent {
        let text: String

        public init(_ key: LocalizedStringKey) { text = key.resolved }
        @_disfavoredOverload
        public init(_ text: some StringProtocol) { self.text = String(text) }
        @_disfavoredOverload
        public init(_ resource: LocalizedStringResource) { text = resource.resolved }
        public init(verbatim text: String) { self.text = text }
    }

    /// Content for each element of a collection.
    public struct ForEach: NavigationContent {
        let node: Node

        public init<Elements: RandomAccessCollection>(
            _ elements: Elements, @NavigationContentBuilder content: (Elements.Element) -> some NavigationContent
        ) {
            node = .group(elements.map { NavModel.node(of: content($0)) })
        }
    }

    /// Rows that are made when they are needed. A destination inside is ignored, since it would come and go with its
    /// row.
    public struct LazyVStack: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = .lazy(NavModel.node(of: content()), selection: nil)
        }
    }

    /// Columns that are made when they are needed, as ``LazyVStack``'s rows.
    public struct LazyHStack: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = .lazy(NavModel.node(of: content()), selection: nil)
        }
    }
}

extension NavTwin.Text: PrimitiveContent {
    var node: Node { .text(text) }
}
extension NavTwin.ForEach: PrimitiveContent {}
extension NavTwin.LazyVStack: PrimitiveContent {}
extension NavTwin.LazyHStack: PrimitiveContent {}
