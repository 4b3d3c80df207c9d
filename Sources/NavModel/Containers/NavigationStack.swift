// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A stack of screens in three layers: a root that stays, then one screen per value of the path, then screens that a
    /// destination presents by a flag or an item.
    ///
    /// Bound to a path, the stack is a view of it. Without one it keeps a path of its own, in the tree.
    public struct NavigationStack: NavigationContent {
        let node: Node

        /// A stack that keeps its own path.
        public init(@NavigationContentBuilder root: () -> some NavigationContent) {
            node = .stack(StackNode(path: nil, root: NavModel.node(of: root())))
        }

        /// A stack of values of any types.
        public init(path: Binding<NavigationPath>, @NavigationContentBuilder root: () -> some NavigationContent) {
            node = .stack(StackNode(path: PathBinding(path), root: NavModel.node(of: root())))
        }

        /// A stack of values of one type.
        public init<Data>(path: Binding<Data>, @NavigationContentBuilder root: () -> some NavigationContent)
        where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
            node = .stack(StackNode(path: PathBinding(path), root: NavModel.node(of: root())))
        }
    }
}

extension NavTwin.NavigationStack: PrimitiveContent {}
