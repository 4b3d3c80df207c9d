// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// Containers, links and destinations without a screen: the navigation of an app as values.
///
///     var tree = NavigationTree {
///         NavigationStack {
///             List { NavigationLink("Yosemite", value: Park(name: "Yosemite")) }
///                 .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
///         }
///     }
///     let link = tree.links[0]
///     tree.activate(link.id).outcome          // .pushed, with the state that it led to
///
/// The tree keeps what containers without a binding would keep, and writes through bindings otherwise. Content is made
/// anew at each look, so it always shows the state of now. Every change is whole when the call returns: there is no
/// state in between to see, and none is shown by an animation.
public struct NavigationTree {
    private let content: () -> Node
    private var state = NavigationState()
    /// Counts the changes made through the tree, and those of bound paths and selections as the tree comes to know of them.
    /// A change that was planned earlier can name the version it was made for.
    public private(set) var version: UInt64 = 0
    /// Types, names and aliases beyond those that the destinations know.
    public var registry: RouteRegistry
    /// Where links look for destinations; see <doc:Links>.
    public var search: DestinationSearch = .laterColumns
    /// Whether split views show one column at a time.
    public var isCollapsed = false

    public init(
        registry: RouteRegistry = .standard,
        @NavigationContentBuilder content: @escaping () -> some NavigationContent
    ) {
        self.content = { node(of: content()) }
        self.registry = registry
        settle()
    }

    func layout() -> Layout {
        var walk = LayoutWalk(state: state, registry: registry, isCollapsed: isCollapsed)
        _ = walk.walkScreen(content(), .init())
        walk.layout.index()
        return walk.layout
    }

    // MARK: Looking

    /// The state of all containers.
    public var snapshot: NavigationSnapshot { NavigationSnapshot(layout()) }

    /// What is wrong, in the order in which it is found.
    public var diagnostics: [NavigationDiagnostic] { layout().diagnostics }

    /// A link with what the tree knows of it.
    public struct Link: Identifiable {
        public let id: NavigationID
        public let title: String
        /// The screen that it stands on, one of a stack or a column's; nil in neither.
        public let screen: NavigationID?
        /// The readable name of the value's type; nil without a value.
        public let type: String?
        /// Why it cannot be activated; nil when it can.
        public let disabledReason: NavTwin.NavigationLink.DisabledReason?
        /// Whether it is on a screen that is shown.
        public let isVisible: Bool
        /// What activating it would lead to.
        public let outcome: ActivationOutcome
    }

    /// All links of all screens, in the order of the content.
    public var links: [Link] {
        let layout = layout()
        return layout.links.map { found in
            Link(
                id: found.id, title: found.link.title, screen: found.screen, type: found.link.target?.name,
                disabledReason: found.disabledReason, isVisible: found.isVisible,
                outcome: layout.outcome(of: found.id, search: search))
        }
    }

    /// The first link that is shown and has a title.
    public func link(titled title: String) -> Link? { links.first { $0.title == title && $0.isVisible } }

    // MARK: Activating

    /// Does what tapping a link does. A tap on a picture of an earlier version of the tree is refused, since another link
    /// may stand at that place by now.
    @discardableResult
    public mutating func activate(_ link: NavigationID, plannedAt planned: UInt64? = nil) -> Activation {
        settle()
        guard planned ?? version == version else { return activation(.nothing(.staleVersion)) }
        let before = layout()
        let outcome = before.outcome(of: link, search: search)
        perform(outcome, of: link, before)
        return activation(outcome)
    }

    /// Selects a value in a list as the program does, with the same result as tapping the link that has the value, if there is
    /// one and it leads anywhere.
    @discardableResult
    public mutating func select<Value: Hashable>(_ value: Value, in list: NavigationID) -> Activation {
        settle()
        let before = layout()
        guard let found = before.list(list) else { return activation(.nothing(.noSuchLink)) }
        if let link = before.link(to: value, in: list), let outcome = before.effect(of: link, search) {
            perform(outcome, of: link.id, before)
            return activation(outcome)
        }
        guard found.selection.accepts(Value.self) else {
            return activation(.nothing(.noDestination(type: String(reflecting: Value.self))))
        }
        select(value, in: found, before)
        return activation(.selected(list: list))
    }

    private func activation(_ outcome: ActivationOutcome) -> Activation {
        var diagnostic: NavigationDiagnostic?
        if case .nothing(.noDestination(let type)) = outcome { diagnostic = .noDestination(type: type) }
        return Activation(outcome: outcome, state: snapshot, diagnostic: diagnostic)
    }

    private mutating func perform(_ outcome: ActivationOutcome, of link: NavigationID, _ before: Layout) {
        guard let found = before.link(link) else { return }
        if case .presentedScreen = outcome { return open(found, before) }
        guard let target = found.link.target else { return }
        switch outcome {
        case .pushed(let id):
            guard let stack = before.stack(id) else { return }
            dismissAll(stack)
            append(target, to: stack, after: stack.path.count)
        case .presented(let id):
            guard let stack = before.stack(id) else { return }
            // The list shows where the stack's content came from, as when the program selects.
            if let list = before.selectableList(for: found, target), let column = list.column,
                select(target.value, in: list)
            {
                returnToRoot(after: column, before, butFor: [id])
            }
            present(target, in: stack, before)
        case .selected(let id):
            guard let list = before.list(id) else { return }
            select(target.value, in: list, before)
        case .presentedScreen, .nothing: return
        }
        finishChange()
    }

    /// Shows a link's own screen. In the next column it takes the place of what is presented there.
    private mutating func open(_ link: LinkLayout, _ before: Layout) {
        if link.stack == nil, let next = link.column.flatMap(before.column(after:)) {
            if let stack = before.stacks(in: next).first { dismissAll(stack) }
            for presentation in before.presentations(inPlaceOf: next) { dismiss(presentation) }
            show(next, before)
        }
        state.openLinks.insert(link.id)
        finishChange()
    }

    private mutating func select(_ value: any Hashable, in list: ListLayout, _ before: Layout) {
        guard select(value, in: list) else { return }
        if let column = list.column { returnToRoot(after: column, before) }
        finishChange()
    }

    /// Selects a value, and says whether that changed the selection.
    private func select(_ value: any Hashable, in list: ListLayout) -> Bool {
        let old = list.selection.read()
        return list.selection.select(value) && list.selection.read() != old
    }

    /// A change of selection returns the following stack to its root, takes away what stands in place of the next
    /// column, and brings that to the front. Stacks that have another path by the change itself, or get one, are left alone.
    private mutating func returnToRoot(
        after column: ColumnPlace, _ before: Layout, butFor others: Set<NavigationID> = []
    ) {
        if let stack = before.followingStack(of: column), !others.contains(stack.id), stack.isAsHeld {
            dismissAll(stack)
            keep(0, in: stack)
        }
        guard let next = before.column(after: column) else { return }
        for presentation in before.presentations(inPlaceOf: next) { dismiss(presentation) }
        show(next, before)
    }

    /// Makes a value the first and only one of a stack, and brings its column to the front.
    private mutating func present(_ target: LinkTarget, in stack: StackLayout, _ before: Layout) {
        dismissAll(stack)
        append(target, to: stack, after: 0)
        show(stack.column, before)
    }

    /// Brings a column to the front of a collapsed view whose front is bound.
    private func show(_ column: ColumnPlace?, _ before: Layout) {
        guard let column, let split = before.split(column.split), split.isCollapsed else { return }
        split.preferredColumn?.wrappedValue = .at(column.index, of: split.count)
    }

    // MARK: Changes of one container

    private mutating func append(_ target: LinkTarget, to stack: StackLayout, after count: Int) {
        if let binding = stack.binding {
            _ = binding.append(target, count)
            return
        }
        keep(count, in: stack)
        target.append(&state.paths[stack.id, default: NavTwin.NavigationPath()])
    }

    mutating func keep(_ count: Int, in stack: StackLayout) {
        if let binding = stack.binding {
            binding.keep(count)
        } else if let path = state.paths[stack.id], path.count > count {
            state.paths[stack.id]?.removeLast(path.count - count)
        }
    }

    mutating func dismissAll(_ stack: StackLayout) {
        for presentation in stack.presentations.reversed() { dismiss(presentation) }
    }

    mutating func dismiss(_ presentation: Presentation) {
        presentation.dismiss()
        if let link = presentation.link { state.openLinks.remove(link) }
    }

    mutating func setOwnPath(_ path: NavTwin.NavigationPath, of stack: NavigationID) { state.paths[stack] = path }

    mutating func setTab(_ index: Int, of tabs: NavigationID) { state.tabs[tabs] = index }

    mutating func finishChange() {
        version += 1
        let now = layout()
        // A screen that went takes the screens of its links along.
        state.openLinks.formIntersection(now.links.map(\.id))
        noteBindings(now)
    }

    // MARK: Changes from outside

    /// Catches up with selections that were changed through their bindings: the following stacks return to their roots,
    /// and a selected link's value is presented where a destination takes it, just as if the link had been tapped. A stack
    /// whose path was set along with the selection keeps that path: a deep link sets both.
    ///
    /// Every change through the tree begins with this.
    public mutating func settle() {
        let now = layout()
        let set = Set(now.stacks.filter(state.wasSet).map(\.id))
        if !set.isEmpty { version += 1 }
        for list in now.lists {
            let value = list.selection.read()
            guard let seen = state.seenSelections[list.id], seen != value, let column = list.column else { continue }
            let link = value.flatMap { now.link(to: $0, in: list.id) }
            let stack = link.flatMap { now.stackPresenting($0, search) }
            returnToRoot(after: column, now, butFor: set.union(stack.map { [$0.id] } ?? []))
            if let stack, !set.contains(stack.id), let target = link?.link.target { present(target, in: stack, now) }
            version += 1
        }
        noteBindings(now)
    }

    /// Remembers what is bound, to notice changes made from outside.
    private mutating func noteBindings(_ layout: Layout) {
        for list in layout.lists { state.seenSelections[list.id] = .some(list.selection.read()) }
        for stack in layout.stacks { state.seenPaths[stack.id] = stack.binding?.read() }
    }
}

extension Layout {
    /// The stack that activating a link presents its value in; nil when it leads elsewhere.
    fileprivate func stackPresenting(_ link: LinkLayout, _ search: DestinationSearch) -> StackLayout? {
        guard case .presented(let id) = outcome(of: link, search: search) else { return nil }
        return stack(id)
    }

    /// The outcome of activating a link; nil when nothing happens.
    fileprivate func effect(of link: LinkLayout, _ search: DestinationSearch) -> ActivationOutcome? {
        let outcome = outcome(of: link, search: search)
        if case .nothing = outcome { return nil }
        return outcome
    }

    /// The column that follows; nil after the last.
    fileprivate func column(after column: ColumnPlace) -> ColumnPlace? {
        let next = ColumnPlace(split: column.split, index: column.index + 1)
        return split(column.split).flatMap { next.index < $0.count ? next : nil }
    }

    /// What stands in place of a column without a stack.
    fileprivate func presentations(inPlaceOf column: ColumnPlace) -> [Presentation] {
        split(column.split).map { $0.presentations[column.index] } ?? []
    }

    /// The link in a list that has a value, by type and value.
    fileprivate func link(to value: some Hashable, in list: NavigationID) -> LinkLayout? {
        guard let selection = self.list(list)?.selection else { return nil }
        let wanted = AnyHashable(value)
        return links.first { link in
            guard link.list == list, let target = link.link.target else { return false }
            return selection.accepts(target.type) && AnyHashable(target.value) == wanted
        }
    }
}
