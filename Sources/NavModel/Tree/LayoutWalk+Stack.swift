// SPDX-License-Identifier: Apache-2.0
import NavWire

extension LayoutWalk {
    /// Lays a stack out: the root, then a screen per value, then what flags and items present.
    ///
    /// Destinations inside a pushed screen are found as it appears, so a deep path resolves level by level.
    mutating func walkStack(_ node: StackNode, _ around: Surroundings) {
        if around.stack != nil { layout.diagnostics.append(.stackInsideStack(around.id)) }
        let held = node.path?.read() ?? state.paths[around.id] ?? NavTwin.NavigationPath()
        let stack = StackLayout(
            id: around.id, binding: node.path, column: around.stack == nil ? around.column : nil, held: held, path: held
        )
        // The place in the list is taken before the stacks inside it take theirs.
        let place = layout.stacks.count
        layout.stacks.append(stack)

        var builder = StackBuilder(stack: stack, registry: registry)
        var presentations = around.incoming
        presentations += show(node.root, .root, in: &builder, around)
        builder.stack.rootTypes = builder.stack.types
        for index in 0..<stack.path.count {
            presentations += showElement(index, in: &builder, around)
        }
        for issue in builder.issues {
            layout.diagnostics.append(.notDecoded(stack: around.id, issue))
        }
        showPresentations(presentations, in: &builder, around)
        for links in builder.links.dropLast() { hideLinks(links) }
        layout.stacks[place] = builder.stack
    }

    private mutating func showElement(
        _ index: Int, in builder: inout StackBuilder, _ around: Surroundings
    ) -> [Presentation] {
        builder.resolve()
        let path = builder.stack.path
        let tag = path.tag(at: index) ?? ""
        if let value = path.value(at: index), let type = path.valueType(at: index) {
            if let content = builder.makers[ObjectIdentifier(type)]?(value) {
                return show(content, .value(tag: tag), in: &builder, around)
            }
            layout.diagnostics.append(.missingDestination(stack: around.id, index: index, tag: tag))
        }
        return show(.group([]), .missing(tag: tag), in: &builder, around)
    }

    /// Presentations on a presented screen come on top of it.
    private mutating func showPresentations(
        _ declared: [Presentation], in builder: inout StackBuilder, _ around: Surroundings
    ) {
        var waiting = declared[...]
        while let presentation = waiting.popFirst() {
            guard let content = presentation.content() else { continue }
            guard builder.stack.presentations.count < Layout.maximumPresentations else {
                layout.diagnostics.append(.tooManyPresentations(stack: around.id))
                return
            }
            builder.stack.presentations.append(presentation)
            waiting += show(content, .presented(by: presentation.what), in: &builder, around)
        }
    }

    /// Adds one screen, and returns what it presents.
    private mutating func show(
        _ content: Node, _ kind: NavigationScreen.Kind, in builder: inout StackBuilder, _ around: Surroundings
    ) -> [Presentation] {
        var inside = Surroundings(id: builder.nextScreen)
        inside.screen = inside.id
        inside.stack = around.id
        inside.column = around.column
        inside.isVisible = around.isVisible
        let start = layout.links.count
        let declared = walkScreen(content, inside)
        builder.links.append(start..<layout.links.count)
        builder.stack.screens.append(
            NavigationScreen(id: inside.id, kind: kind, title: content.screenTitle, text: content.text))
        // A screen above the values goes when a value is pushed: its destinations cannot serve the path.
        if builder.stack.presentations.isEmpty {
            for diagnostic in builder.add(declared.types) { layout.diagnostics.append(diagnostic) }
        }
        return declared.presentations
    }
}

/// The screens of one stack as they are laid out.
struct StackBuilder {
    var stack: StackLayout
    var registry: RouteRegistry
    var makers: [ObjectIdentifier: (any Hashable) -> Node?] = [:]
    /// The links of each screen, as a range among all.
    var links: [Range<Int>] = []
    /// Why elements are not known yet.
    var issues: [PathIssue] = []
    /// The types of destinations that the registry was not told of, and whether there were any since the last attempt to
    /// decode. Most paths have nothing that waits for them.
    private var newTypes: [any Hashable.Type] = []
    private var hasNewTypes = true

    init(stack: StackLayout, registry: RouteRegistry) {
        self.stack = stack
        self.registry = registry
    }

    var nextScreen: NavigationID {
        stack.presentations.isEmpty
            ? stack.id.screen(stack.screens.count) : stack.id.presentation(stack.presentations.count - 1)
    }

    /// Takes the destinations of a screen. One type has one destination: the first that was found from the root.
    mutating func add(
        _ types: [(type: any Hashable.Type, make: (any Hashable) -> Node?)]
    ) -> [NavigationDiagnostic] {
        var diagnostics: [NavigationDiagnostic] = []
        var here: Set<ObjectIdentifier> = []
        for (type, make) in types {
            let id = ObjectIdentifier(type)
            if makers[id] != nil {
                let name = String(reflecting: type)
                diagnostics.append(here.contains(id) ? .declaredTwice(type: name) : .declaredEarlier(type: name))
                continue
            }
            here.insert(id)
            makers[id] = make
            stack.types.insert(id)
            newTypes.append(type)
            if type.isLostWhenSaved(registry) { diagnostics.append(.privateType("\(type)")) }
        }
        // More types are known: what waits is tried again.
        if !here.isEmpty { hasNewTypes = true }
        return diagnostics
    }

    /// Decodes the elements whose types the destinations so far, or the registry, know.
    mutating func resolve() {
        guard hasNewTypes else { return }
        hasNewTypes = false
        guard stack.path.unresolvedCount > 0 else { return }
        for type in newTypes { registry.register(ifCodable: type) }
        newTypes = []
        issues = stack.path.resolve(using: registry)
    }
}

extension Hashable {
    /// Whether values can be saved, but not found again: the compiler's name of a private type differs in every run.
    fileprivate static func isLostWhenSaved(_ registry: RouteRegistry) -> Bool {
        guard self is any Codable.Type, String(reflecting: self).contains("(unknown context at ") else { return false }
        return !registry.knows(registry.tag(of: self))
    }
}
