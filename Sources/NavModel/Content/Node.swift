// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The one form of all content: what the tree walks.
indirect enum Node {
    case text(String)
    case group([Node])
    case titled(String, Node)
    case link(NavTwin.NavigationLink)
    /// A container that makes its rows when they are needed; a list is one, and may have a selection.
    case lazy(Node, selection: SelectionBinding?)
    case stack(StackNode)
    case split(SplitNode)
    case tabs(TabsNode)
    case destination(Destination, of: Node)
}

struct StackNode {
    /// Nil when the stack keeps its own path.
    let path: PathBinding?
    let root: Node
}

struct SplitNode {
    let visibility: NavTwin.Binding<NavTwin.NavigationSplitViewVisibility>?
    let preferredColumn: NavTwin.Binding<NavTwin.NavigationSplitViewColumn>?
    /// Two or three, the leading one first.
    let columns: [Node]
}

struct TabsNode {
    struct Item {
        /// Nil for a tab that is found by its place.
        let value: (any Hashable)?
        let title: String
        let content: Node
    }

    let selection: SelectionBinding?
    let items: [Item]
}
