// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// Screens side by side, of which one is shown. Neither a link nor a destination reaches across its border: a stack
    /// belongs into each tab.
    public struct TabView: NavigationContent {
        let node: Node

        /// Tabs whose selection the tree keeps, as an index.
        public init(@TabBuilder content: () -> [TabItem]) {
            node = .tabs(TabsNode(selection: nil, items: content().map(\.item)))
        }

        /// Tabs whose selection is a value: that of the tab that is shown.
        public init<Value: Hashable>(selection: Binding<Value>, @TabBuilder content: () -> [TabItem]) {
            node = .tabs(TabsNode(selection: SelectionBinding(always: selection), items: content().map(\.item)))
        }
    }

    /// One tab: a title, the value that selects it, and its content.
    public struct Tab {
        let item: TabItem

        // The image is for those who draw; navigation does not see it.

        /// A tab of a view that keeps its selection itself.
        public init(
            _ title: LocalizedStringKey, systemImage: String? = nil,
            @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            self.init(title.resolved, nil, content())
        }

        /// A tab that is shown while the view's selection is `value`.
        public init<Value: Hashable>(
            _ title: LocalizedStringKey, systemImage: String? = nil, value: Value,
            @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            self.init(title.resolved, value, content())
        }

        /// A tab of a view that keeps its selection itself.
        @_disfavoredOverload
        public init(
            _ title: some StringProtocol, systemImage: String? = nil,
            @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            self.init(String(title), nil, content())
        }

        /// A tab that is shown while the view's selection is `value`.
        @_disfavoredOverload
        public init<Value: Hashable>(
            _ title: some StringProtocol, systemImage: String? = nil, value: Value,
            @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            self.init(String(title), value, content())
        }

        private init(_ title: String, _ value: (any Hashable)?, _ content: some NavigationContent) {
            item = TabItem(item: .init(value: value, title: title, content: NavModel.node(of: content)))
        }
    }
}

extension NavTwin.TabView: PrimitiveContent {}

/// A tab in the form that all have.
public struct TabItem {
    let item: TabsNode.Item
}

/// Builds tabs from statements.
@resultBuilder
public enum TabBuilder {
    public static func buildExpression(_ tab: NavTwin.Tab) -> [TabItem] { [tab.item] }
    public static func buildBlock(_ tabs: [TabItem]...) -> [TabItem] { tabs.flatMap { $0 } }
    public static func buildOptional(_ tabs: [TabItem]?) -> [TabItem] { tabs ?? [] }
    public static func buildEither(first tabs: [TabItem]) -> [TabItem] { tabs }
    public static func buildEither(second tabs: [TabItem]) -> [TabItem] { tabs }
    public static func buildArray(_ tabs: [[TabItem]]) -> [TabItem] { tabs.flatMap { $0 } }
}
