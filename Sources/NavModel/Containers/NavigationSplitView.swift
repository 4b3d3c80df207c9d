// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// Two or three columns, of which a leading one drives the next by its selection or its links.
    public struct NavigationSplitView: NavigationContent {
        let node: Node

        /// Two columns. While collapsed, the preferred column is the one in front.
        public init(
            columnVisibility: Binding<NavigationSplitViewVisibility>? = nil,
            preferredCompactColumn: Binding<NavigationSplitViewColumn>? = nil,
            @NavigationContentBuilder sidebar: () -> some NavigationContent,
            @NavigationContentBuilder detail: () -> some NavigationContent
        ) {
            let columns = [NavModel.node(of: sidebar()), NavModel.node(of: detail())]
            node = .split(
                SplitNode(visibility: columnVisibility, preferredColumn: preferredCompactColumn, columns: columns))
        }

        /// Three columns. While collapsed, the preferred column is the one in front.
        public init(
            columnVisibility: Binding<NavigationSplitViewVisibility>? = nil,
            preferredCompactColumn: Binding<NavigationSplitViewColumn>? = nil,
            @NavigationContentBuilder sidebar: () -> some NavigationContent,
            @NavigationContentBuilder content: () -> some NavigationContent,
            @NavigationContentBuilder detail: () -> some NavigationContent
        ) {
            let columns = [
                NavModel.node(of: sidebar()), NavModel.node(of: content()), NavModel.node(of: detail()),
            ]
            node = .split(
                SplitNode(visibility: columnVisibility, preferredColumn: preferredCompactColumn, columns: columns))
        }
    }

    /// A column of a split view.
    public struct NavigationSplitViewColumn: Hashable, Sendable, CustomStringConvertible {
        let rawValue: Int

        public var description: String { ["sidebar", "content", "detail"][rawValue] }

        /// The leading column.
        public static let sidebar = Self(rawValue: 0)
        /// The one in the middle; a view of two columns has none.
        public static let content = Self(rawValue: 1)
        /// The last column.
        public static let detail = Self(rawValue: 2)

        /// The place among the columns of a view that has `count`; two columns have no content column.
        func index(of count: Int) -> Int { count == 2 && self == .detail ? 1 : min(rawValue, count - 1) }

        static func at(_ index: Int, of count: Int) -> Self {
            index == count - 1 ? .detail : (index == 0 ? .sidebar : .content)
        }
    }

    /// Which columns of a split view are shown side by side. Ignored while it is collapsed.
    public struct NavigationSplitViewVisibility: Hashable, Codable, Sendable, CustomStringConvertible {
        private enum Kind: String, Codable { case automatic, all, doubleColumn, detailOnly }
        private let kind: Kind

        public var description: String { kind.rawValue }

        /// All columns: without a screen there is nothing to choose by.
        public static let automatic = Self(kind: .automatic)
        /// All columns.
        public static let all = Self(kind: .all)
        /// The last two.
        public static let doubleColumn = Self(kind: .doubleColumn)
        /// The last one.
        public static let detailOnly = Self(kind: .detailOnly)

        /// The indices of the columns shown, of `count`.
        func columns(of count: Int) -> Range<Int> {
            switch kind {
            case .automatic, .all: 0..<count
            case .doubleColumn: max(0, count - 2)..<count
            case .detailOnly: count - 1..<count
            }
        }
    }
}

extension NavTwin.NavigationSplitView: PrimitiveContent {}
