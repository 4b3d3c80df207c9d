// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire
import Testing

/// What columns do to each other: a selection, a link or an item in a leading one, and what follows.
@Suite struct ColumnTests {
    /// A list whose links' values are presented in the detail stack, past the content column's stack.
    private func threeColumns(_ selection: Owner<Park?>, _ content: Owner<NavigationPath>, _ flag: Owner<Bool>)
        -> NavigationTree
    {
        NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) {
                    NavigationLink("Zion", value: Park(name: "Zion"))
                    NavigationLink("Acadia", value: Park(name: "Acadia"))
                }
            } content: {
                NavigationStack(path: content.binding) {
                    Text("content").navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
                }
            } detail: {
                NavigationStack {
                    Text("detail").navigationDestination(for: Park.self) { Text(verbatim: $0.name) }
                        .navigationDestination(isPresented: flag.binding) { Text("flag") }
                }
            }
        }
    }

    @Test func aLinkThatIsPresentedPastAColumnReturnsThatOneToItsRootAsItsSelectionDoes() {
        let (selection, content) = (Owner<Park?>(nil), Owner(path(1)))
        var tapped = threeColumns(selection, content, Owner(false))
        tapped.tap("Zion")
        #expect(tapped.snapshot.stacks.map { $0.screens.map(\.text) } == [["content"], ["detail", "Zion"]])
        content.value = path(2)
        tapped.tap("Zion")
        #expect(content.value == path(2), "the selection did not change")

        let assigned = Owner<Park?>(nil)
        var other = threeColumns(assigned, Owner(path(1)), Owner(false))
        assigned.value = Park(name: "Zion")
        other.settle()
        content.value = NavigationPath()
        #expect(tapped.snapshot == other.snapshot)
    }

    @Test func whatASelectionPresentsTakesThePlaceOfWhatAFlagPresents() {
        let (selection, flag) = (Owner<Park?>(nil), Owner(true))
        var tree = threeColumns(selection, Owner(NavigationPath()), flag)
        #expect(tree.snapshot.stacks[1].top?.text == "flag")
        selection.value = Park(name: "Zion")
        tree.settle()
        #expect(tree.snapshot.stacks[1].screens.map(\.text) == ["detail", "Zion"])
        #expect(!flag.value)
    }

    @Test func aStackThatIsPresentedInIsWrittenOnce() {
        let (selection, values) = (Owner<Park?>(nil), Owner(path(1, 2)))
        var tree = NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                NavigationStack(path: values.binding) {
                    Text("detail").navigationDestination(for: Park.self) { Text(verbatim: $0.name) }
                }
            }
        }
        tree.tap("Zion")
        #expect(values.value == path(Park(name: "Zion")) && values.changes == 1)
        values.value = path(1)
        tree.settle()
        selection.value = nil
        tree.settle()
        selection.value = Park(name: "Zion")
        tree.settle()
        #expect(values.value == path(Park(name: "Zion")) && values.changes == 4)
    }

    /// A sidebar with a list, a link with a screen of its own and an item; the detail column has no stack.
    private func withoutStack(_ selection: Owner<String?>, _ item: Owner<Park?>) -> NavigationTree {
        NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) {
                    NavigationLink("inbox", value: "inbox")
                    NavigationLink("About") { Text("about").navigationTitle("About us") }
                }
                .navigationDestination(item: item.binding) { Text(verbatim: $0.name) }
            } detail: {
                Text(verbatim: selection.value ?? "nothing")
            }
        }
    }

    @Test func aScreenInPlaceOfAColumnIsWhatIsShown() throws {
        var tree = withoutStack(Owner(nil), Owner(nil))
        tree.isCollapsed = true
        tree.tap("About")
        let screen = try #require(tree.snapshot.splitViews[0].screens.last)
        #expect(screen.text == "about" && screen.title == "About us" && screen.kind == .presented(by: "link"))
    }

    @Test func sideBySideEachColumnsScreenIsShown() {
        let selection = Owner<String?>(nil)
        var tree = withoutStack(selection, Owner(nil))
        let split = tree.snapshot.splitViews[0]
        #expect(
            split.screens.map(\.text) == ["inbox About", "nothing"] && split.screens.map(\.kind) == [.column, .column])
        tree.tap("About")
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox About", "about"])
        tree.tap("inbox")
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox About", "inbox"])
    }

    @Test func eachLinkNamesItsScreen() throws {
        let values = Owner(path(Park(name: "Zion")))
        var tree = NavigationTree {
            NavigationSplitView {
                List { NavigationLink("Acadia", value: Park(name: "Acadia")) }
                NavigationLink("About") { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                NavigationStack(path: values.binding) {
                    NavigationLink("root", value: Trail(id: 0))
                        .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
            }
        }
        func titles(_ screen: NavigationScreen) -> [String] {
            tree.links.filter { $0.screen == screen.id }.map(\.title)
        }
        let split = tree.snapshot.splitViews[0]
        #expect(titles(split.screens[0]) == ["Acadia", "About"] && titles(split.screens[1]) == ["Trail"])
        #expect(tree.stack.screens.map(titles) == [["root"], ["Trail"]])
        tree.tap("About")
        #expect(titles(try #require(tree.stack.top)) == ["Zion"])
        #expect(NavigationTree { NavigationLink("x", value: 1) }.links[0].screen == nil)
    }

    @Test func theTopOfAStackIsWhatItsColumnShows() {
        let tree = mail(Owner(nil), Owner(path(1)))
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox sent", "message 1"])
    }

    @Test func goingBackFromAColumnTakesWhatIsPresentedThereAlong() throws {
        let item = Owner<Park?>(Park(name: "Zion"))
        var tree = withoutStack(Owner(nil), item)
        tree.isCollapsed = true
        let split = tree.snapshot.splitViews[0].id
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox About", "Zion"])
        #expect(try tree.goBack(in: split))
        #expect(item.value == nil && tree.snapshot.splitViews[0].columns == [.sidebar])
        tree.tap("About")
        #expect(try tree.goBack(in: split))
        #expect(tree.snapshot.splitViews[0].columns == [.sidebar])
        #expect(try !tree.goBack(in: split))
    }

    @Test func aChangeOfSelectionTakesTheScreenInPlaceOfAColumnAway() {
        let (selection, item) = (Owner<String?>(nil), Owner<Park?>(Park(name: "Zion")))
        var tree = withoutStack(selection, item)
        tree.tap("inbox")
        #expect(item.value == nil)
        selection.value = nil
        tree.tap("About")
        selection.value = "inbox"
        tree.settle()
        tree.isCollapsed = true
        #expect(tree.snapshot.splitViews[0].screens.map(\.text) == ["inbox About", "inbox"])
    }

    @Test func aLinksScreenTakesThePlaceOfWhatIsPresentedInTheNextColumn() {
        let (flag, item) = (Owner(true), Owner<Park?>(Park(name: "Zion")))
        var tree = NavigationTree {
            NavigationSplitView {
                NavigationLink("About") { Text("about") }
                    .navigationDestination(item: item.binding) { Text(verbatim: $0.name) }
            } detail: {
                NavigationStack { Text("detail").navigationDestination(isPresented: flag.binding) { Text("flag") } }
            }
        }
        #expect(tree.stack.screens.map(\.text) == ["detail", "Zion", "flag"])
        tree.tap("About")
        #expect(tree.stack.screens.map(\.text) == ["detail", "about"])
        #expect(!flag.value && item.value == nil)
    }

    @Test func aSelectionInTheLastColumnChangesNoColumn() {
        let (selection, preferred) = (Owner<Park?>(nil), Owner(NavigationSplitViewColumn.detail))
        var tree = NavigationTree {
            NavigationSplitView(preferredCompactColumn: preferred.binding) {
                Text("sidebar")
            } content: {
                Text("content")
            } detail: {
                List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
            }
        }
        tree.isCollapsed = true
        selection.value = Park(name: "Zion")
        tree.settle()
        #expect(preferred.value == .detail && preferred.changes == 0)
        selection.value = nil
        let list = tree.snapshot.lists[0].id
        #expect(tree.select(Park(name: "Zion"), in: list).outcome == .selected(list: list))
        #expect(selection.value == Park(name: "Zion"), "the program may select what a tap would not")
    }

    @Test func goingBackIsNotSaidWhereABindingTakesNoChange() throws {
        var flag = NavigationTree {
            NavigationStack { Text("a").navigationDestination(isPresented: .constant(true)) { Text("b") } }
        }
        #expect(try !flag.goBack(in: flag.stack.id))
        var fixed = NavigationTree {
            NavigationStack(path: .constant(path(1))) {
                Text("a").navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
            }
        }
        #expect(try !fixed.goBack(in: fixed.stack.id))
        var collapsed = NavigationTree {
            NavigationSplitView {
                List(selection: .constant(Optional("inbox"))) { NavigationLink("inbox", value: "inbox") }
            } detail: {
                Text("detail")
            }
        }
        collapsed.isCollapsed = true
        #expect(try !collapsed.goBack(in: collapsed.snapshot.splitViews[0].id))
    }

    // MARK: Selection and path set together

    private func mail(_ selection: Owner<String?>, _ values: Owner<NavigationPath>) -> NavigationTree {
        NavigationTree {
            NavigationSplitView {
                List(["inbox", "sent"], selection: selection.binding) { NavigationLink($0, value: $0) }
            } detail: {
                NavigationStack(path: values.binding) {
                    Text("detail").navigationDestination(for: Int.self) { Text(verbatim: "message \($0)") }
                }
            }
        }
    }

    @Test func aPathThatIsSetAlongWithTheSelectionStays() {
        let (selection, values) = (Owner<String?>("inbox"), Owner(path(1)))
        var tree = mail(selection, values)
        selection.value = "sent"
        values.value = path(2, 3)
        tree.settle()
        #expect(values.value == path(2, 3), "a deep link, or a restored window")
        selection.value = "inbox"
        tree.settle()
        #expect(values.value.isEmpty, "this time the selection alone was changed")
    }

    @Test func aPathOfItsOwnForEachSelectionStays() {
        final class Mail {
            var selection: String? = "inbox"
            var paths = ["inbox": path(1), "sent": path(2, 3)]
            var shown: NavigationPath {
                get { paths[selection ?? ""] ?? NavigationPath() }
                set { paths[selection ?? ""] = newValue }
            }
        }
        func make() -> (Mail, NavigationTree) {
            let mail = Mail()
            let tree = NavigationTree {
                NavigationSplitView {
                    List(["inbox", "sent"], selection: Binding(mail, \.selection)) { NavigationLink($0, value: $0) }
                } detail: {
                    NavigationStack(path: Binding(mail, \.shown)) {
                        Text("detail").navigationDestination(for: Int.self) { Text(verbatim: "message \($0)") }
                    }
                }
            }
            return (mail, tree)
        }
        let (tappedMail, first) = make()
        var tapped = first
        tapped.tap("sent")
        let (assignedMail, second) = make()
        var assigned = second
        assignedMail.selection = "sent"
        assigned.settle()
        for (mail, tree) in [(tappedMail, tapped), (assignedMail, assigned)] {
            #expect(tree.stack.screens.map(\.text) == ["detail", "message 2", "message 3"])
            #expect(mail.paths == ["inbox": path(1), "sent": path(2, 3)])
        }
    }

    @Test func aPathThatWasSetBeforeTheSelectionGoes() {
        let (selection, values) = (Owner<String?>("inbox"), Owner(NavigationPath()))
        var tree = mail(selection, values)
        values.value = path(1)
        tree.settle()
        selection.value = "sent"
        tree.settle()
        #expect(values.value.isEmpty)
    }

    @Test func aPathThatIsSetAlongWithTheSelectionIsNotReplacedByItsLink() {
        let (selection, values) = (Owner<Park?>(nil), Owner(NavigationPath()))
        var tree = NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                NavigationStack(path: values.binding) {
                    Text("detail").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                        .navigationDestination(for: Trail.self) { Text(verbatim: "trail \($0.id)") }
                }
            }
        }
        selection.value = Park(name: "Zion")
        values.value = path(Park(name: "Zion"), Trail(id: 1))
        tree.settle()
        #expect(tree.stack.screens.map(\.text) == ["detail", "Zion Trail", "trail 1"])
    }
}
