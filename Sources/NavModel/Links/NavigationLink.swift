// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A control that presents a value: the tree finds what that does where the link stands.
    ///
    /// Each initialiser has a form for values that are Hashable and one for values that are Codable as well; the latter
    /// lets a path that holds the value be saved. The link keeps a copy of the value. A nil value disables the link.
    ///
    /// A link may have a screen in place of a value. That screen is no part of the path: it shows on top of the values and
    /// goes when a value is pushed.
    public struct NavigationLink: NavigationContent {
        /// What the link says, as it is shown.
        public let title: String
        let target: LinkTarget?
        /// The screen of a link that has no value.
        let destination: (() -> Node)?
        let label: Node

        /// Why the link cannot be activated, as far as the link alone can tell; nil when it can.
        public var disabledReason: DisabledReason? { target == nil && destination == nil ? .noValue : nil }

        // MARK: A title from a localised key

        /// A link that presents a value that is Hashable only: a path that holds it cannot be saved. Nil disables it.
        public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) {
            self.init(title: titleKey.resolved, value.map { LinkTarget($0) })
        }

        /// A link that presents a value and lets a path that holds it be saved. Nil disables it.
        public init<P: Codable & Hashable>(_ titleKey: LocalizedStringKey, value: P?) {
            self.init(title: titleKey.resolved, value.map { LinkTarget(codable: $0) })
        }

        // MARK: A title from a string

        /// A link that presents a value that is Hashable only: a path that holds it cannot be saved. Nil disables it.
        @_disfavoredOverload
        public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) {
            self.init(title: String(title), value.map { LinkTarget($0) })
        }

        /// A link that presents a value and lets a path that holds it be saved. Nil disables it.
        @_disfavoredOverload
        public init<S: StringProtocol, P: Codable & Hashable>(_ title: S, value: P?) {
            self.init(title: String(title), value.map { LinkTarget(codable: $0) })
        }

        // MARK: A title from a resource

        // A literal is a key, as in SwiftUI: the resource is taken where one is named.
        /// A link that presents a value that is Hashable only: a path that holds it cannot be saved. Nil disables it.
        @_disfavoredOverload
        public init<P: Hashable>(_ titleResource: LocalizedStringResource, value: P?) {
            self.init(title: titleResource.resolved, value.map { LinkTarget($0) })
        }

        /// A link that presents a value and lets a path that holds it be saved. Nil disables it.
        @_disfavoredOverload
        public init<P: Codable & Hashable>(_ titleResource: LocalizedStringResource, value: P?) {
            self.init(title: titleResource.resolved, value.map { LinkTarget(codable: $0) })
        }

        // MARK: A label of any content

        /// A link that presents a value that is Hashable only: a path that holds it cannot be saved. Nil disables it.
        public init<P: Hashable>(value: P?, @NavigationContentBuilder label: () -> some NavigationContent) {
            self.init(label: NavModel.node(of: label()), value.map { LinkTarget($0) })
        }

        /// A link that presents a value and lets a path that holds it be saved. Nil disables it.
        public init<P: Codable & Hashable>(value: P?, @NavigationContentBuilder label: () -> some NavigationContent) {
            self.init(label: NavModel.node(of: label()), value.map { LinkTarget(codable: $0) })
        }

        // MARK: A screen in place of a value

        /// A link to a screen that never enters the path.
        public init(
            _ titleKey: LocalizedStringKey,
            @NavigationContentBuilder destination: @escaping () -> some NavigationContent
        ) {
            self.init(title: titleKey.resolved, nil) { NavModel.node(of: destination()) }
        }

        /// A link to a screen that never enters the path.
        @_disfavoredOverload
        public init(
            _ title: some StringProtocol, @NavigationContentBuilder destination: @escaping () -> some NavigationContent
        ) {
            self.init(title: String(title), nil) { NavModel.node(of: destination()) }
        }

        /// A link to a screen that never enters the path.
        public init(
            @NavigationContentBuilder destination: @escaping () -> some NavigationContent,
            @NavigationContentBuilder label: () -> some NavigationContent
        ) {
            self.init(label: NavModel.node(of: label()), nil) { NavModel.node(of: destination()) }
        }

        private init(title: String, _ target: LinkTarget?, destination: (() -> Node)? = nil) {
            self.init(label: .text(title), target, destination: destination)
        }

        private init(label: Node, _ target: LinkTarget?, destination: (() -> Node)? = nil) {
            title = label.text
            self.label = label
            self.target = target
            self.destination = destination
        }

        /// Why a link cannot be activated.
        public enum DisabledReason: Hashable, Sendable {
            /// The value is nil.
            case noValue
            /// No stack, split view or list with a selection is around the link.
            case outsideContainer
        }
    }
}

extension NavTwin.NavigationLink: PrimitiveContent {
    var node: Node { .link(self) }
}

extension Node {
    /// The texts inside, in order.
    var text: String {
        switch self {
        case .text(let text): text
        case .group(let nodes): nodes.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        case .lazy(let content, _), .destination(_, of: let content), .titled(_, let content): content.text
        case .link(let link): link.title
        case .stack, .split, .tabs: ""
        }
    }
}

extension Node {
    /// The title that the content gives to its screen: the outermost counts.
    var screenTitle: String? {
        switch self {
        case .titled(let title, _): title
        case .group(let nodes): nodes.lazy.compactMap(\.screenTitle).first
        case .lazy(let content, _), .destination(_, of: let content): content.screenTitle
        case .text, .link, .stack, .split, .tabs: nil
        }
    }
}
