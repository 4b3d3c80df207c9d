// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Lays a tree out: walks its content once, with the state that the containers have now.
struct LayoutWalk {
    /// What is around a node.
    struct Surroundings {
        var id = NavigationID.root
        var screen: NavigationID?
        var stack: NavigationID?
        var column: ColumnPlace?
        var list: NavigationID?
        var isLazy = false
        var isVisible = true
        /// What a leading column presents in the first stack of this one.
        var incoming: [Presentation] = []

        func child(_ index: Int) -> Self {
            var child = self
            child.id = id.child(index)
            return child
        }
    }

    /// The destinations of one screen, inner before outer, first before last.
    struct Declarations {
        var types: [(type: any Hashable.Type, make: (any Hashable) -> Node?)] = []
        var presentations: [Presentation] = []
    }

    let state: NavigationState
    let registry: RouteRegistry
    let isCollapsed: Bool
    var layout = Layout()
    /// Of the screen that is being walked.
    var declarations = Declarations()

    mutating func walk(_ node: Node, _ around: Surroundings) {
        switch node {
        case .text: break
        case .group(let nodes):
            for (index, node) in nodes.enumerated() { walk(node, around.child(index)) }
        case .titled(_, let content): walk(content, around.child(0))
        case .link(let link):
            add(link, around)
        case .lazy(let content, let selection):
            var inside = around.child(0)
            inside.isLazy = true
            if let selection {
                inside.list = around.id
                layout.lists.append(ListLayout(id: around.id, selection: selection, column: around.column))
            }
            walk(content, inside)
        case .destination(let destination, let content):
            walk(content, around.child(0))
            declare(destination, around)
        case .stack(let stack): walkStack(stack, around)
        case .split(let split): walkSplit(split, around)
        case .tabs(let tabs): walkTabs(tabs, around)
        }
    }

    private mutating func add(_ link: NavTwin.NavigationLink, _ around: Surroundings) {
        let found = LinkLayout(
            id: around.id, link: link, screen: around.screen, stack: around.stack, column: around.column,
            list: around.list, isVisible: around.isVisible)
        if found.disabledReason == .outsideContainer {
            layout.diagnostics.append(.linkOutsideContainer(title: link.title))
        }
        layout.links.append(found)
        if let destination = link.destination, state.openLinks.contains(around.id) {
            declarations.presentations.append(
                Presentation(content: destination, what: "link", dismiss: {}, link: around.id))
        }
        walk(link.label, around.child(0))
    }

    private mutating func declare(_ destination: Destination, _ around: Surroundings) {
        switch destination {
        case .type(let type, let make):
            if around.isLazy {
                layout.diagnostics.append(.destinationInLazyContainer(type: String(reflecting: type)))
            } else if around.stack == nil {
                layout.diagnostics.append(.destinationOutsideStack(type: String(reflecting: type)))
            } else {
                declarations.types.append((type, make))
            }
        case .presented(let presentation):
            if around.isLazy {
                layout.diagnostics.append(.destinationInLazyContainer(type: presentation.what))
            } else if around.stack == nil, around.column == nil {
                layout.diagnostics.append(.destinationOutsideStack(type: presentation.what))
            } else {
                declarations.presentations.append(presentation)
            }
        }
    }

    /// Walks content whose destinations are its own, and returns them.
    mutating func walkScreen(_ node: Node, _ around: Surroundings) -> Declarations {
        let outer = declarations
        declarations = Declarations()
        walk(node, around)
        defer { declarations = outer }
        return declarations
    }

    mutating func hideLinks(_ range: Range<Int>) {
        for index in range { layout.links[index].isVisible = false }
    }

    // MARK: Tabs

    private mutating func walkTabs(_ tabs: TabsNode, _ around: Surroundings) {
        // The tab that was selected may have gone since.
        let kept = state.tabs[around.id].flatMap { tabs.items.indices.contains($0) ? $0 : nil }
        let selected = tabs.selectedIndex ?? kept ?? 0
        layout.tabs.append(TabsLayout(id: around.id, node: tabs, selected: selected))
        for (index, item) in tabs.items.enumerated() {
            // A border: what is around the tabs is out of reach inside.
            var inside = Surroundings(id: around.id.child(index))
            inside.isVisible = around.isVisible && index == selected
            _ = walkScreen(item.content, inside)
        }
    }

    // MARK: Split views

    private mutating func walkSplit(_ split: SplitNode, _ around: Surroundings) {
        let count = split.columns.count
        let inner = (lists: layout.lists.count, stacks: layout.stacks.count)
        var placed = SplitLayout(
            id: around.id, count: count, preferredColumn: split.preferredColumn, isCollapsed: isCollapsed,
            shown: (split.visibility?.wrappedValue ?? .automatic).columns(of: count))
        var ranges: [Range<Int>] = []
        var reached = 0
        var presented: [Presentation] = []
        for (index, content) in split.columns.enumerated() {
            var inside = Surroundings(id: around.id.child(index))
            inside.column = ColumnPlace(split: around.id, index: index)
            inside.isVisible = around.isVisible
            if !presented.isEmpty { reached = index }
            let start = layout.links.count
            presented = walkColumn(content, presented, inside, in: &placed)
            ranges.append(start..<layout.links.count)
            if index > 0, hasReached(inside.column, inner) { reached = index }
        }
        if isCollapsed {
            let top = split.preferredColumn.map { $0.wrappedValue.index(of: count) } ?? reached
            placed.shown = top..<top + 1
        }
        for index in 0..<count where !placed.shown.contains(index) { hideLinks(ranges[index]) }
        layout.splits.append(placed)
    }

    /// Walks one column, with what the column before presents, and returns what it presents in the next.
    private mutating func walkColumn(
        _ content: Node, _ presented: [Presentation], _ around: Surroundings, in split: inout SplitLayout
    ) -> [Presentation] {
        var inside = around
        inside.screen = around.id
        var (shown, kind) = (content, NavigationScreen.Kind.column)
        var replacing: [Presentation] = []
        if content.hasStack {
            inside.incoming = presented
        } else if let last = presented.last, let replacement = last.content() {
            (shown, kind, replacing) = (replacement, .presented(by: last.what), presented)
        }
        split.presentations.append(replacing)
        split.columns.append(NavigationScreen(id: around.id, kind: kind, title: shown.screenTitle, text: shown.text))
        return walkScreen(shown, inside).presentations.filter { $0.content() != nil }
    }

    /// Whether a collapsed view shows this column: the one before selects something, or a stack here is not at its root.
    /// `inner` is how many lists and stacks stand before the view: it looks at its own only.
    private func hasReached(_ column: ColumnPlace?, _ inner: (lists: Int, stacks: Int)) -> Bool {
        guard let column else { return false }
        let before = ColumnPlace(split: column.split, index: column.index - 1)
        return layout.lists[inner.lists...].contains { $0.column == before && $0.selection.read() != nil }
            || layout.stacks[inner.stacks...].contains { $0.column == column && $0.screens.count > 1 }
    }
}

extension Node {
    /// Whether a stack stands here, not counting those behind a tab's border.
    fileprivate var hasStack: Bool {
        switch self {
        case .stack: true
        case .group(let nodes): nodes.contains(where: \.hasStack)
        case .lazy(let content, _), .destination(_, of: let content), .titled(_, let content): content.hasStack
        case .text, .link, .split, .tabs: false
        }
    }
}

extension TabsNode {
    /// The tab whose value is selected; nil when the tree keeps the selection, or nothing has that value.
    fileprivate var selectedIndex: Int? {
        guard let selection else { return nil }
        return items.indices.first { items[$0].value.map(selection.holds) ?? false }
    }
}
