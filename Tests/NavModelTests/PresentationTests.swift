// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire
import Testing

/// Screens that a flag or an item presents: the third layer of a stack.
@Suite struct PresentationTests {
    @Test func aFlagPresentsAboveTheValuesAndBackSetsItFalse() throws {
        let (flag, values) = (Owner(false), Owner(path(1)))
        var tree = NavigationTree {
            NavigationStack(path: values.binding) {
                Text("root").navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
                    .navigationDestination(isPresented: flag.binding) { Text("sheet") }
            }
        }
        #expect(tree.stack.depth == 1)
        flag.value = true
        #expect(tree.stack.kinds == [.root, .value(tag: "Swift.Int"), .presented(by: "flag")])
        #expect(values.value == path(1))
        #expect(try tree.goBack(in: tree.stack.id))
        #expect(!flag.value && tree.stack.depth == 1)
        #expect(try tree.goBack(in: tree.stack.id))
        #expect(try !tree.goBack(in: tree.stack.id))
        #expect(values.value.isEmpty)
    }

    @Test func anItemPresentsIsReplacedInPlaceAndBackSetsItNil() throws {
        let item = Owner<Park?>(nil)
        var tree = NavigationTree {
            NavigationStack {
                Text("root").navigationDestination(item: item.binding) { Text(verbatim: $0.name) }
            }
        }
        item.value = Park(name: "Zion")
        let first = tree.stack.screens
        #expect(first.map(\.text) == ["root", "Zion"])
        item.value = Park(name: "Acadia")
        #expect(tree.stack.screens.map(\.text) == ["root", "Acadia"])
        #expect(tree.stack.screens.map(\.id) == first.map(\.id))
        #expect(try tree.goBack(in: tree.stack.id))
        #expect(item.value == nil && tree.stack.depth == 0)
    }

    @Test func pushingAValuePopsAllThatIsPresented() {
        let (flag, item, values) = (Owner(true), Owner<Trail?>(Trail(id: 3)), Owner(NavigationPath()))
        var tree = NavigationTree {
            NavigationStack(path: values.binding) {
                Text("root").navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
                    .navigationDestination(isPresented: flag.binding) { Text("flag") }
                    .navigationDestination(item: item.binding) { _ in NavigationLink("five", value: 5) }
            }
        }
        #expect(tree.stack.depth == 2)
        #expect(tree.tap("five") == .pushed(stack: tree.stack.id))
        #expect(!flag.value && item.value == nil)
        #expect(values.value == path(5) && tree.stack.depth == 1)
    }

    @Test func presentedScreensAreNoPartOfASavedPath() throws {
        let values = Owner(path(1))
        let tree = NavigationTree {
            NavigationStack(path: values.binding) {
                Text("root").navigationDestination(isPresented: .constant(true)) { Text("up") }
            }
        }
        #expect(tree.stack.depth == 2)
        #expect(try #require(values.value.codable).elements().count == 1)
    }

    @Test func aDestinationOnAPresentedScreenDoesNotServeThePath() {
        var tree = NavigationTree {
            NavigationStack {
                Text("root").navigationDestination(isPresented: .constant(true)) {
                    NavigationLink("one", value: 1).navigationDestination(for: Int.self) { _ in Text("lost") }
                }
            }
        }
        #expect(tree.tap("one") == .nothing(.noDestination(type: "Swift.Int")))
    }

    @Test func aPresentedScreenCanPresentAnother() {
        let tree = NavigationTree {
            NavigationStack {
                Text("root").navigationDestination(isPresented: .constant(true)) {
                    Text("one").navigationDestination(isPresented: .constant(true)) { Text("two") }
                }
            }
        }
        #expect(tree.stack.screens.map(\.text) == ["root", "one", "two"])
        #expect(Set(tree.stack.screens.map(\.id)).count == 3)
    }

    @Test func endlessPresentationStopsAtALimit() {
        struct Endless: NavigationContent {
            var body: some NavigationContent {
                Text("again").navigationDestination(isPresented: .constant(true)) { Endless() }
            }
        }
        let tree = NavigationTree { NavigationStack { Endless() } }
        #expect(tree.stack.depth == 64)
        #expect(tree.diagnostics == [.tooManyPresentations(stack: tree.stack.id)])
    }

    @Test func anItemInALeadingColumnPresentsInTheNext() throws {
        let item = Owner<Park?>(nil)
        var tree = NavigationTree {
            NavigationSplitView {
                Text("sidebar").navigationDestination(item: item.binding) { Text(verbatim: $0.name) }
            } detail: {
                NavigationStack { Text("detail") }
            }
        }
        #expect(tree.stack.depth == 0)
        item.value = Park(name: "Zion")
        #expect(tree.stack.screens.map(\.text) == ["detail", "Zion"])
        #expect(try tree.goBack(in: tree.stack.id))
        #expect(item.value == nil)
    }

    @Test func aLinksOwnScreenIsPresentedAndNeverEntersThePath() throws {
        let values = Owner(path(1))
        var tree = NavigationTree {
            NavigationStack(path: values.binding) {
                Text("root").navigationDestination(for: Int.self) { number in
                    NavigationLink("about") {
                        Text("about")
                        NavigationLink("deeper") { NavigationLink("next", value: number + 1) }
                    }
                }
            }
        }
        #expect(tree.link(titled: "about")?.disabledReason == nil)
        #expect(tree.tap("about") == .presentedScreen(in: tree.stack.id))
        #expect(tree.tap("deeper") == .presentedScreen(in: tree.stack.id))
        #expect(tree.stack.depth == 3 && values.value == path(1))
        #expect(tree.stack.top?.kind == .presented(by: "link"))
        try tree.goBack(in: tree.stack.id)
        #expect(tree.stack.depth == 2)
        tree.tap("deeper")
        #expect(tree.tap("next") == .pushed(stack: tree.stack.id))
        #expect(tree.stack.kinds == [.root, .value(tag: "Swift.Int"), .value(tag: "Swift.Int")])
        try tree.goBack(in: tree.stack.id)
        #expect(tree.stack.depth == 1, "what was presented does not come back")
    }

    @Test func aLinksOwnScreenGoesToTheNextColumn() throws {
        var tree = NavigationTree {
            NavigationSplitView {
                NavigationLink("one") { Text("first") }
                NavigationLink(destination: { Text("second") }, label: { Text("two") })
            } detail: {
                NavigationStack { NavigationLink("here") { Text("third") } }
            }
        }
        let split = tree.snapshot.splitViews[0].id
        #expect(tree.tap("one") == .presentedScreen(in: split))
        #expect(tree.stack.screens.map(\.text) == ["here", "first"])
        #expect(tree.tap("two") == .presentedScreen(in: split))
        #expect(tree.stack.screens.map(\.text) == ["here", "second"])
        #expect(try tree.goBack(in: tree.stack.id))
        #expect(tree.tap("here") == .presentedScreen(in: tree.stack.id))
        var alone = NavigationTree {
            NavigationSplitView {
                Text("s")
            } detail: {
                NavigationLink("last") { Text("nowhere") }
            }
        }
        #expect(alone.tap("last") == .nothing(.noPlaceForScreen))
    }
}
