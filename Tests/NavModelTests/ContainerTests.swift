// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavModel
import NavWire
import Testing

@Suite struct ContainerTests {
    /// A sidebar with a selection, and a stack that shows what is selected.
    private func mail(
        _ selection: Owner<String?>, _ values: Owner<NavigationPath>,
        preferred: Owner<NavigationSplitViewColumn>? = nil, visibility: Owner<NavigationSplitViewVisibility>? = nil
    ) -> NavigationTree {
        NavigationTree {
            NavigationSplitView(columnVisibility: visibility?.binding, preferredCompactColumn: preferred?.binding) {
                List(["inbox", "sent"], selection: selection.binding) { NavigationLink($0, value: $0) }
            } detail: {
                NavigationStack(path: values.binding) {
                    Text(verbatim: selection.value ?? "nothing")
                    NavigationLink("message", value: 1)
                        .navigationDestination(for: Int.self) { Text(verbatim: "message \($0)") }
                }
            }
        }
    }

    @Test func aChangeOfSelectionReturnsTheFollowingStackToItsRoot() {
        let (selection, values) = (Owner<String?>("inbox"), Owner(NavigationPath()))
        var tree = mail(selection, values)
        tree.tap("message")
        #expect(values.value == path(1))
        #expect(tree.tap("inbox") == .selected(list: tree.snapshot.lists[0].id))
        #expect(values.value == path(1), "the selection did not change")
        tree.tap("sent")
        #expect(values.value.isEmpty && selection.value == "sent")
        #expect(tree.stack.top?.text == "sent message")
    }

    @Test func selectingByProgramAndTappingAreTheSame() {
        func make() -> (NavigationTree, Owner<String?>, Owner<NavigationPath>) {
            let (selection, values) = (Owner<String?>("inbox"), Owner(path(1)))
            return (mail(selection, values), selection, values)
        }
        var (tapped, _, _) = make()
        tapped.tap("sent")
        var (selected, _, _) = make()
        let list = selected.snapshot.lists[0].id
        #expect(selected.select("sent", in: list).outcome == .selected(list: list))
        var (assigned, selection, values) = make()
        selection.value = "sent"
        assigned.settle()
        #expect(tapped.snapshot == selected.snapshot)
        #expect(tapped.snapshot == assigned.snapshot)
        #expect(values.value.isEmpty)
    }

    @Test func selectingByProgramPresentsWhatTheLinkWould() {
        func make() -> (NavigationTree, Owner<Park?>, Owner<NavigationPath>) {
            let (selection, values) = (Owner<Park?>(nil), Owner(NavigationPath()))
            let tree = NavigationTree {
                NavigationSplitView {
                    List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
                } detail: {
                    NavigationStack(path: values.binding) {
                        Text("d").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                    }
                }
            }
            return (tree, selection, values)
        }
        var (tapped, _, _) = make()
        tapped.tap("Zion")
        var (selected, _, _) = make()
        selected.select(Park(name: "Zion"), in: selected.snapshot.lists[0].id)
        var (assigned, selection, _) = make()
        selection.value = Park(name: "Zion")
        assigned.settle()
        #expect(tapped.snapshot.stacks[0].path == path(Park(name: "Zion")))
        #expect(tapped.snapshot == selected.snapshot)
        #expect(tapped.snapshot == assigned.snapshot)
    }

    @Test func aSelectionThatIsThereAtTheStartPopsNothing() {
        let values = Owner(path(1))
        var tree = mail(Owner("inbox"), values)
        tree.settle()
        #expect(values.value == path(1))
    }

    @Test func aLinkInTheSameColumnsStackPushesThere() {
        let values = Owner(NavigationPath())
        var tree = mail(Owner("inbox"), values)
        #expect(tree.tap("message") == .pushed(stack: tree.stack.id))
        #expect(tree.tap("message") == .nothing(.notVisible))
    }

    @Test func visibilityHidesColumnsAndTheirLinks() {
        let visibility = Owner(NavigationSplitViewVisibility.all)
        var tree = mail(Owner(nil), Owner(NavigationPath()), visibility: visibility)
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar, .detail])
        visibility.value = .detailOnly
        #expect(tree.snapshot.splitViews[0].columns == [.detail])
        #expect(tree.tap("inbox") == .nothing(.notVisible))
        visibility.value = .doubleColumn
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar, .detail])
    }

    @Test func threeColumnsHaveAContentColumn() {
        let visibility = Owner(NavigationSplitViewVisibility.doubleColumn)
        let tree = NavigationTree {
            NavigationSplitView(columnVisibility: visibility.binding) {
                Text("s")
            } content: {
                Text("c")
            } detail: {
                Text("d")
            }
        }
        #expect(tree.snapshot.splitViews[0].columns == [.content, .detail])
        visibility.value = .automatic
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar, .content, .detail])
    }

    @Test func columnsAndVisibilityAreShownByTheirNames() {
        #expect("\([NavigationSplitViewColumn.sidebar, .content, .detail])" == "[sidebar, content, detail]")
        #expect("\(NavigationSplitViewVisibility.doubleColumn)" == "doubleColumn")
    }

    @Test func visibilityIsCodable() throws {
        for value in [NavigationSplitViewVisibility.automatic, .all, .doubleColumn, .detailOnly] {
            let bytes = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(NavigationSplitViewVisibility.self, from: bytes) == value)
        }
    }

    @Test func collapsedColumnsAreOneStack() throws {
        let (selection, values) = (Owner<String?>(nil), Owner(NavigationPath()))
        var tree = mail(selection, values, visibility: Owner(.detailOnly))
        tree.isCollapsed = true
        let split = tree.snapshot.splitViews[0].id
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar], "visibility counts only side by side")
        tree.tap("inbox")
        tree.tap("message")
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox sent", "inbox message", "message 1"])
        #expect(tree.tap("sent") == .nothing(.notVisible))
        #expect(try tree.goBack(in: split) && values.value.isEmpty)
        #expect(try tree.goBack(in: split) && selection.value == nil)
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox sent"])
        #expect(try !tree.goBack(in: split))
    }

    @Test func thePreferredColumnIsInFrontWhileCollapsed() throws {
        let preferred = Owner(NavigationSplitViewColumn.detail)
        var tree = mail(Owner(nil), Owner(NavigationPath()), preferred: preferred)
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar, .detail])
        tree.isCollapsed = true
        let split = tree.snapshot.splitViews[0]
        #expect(split.columns == [.detail] && split.screens.count == 2)
        #expect(try tree.goBack(in: split.id))
        #expect(preferred.value == .sidebar)
        tree.tap("inbox")
        #expect(preferred.value == .detail)
    }

    private func tabs(_ selection: Owner<Int>?) -> NavigationTree {
        func stack(_ title: String) -> some NavigationContent {
            NavigationStack {
                NavigationLink(title, value: Park(name: title))
                    .navigationDestination(for: Park.self) { Text(verbatim: $0.name) }
            }
        }
        if let selection {
            return NavigationTree {
                TabView(selection: selection.binding) {
                    Tab("first", value: 1) { stack("a") }
                    Tab("second", value: 2) { stack("b") }
                }
            }
        }
        return NavigationTree {
            TabView {
                Tab("first") { stack("a") }
                Tab("second") { stack("b") }
            }
        }
    }

    @Test func eachTabKeepsItsOwnStack() throws {
        var tree = tabs(nil)
        let view = tree.snapshot.tabViews[0]
        #expect(view.titles == ["first", "second"] && view.selectedIndex == 0)
        tree.tap("a")
        #expect(tree.tap("b") == .nothing(.notVisible))
        try tree.selectTab(1, in: view.id)
        tree.tap("b")
        #expect(tree.snapshot.stacks.map(\.path) == [path(Park(name: "a")), path(Park(name: "b"))])
        #expect(tree.snapshot.stacks[0].id != tree.snapshot.stacks[1].id)
    }

    @Test func whatATreeKeepsIsSavedByPlace() throws {
        struct SavedStack: Codable {
            var id: NavigationID
            var path: NavigationPath.CodableRepresentation
        }
        var tree = tabs(nil)
        tree.tap("a")
        try tree.selectTab(1, in: tree.snapshot.tabViews[0].id)
        tree.tap("b")
        let snapshot = tree.snapshot
        let saved = snapshot.stacks.compactMap { stack in
            stack.path.codable.map { SavedStack(id: stack.id, path: $0) }
        }
        let file = try JSONEncoder().encode(saved)

        var next = tabs(nil)
        for stack in try JSONDecoder().decode([SavedStack].self, from: file) {
            try next.setPath(NavigationPath(stack.path), in: stack.id)
        }
        for tabs in snapshot.tabViews { try next.selectTab(tabs.selectedIndex, in: tabs.id) }
        #expect(saved.count == 2 && next.snapshot == snapshot)
    }

    @Test func aTabThatIsGoneIsSelectedNoMore() throws {
        let titles = Owner(["a", "b", "c"])
        var tree = NavigationTree {
            TabView { for title in titles.value { Tab(title) { Text(verbatim: title) } } }
        }
        try tree.selectTab(2, in: tree.snapshot.tabViews[0].id)
        titles.value = ["a", "b"]
        #expect(tree.snapshot.tabViews[0].selectedIndex == 0)
        titles.value = ["a", "b", "c"]
        #expect(tree.snapshot.tabViews[0].selectedIndex == 2, "it comes back, as a path does with its stack")
    }

    @Test func selectingATabPushesNothing() throws {
        let selection = Owner(1)
        var tree = tabs(selection)
        try tree.selectTab(1, in: tree.snapshot.tabViews[0].id)
        #expect(selection.value == 2)
        #expect(tree.snapshot.stacks.allSatisfy { $0.path.isEmpty })
        let view = tree.snapshot.tabViews[0].id
        #expect(throws: NavigationMoveError.self) { try tree.selectTab(2, in: view) }
        selection.value = 1
        #expect(tree.snapshot.tabViews[0].selectedIndex == 0)
    }

    @Test func aTabIsSelectedByAValueOfTheSelectionsType() throws {
        let selection = Owner(2.0)
        var tree = NavigationTree {
            TabView(selection: selection.binding) {
                Tab("first", value: 1.0) { Text("a") }
                Tab("second", value: 2) { Text("b") }
                Tab("third") { Text("c") }
            }
        }
        let view = tree.snapshot.tabViews[0]
        #expect(view.selectedIndex == 0, "the Int 2 is not the Double 2.0")
        for index in 1...2 {
            let error = try #require(throws: NavigationMoveError.self) { try tree.selectTab(index, in: view.id) }
            #expect(error.code == .notSelectable)
        }
        #expect(tree.version == 0 && selection.value == 2.0)
    }

    @Test func anOptionalSelectionTakesItsTabsValues() throws {
        let selection = Owner<Int?>(nil)
        var tree = NavigationTree {
            TabView(selection: selection.binding) {
                Tab("first", value: 1) { Text("a") }
                Tab("second", value: 2) { Text("b") }
            }
        }
        try tree.selectTab(1, in: tree.snapshot.tabViews[0].id)
        #expect(selection.value == 2 && tree.snapshot.tabViews[0].selectedIndex == 1)
    }
}
