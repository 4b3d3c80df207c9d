// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// What became of activating a link: one of the outcomes that are documented for SwiftUI's links, in their order.
public enum ActivationOutcome: Hashable, Sendable {
    /// A destination in the stack around the link took the value: it is the new top of that stack.
    case pushed(stack: NavigationID)
    /// A destination in a stack of a later column took the value: it is the first and only one above that stack's root.
    case presented(stack: NavigationID)
    /// No destination took it, and the link is in a list with a selection in a leading column: it is selected.
    case selected(list: NavigationID)
    /// The link has a screen in place of a value: it is on top of the stack, or in the next column of the split view.
    case presentedScreen(in: NavigationID)
    /// Nothing happened.
    case nothing(Reason)

    /// Why nothing happened.
    public enum Reason: Hashable, Sendable {
        /// No link, or no list that was to select, is at the place.
        case noSuchLink
        /// The tree has changed since the tap was planned.
        case staleVersion
        /// The link is on a screen that another covers, or in a column or tab that is not shown.
        case notVisible
        case linkDisabled(NavTwin.NavigationLink.DisabledReason)
        /// No destination for the type can be seen from the link, and no selection takes it.
        case noDestination(type: String)
        /// The path is bound to a collection of another type.
        case pathHoldsOtherType(type: String)
        /// The link has a screen in place of a value, and neither a stack around it nor a column after it.
        case noPlaceForScreen
    }
}

/// An outcome with the state that it led to.
public struct Activation: Equatable {
    public let outcome: ActivationOutcome
    public let state: NavigationSnapshot
    /// What is wrong, when nothing happened for want of a destination.
    public let diagnostic: NavigationDiagnostic?
}

/// Where a link without a matching destination in the stack around it looks next.
public enum DestinationSearch: Hashable, Sendable {
    /// In stacks of later columns, as the documentation of links says. The default.
    case laterColumns
    /// In stacks of the same column, as the runtime's message says.
    case sameColumn
}

extension Layout {
    /// What activating a link leads to. Pure: nothing changes.
    func outcome(of id: NavigationID, search: DestinationSearch) -> ActivationOutcome {
        guard let found = link(id) else { return .nothing(.noSuchLink) }
        if let reason = found.disabledReason { return .nothing(.linkDisabled(reason)) }
        guard found.isVisible else { return .nothing(.notVisible) }
        return outcome(of: found, search: search)
    }

    func outcome(of found: LinkLayout, search: DestinationSearch) -> ActivationOutcome {
        guard let target = found.link.target else { return outcomeOfScreen(found) }
        let type = ObjectIdentifier(target.type)
        if let stack = found.stack.flatMap(stack), stack.types.contains(type) {
            return stack.takes(target) ? .pushed(stack: stack.id) : .nothing(.pathHoldsOtherType(type: target.name))
        }
        if let stack = stack(for: type, from: found, search) {
            return stack.takes(target) ? .presented(stack: stack.id) : .nothing(.pathHoldsOtherType(type: target.name))
        }
        if let list = selectableList(for: found, target) { return .selected(list: list.id) }
        return .nothing(.noDestination(type: target.name))
    }

    private func outcomeOfScreen(_ found: LinkLayout) -> ActivationOutcome {
        if let stack = found.stack { return .presentedScreen(in: stack) }
        guard let column = found.column, let split = split(column.split), column.index < split.count - 1 else {
            return .nothing(.noPlaceForScreen)
        }
        return .presentedScreen(in: split.id)
    }

    private func stack(for type: ObjectIdentifier, from link: LinkLayout, _ search: DestinationSearch) -> StackLayout? {
        guard let column = link.column, let count = split(column.split)?.count else { return nil }
        let columns =
            switch search {
            case .laterColumns: column.index + 1..<count
            case .sameColumn: column.index..<column.index + 1
            }
        for index in columns {
            let place = ColumnPlace(split: column.split, index: index)
            // Only the root's destinations count: whatever is pushed now goes.
            if let stack = stacks(in: place).first(where: { $0.rootTypes.contains(type) && $0.id != link.stack }) {
                return stack
            }
        }
        return nil
    }

    /// The list whose selection takes a link's value: it must stand in a leading column.
    func selectableList(for link: LinkLayout, _ target: LinkTarget) -> ListLayout? {
        guard let list = link.list.flatMap(list), let column = list.column, let split = split(column.split),
            column.index < split.count - 1, list.selection.accepts(target.type)
        else { return nil }
        return list
    }

    /// The first stack of a column after this one: the one that a change of selection returns to its root.
    func followingStack(of column: ColumnPlace) -> StackLayout? {
        guard let count = split(column.split)?.count, column.index + 1 < count else { return nil }
        return (column.index + 1..<count).lazy
            .compactMap { self.stacks(in: ColumnPlace(split: column.split, index: $0)).first }.first
    }
}

extension StackLayout {
    /// Whether the path is still the one that was laid out: a selection may choose among several.
    var isAsHeld: Bool { binding.map { $0.read() == held } ?? true }

    func takes(_ target: LinkTarget) -> Bool { binding?.accepts(target.type) ?? true }
}

extension LinkTarget {
    /// The readable name of the value's type.
    var name: String { String(reflecting: type) }
}
