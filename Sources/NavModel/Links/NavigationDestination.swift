// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// Content with a destination around it.
public struct DestinationContent: PrimitiveContent {
    let destination: Destination
    let content: Node
    var node: Node { .destination(destination, of: content) }
}

extension NavigationContent {
    /// Says what is shown for values of a type, in the stack around this content.
    ///
    /// Values match by their exact static type. Where several destinations take one type, the one nearest to the root of
    /// the stack counts, and of two on one piece of content the inner one. Inside a lazy container it is ignored.
    public func navigationDestination<D: Hashable>(
        for data: D.Type, @NavigationContentBuilder destination: @escaping (D) -> some NavigationContent
    ) -> DestinationContent {
        let make: (any Hashable) -> Node? = { value in (value as? D).map { node(of: destination($0)) } }
        return DestinationContent(destination: .type(data, make), content: node(of: self))
    }

    /// Shows a screen above the stack's values while a flag is true. Going back sets it to false.
    public func navigationDestination(
        isPresented: NavTwin.Binding<Bool>,
        @NavigationContentBuilder destination: @escaping () -> some NavigationContent
    ) -> DestinationContent {
        let presentation = Presentation(
            content: { isPresented.wrappedValue ? node(of: destination()) : nil }, what: "flag",
            dismiss: { if isPresented.wrappedValue { isPresented.wrappedValue = false } })
        return DestinationContent(destination: .presented(presentation), content: node(of: self))
    }

    /// Shows a screen above the stack's values while there is an item, and another in its place when the item changes.
    /// Going back sets it to nil.
    public func navigationDestination<D: Hashable>(
        item: NavTwin.Binding<D?>, @NavigationContentBuilder destination: @escaping (D) -> some NavigationContent
    ) -> DestinationContent {
        let presentation = Presentation(
            content: { item.wrappedValue.map { node(of: destination($0)) } }, what: String(reflecting: D.self),
            dismiss: { if item.wrappedValue != nil { item.wrappedValue = nil } })
        return DestinationContent(destination: .presented(presentation), content: node(of: self))
    }
}
