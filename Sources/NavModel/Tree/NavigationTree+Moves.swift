// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// Why a move was refused. The state is as it was.
public struct NavigationMoveError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no container of that place.
        public static let noSuchContainer = Code(rawValue: "noSuchContainer")
        /// The tree has changed since the move was planned.
        public static let staleVersion = Code(rawValue: "staleVersion")
        /// The stack has fewer elements, or the tabs fewer tabs.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// The path is bound to a collection of another type.
        public static let pathHoldsOtherType = Code(rawValue: "pathHoldsOtherType")
        /// The tab has no value that its view's selection could take.
        public static let notSelectable = Code(rawValue: "notSelectable")
    }

    public let code: Code
    public let reason: String
    public var description: String { reason }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension NavigationTree {
    /// Goes back one screen of a stack, or of a split view that is collapsed to one.
    ///
    /// What is presented on top goes first, then the last value. In a collapsed split view the column before comes to the
    /// front then, and its selection goes. False at the root, which stays, and where a binding takes no change.
    @discardableResult
    public mutating func goBack(in id: NavigationID) throws(NavigationMoveError) -> Bool {
        settle()
        let now = layout()
        guard let split = now.split(id), split.isCollapsed else { return try goBack(oneScreenOf: stack(id)) }
        let column = ColumnPlace(split: id, index: split.shown.lowerBound)
        if let stack = now.stacks(in: column).first, try goBack(oneScreenOf: stack) { return true }
        guard column.index > 0 else { return false }
        let before = ColumnPlace(split: id, index: column.index - 1)
        for list in now.lists where list.column == before { list.selection.clear() }
        for presentation in split.presentations[column.index] { dismiss(presentation) }
        split.preferredColumn?.wrappedValue = .at(before.index, of: split.count)
        finishChange()
        let after = layout().split(id)
        return after?.shown != split.shown || after?.columns != split.columns
    }

    private mutating func goBack(oneScreenOf stack: StackLayout) throws(NavigationMoveError) -> Bool {
        if let top = stack.presentations.last {
            dismiss(top)
        } else {
            guard !stack.path.isEmpty else { return false }
            keep(stack.path.count - 1, in: stack)
        }
        finishChange()
        return layout().stack(stack.id)?.screens != stack.screens
    }

    /// Goes back to `count` values. A move that was planned for an earlier version of the tree is refused.
    public mutating func pop(
        to count: Int, in id: NavigationID, plannedAt planned: UInt64? = nil
    ) throws(NavigationMoveError) {
        settle()
        try check(planned)
        let stack = try stack(id)
        guard 0...stack.path.count ~= count else {
            throw NavigationMoveError(
                code: .outOfRange, reason: "cannot keep \(count) of \(stack.path.count) elements")
        }
        dismissAll(stack)
        keep(count, in: stack)
        finishChange()
    }

    /// Puts a whole path in place of a stack's, in one step: how a saved path is restored.
    public mutating func setPath(
        _ path: NavTwin.NavigationPath, in id: NavigationID, plannedAt planned: UInt64? = nil
    ) throws(NavigationMoveError) {
        settle()
        try check(planned)
        let stack = try stack(id)
        if let binding = stack.binding {
            guard binding.write(resolved(path, for: binding)) else {
                throw NavigationMoveError(
                    code: .pathHoldsOtherType, reason: "the stack's path holds values of another type")
            }
        } else {
            setOwnPath(path, of: id)
        }
        dismissAll(stack)
        finishChange()
    }

    /// Shows a tab. This selects: nothing is pushed.
    public mutating func selectTab(_ index: Int, in id: NavigationID) throws(NavigationMoveError) {
        settle()
        guard let tabs = layout().tabs.first(where: { $0.id == id }) else { throw Self.noContainer(id, "tabs") }
        guard tabs.node.items.indices.contains(index) else {
            throw NavigationMoveError(
                code: .outOfRange, reason: "no tab \(index) among \(tabs.node.items.count)")
        }
        if let selection = tabs.node.selection {
            guard let value = tabs.node.items[index].value, selection.select(value) else {
                throw NavigationMoveError(
                    code: .notSelectable,
                    reason: "tab \(index) has no value of the selection's type; give it one: Tab(_:value:content:)")
            }
        } else {
            setTab(index, of: id)
        }
        finishChange()
    }

    /// A saved path for a collection of one type must be decoded before it is written.
    private func resolved(_ path: NavTwin.NavigationPath, for binding: PathBinding) -> NavTwin.NavigationPath {
        guard let type = binding.elementType, path.unresolvedCount > 0 else { return path }
        var registry = registry
        registry.register(ifCodable: type)
        var path = path
        path.resolve(using: registry)
        return path
    }

    private func stack(_ id: NavigationID) throws(NavigationMoveError) -> StackLayout {
        guard let stack = layout().stack(id) else { throw Self.noContainer(id, "stack") }
        return stack
    }

    private func check(_ planned: UInt64?) throws(NavigationMoveError) {
        guard let planned, planned != version else { return }
        throw NavigationMoveError(
            code: .staleVersion, reason: "the move was planned for version \(planned), the tree is at \(version)")
    }

    private static func noContainer(_ id: NavigationID, _ what: String) -> NavigationMoveError {
        NavigationMoveError(
            code: .noSuchContainer, reason: "there is no \(what) at \(id); the tree's snapshot has the places of all")
    }
}
