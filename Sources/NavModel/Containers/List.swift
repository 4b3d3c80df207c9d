// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// Rows, with a selection or without. In a leading column of a split view, a link whose value no destination takes
    /// changes the selection.
    ///
    /// Its rows are made when they are needed: a destination inside is ignored, and belongs around the list.
    public struct List: NavigationContent {
        let node: Node

        /// Rows without a selection.
        public init(@NavigationContentBuilder content: () -> some NavigationContent) {
            node = .lazy(NavModel.node(of: content()), selection: nil)
        }

        /// Rows of which one can be selected.
        public init<Value: Hashable>(
            selection: Binding<Value?>, @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            node = .lazy(NavModel.node(of: content()), selection: SelectionBinding(selection))
        }

        /// Rows of which any number can be selected; activating a link selects its value alone.
        public init<Value: Hashable>(
            selection: Binding<Set<Value>>, @NavigationContentBuilder content: () -> some NavigationContent
        ) {
            node = .lazy(NavModel.node(of: content()), selection: SelectionBinding(selection))
        }

        /// A row for each element.
        public init<Elements: RandomAccessCollection>(
            _ elements: Elements, @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init { ForEach(elements, content: row) }
        }

        /// The key path names what tells rows apart where they are drawn; here their places do.
        public init<Elements: RandomAccessCollection, ID: Hashable>(
            _ elements: Elements, id: KeyPath<Elements.Element, ID>,
            @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init { ForEach(elements, content: row) }
        }

        /// A row for each element, of which one can be selected.
        public init<Elements: RandomAccessCollection, Value: Hashable>(
            _ elements: Elements, selection: Binding<Value?>,
            @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init(selection: selection) { ForEach(elements, content: row) }
        }

        /// A row for each element, of which any number can be selected.
        public init<Elements: RandomAccessCollection, Value: Hashable>(
            _ elements: Elements, selection: Binding<Set<Value>>,
            @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init(selection: selection) { ForEach(elements, content: row) }
        }

        /// A row for each element, of which one can be selected.
        public init<Elements: RandomAccessCollection, ID: Hashable, Value: Hashable>(
            _ elements: Elements, id: KeyPath<Elements.Element, ID>, selection: Binding<Value?>,
            @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init(selection: selection) { ForEach(elements, content: row) }
        }

        /// A row for each element, of which any number can be selected.
        public init<Elements: RandomAccessCollection, ID: Hashable, Value: Hashable>(
            _ elements: Elements, id: KeyPath<Elements.Element, ID>, selection: Binding<Set<Value>>,
            @NavigationContentBuilder row: (Elements.Element) -> some NavigationContent
        ) {
            self.init(selection: selection) { ForEach(elements, content: row) }
        }
    }
}

extension NavTwin.List: PrimitiveContent {}
