// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// What a tree keeps for containers that are bound to nothing. It outlives them: content that goes and comes back finds
/// its path again.
struct NavigationState {
    var paths: [NavigationID: NavTwin.NavigationPath] = [:]
    var tabs: [NavigationID: Int] = [:]
    /// The links whose own screens are shown.
    var openLinks: Set<NavigationID> = []
    /// What each list had selected when the tree was last settled, to notice changes made from outside.
    var seenSelections: [NavigationID: AnyHashable?] = [:]
    /// What each bound path was then.
    var seenPaths: [NavigationID: NavTwin.NavigationPath] = [:]

    /// Whether the path of a stack was changed from outside since.
    func wasSet(_ stack: StackLayout) -> Bool { seenPaths[stack.id].map { $0 != stack.held } ?? false }
}

/// The state of all containers of a tree at one moment, bound or not, as plain values.
public struct NavigationSnapshot: Equatable {
    public struct Stack: Equatable, Identifiable {
        public let id: NavigationID
        /// With the elements decoded whose types are known.
        public let path: NavTwin.NavigationPath
        /// The root, a screen per value, then what is presented.
        public let screens: [NavigationScreen]

        /// The screen that is shown.
        public var top: NavigationScreen? { screens.last }
        /// How many screens are above the root.
        public var depth: Int { screens.count - 1 }
    }

    public struct Selection: Equatable, Identifiable {
        public let id: NavigationID
        public let value: AnyHashable?
    }

    public struct SplitView: Equatable, Identifiable {
        public let id: NavigationID
        /// The columns that are shown, the leading one first. While collapsed it is one.
        public let columns: [NavTwin.NavigationSplitViewColumn]
        public let isCollapsed: Bool
        /// What each of `columns` shows: the top of its stack, or its own content or what stands in its place. While
        /// collapsed, the screens of the one stack that is left, the leading column first.
        public let screens: [NavigationScreen]
    }

    public struct Tabs: Equatable, Identifiable {
        public let id: NavigationID
        public let titles: [String]
        /// The tab that is shown, counted from 0; 0 where there is none.
        public let selectedIndex: Int
    }

    /// In the order of the content; a stack before those inside it.
    public let stacks: [Stack]
    public let lists: [Selection]
    public let splitViews: [SplitView]
    public let tabViews: [Tabs]

    init(_ layout: Layout) {
        stacks = layout.stacks.map { Stack(id: $0.id, path: $0.path, screens: $0.screens) }
        lists = layout.lists.map { Selection(id: $0.id, value: $0.selection.read()) }
        splitViews = layout.splits.map { split in
            let columns = split.shown.map { NavTwin.NavigationSplitViewColumn.at($0, of: split.count) }
            return SplitView(
                id: split.id, columns: columns, isCollapsed: split.isCollapsed,
                screens: split.isCollapsed
                    ? layout.collapsedScreens(split) : split.shown.map { layout.top(of: split, $0) })
        }
        tabViews = layout.tabs.map { Tabs(id: $0.id, titles: $0.node.items.map(\.title), selectedIndex: $0.selected) }
    }
}

extension Layout {
    /// What a column shows.
    fileprivate func top(of split: SplitLayout, _ index: Int) -> NavigationScreen {
        stacks(in: ColumnPlace(split: split.id, index: index)).first?.screens.last ?? split.columns[index]
    }

    /// All columns down to the one in front, as the screens of one stack.
    fileprivate func collapsedScreens(_ split: SplitLayout) -> [NavigationScreen] {
        (0..<split.shown.upperBound).flatMap { index in
            stacks(in: ColumnPlace(split: split.id, index: index)).first?.screens
                ?? [split.columns[index]]
        }
    }
}
