// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A line of text. Navigation sees it only as a title or as a sign of which screen is shown.
    public struct Text: NavigationContent {
        let text: String

        /// The text of a key, which is what a literal is.
        public init(_ key: LocalizedStringKey) { text = key.resolved }
        /// A string as it is.
        @_disfavoredOverload
        public init(_ text: some StringProtocol) { self.text = String(text) }
        /// The text of a resource.
        @_disfavoredOverload
        public init(_ resource: LocalizedStringResource) { text = resource.resolved }
        /// A string as it is, a literal too.
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

        /// The key path names what tells elements apart where they are drawn; here their places do.
        public init<Elements: RandomAccessCollection, ID: Hashable>(
            _ elements: Elements, id: KeyPath<Elements.Element, ID>,
            @NavigationContentBuilder content: (Elements.Element) -> some NavigationContent
        ) {
            self.init(elements, content: content)
        }
    }

    /// Content that belongs together; navigation sees through it.
    public struct Group: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
        }
    }

    /// Rows under a heading; navigation sees through it.
    public struct Section: NavigationContent {
        let node: Node

        /// Rows under a title.
        public init(_ title: LocalizedStringKey, @NavigationContentBuilder content: () -> some NavigationContent) {
            node = .group([.text(title.resolved), NavModel.node(of: content())])
        }

        /// Rows under a title.
        @_disfavoredOverload
        public init(_ title: some StringProtocol, @NavigationContentBuilder content: () -> some NavigationContent) {
            node = .group([.text(String(title)), NavModel.node(of: content())])
        }

        /// Rows under a heading of any content.
        public init(
            @NavigationContentBuilder content: () -> some NavigationContent,
            @NavigationContentBuilder header: () -> some NavigationContent
        ) {
            node = .group([NavModel.node(of: header()), NavModel.node(of: content())])
        }

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
        }
    }

    /// Pieces one below the other, all made at once; navigation sees through it.
    public struct VStack: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
        }
    }

    /// Pieces side by side, all made at once; navigation sees through it.
    public struct HStack: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
        }
    }

    /// Pieces on top of each other, all made at once; navigation sees through it.
    public struct ZStack: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
        }
    }

    /// Content that can be moved about, all made at once; navigation sees through it.
    public struct ScrollView: NavigationContent {
        let node: Node

        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = NavModel.node(of: content())
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
extension NavTwin.Group: PrimitiveContent {}
extension NavTwin.Section: PrimitiveContent {}
extension NavTwin.VStack: PrimitiveContent {}
extension NavTwin.HStack: PrimitiveContent {}
extension NavTwin.ZStack: PrimitiveContent {}
extension NavTwin.ScrollView: PrimitiveContent {}

/// Content with a title for its screen.
public struct TitledContent: PrimitiveContent {
    let title: String
    let content: Node
    var node: Node { .titled(title, content) }
}

extension NavigationContent {
    /// The title of the screen that shows this content: a breadcrumb.
    public func navigationTitle(_ title: NavTwin.LocalizedStringKey) -> TitledContent {
        TitledContent(title: title.resolved, content: node(of: self))
    }

    /// The title of the screen that shows this content: a breadcrumb.
    @_disfavoredOverload
    public func navigationTitle(_ title: some StringProtocol) -> TitledContent {
        TitledContent(title: String(title), content: node(of: self))
    }
}
