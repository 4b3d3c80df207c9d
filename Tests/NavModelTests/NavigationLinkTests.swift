// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavModel
import NavWire
import Testing

@Suite struct NavigationLinkTests {
    @Test func formsThatSwiftUIHasCompileAndMeanTheSame() {
        let (one, some, tab) = (Owner<Int?>(nil), Owner<Set<Int>>([]), Owner("parks"))
        let title = "Parks".dropLast()
        let tree = NavigationTree {
            TabView(selection: tab.binding) {
                Tab("Parks", systemImage: "tree", value: "parks") {
                    NavigationSplitView {
                        List([1, 2], id: \.self, selection: one.binding) { NavigationLink("one \($0)", value: $0) }
                        List([3], id: \.self, selection: some.binding) { NavigationLink("some \($0)", value: $0) }
                        List([4], selection: some.binding) { NavigationLink("some \($0)", value: $0) }
                    } detail: {
                        Section(title) { Text("detail") }
                        Section {
                            Text("row")
                        } header: {
                            Text("header")
                        }
                    }
                }
                Tab(title, value: "park") { Text("b") }
            }
        }
        let view = tree.snapshot.tabViews[0]
        #expect(view.titles == ["Parks", "Park"] && view.selectedIndex == 0)
        #expect(tree.snapshot.lists.count == 3)
        #expect(tree.links.map(\.title) == ["one 1", "one 2", "some 3", "some 4"])
        let untagged = NavigationTree { TabView { Tab(title, systemImage: "leaf") { Text("a") } } }
        #expect(untagged.snapshot.tabViews[0].titles == ["Park"])
    }

    @Test func everyFormOfTitleIsShown() {
        let text = "from a string"
        let resource = LocalizedStringResource("title", defaultValue: "from a resource")
        #expect(NavigationLink("from a key", value: 1).title == "from a key")
        #expect(NavigationLink("\(3) unread", value: 1).title == "3 unread")
        #expect(NavigationLink(text, value: 1).title == text)
        #expect(NavigationLink(text.dropFirst(5), value: Draft()).title == "a string")
        #expect(NavigationLink(resource, value: 1).title == "from a resource")
        #expect(NavigationLink(resource, value: Draft()).title == "from a resource")
        #expect(NavigationLink("key", value: Draft()).title == "key")
        let label = NavigationLink(value: 1) {
            Text("a")
            Text(verbatim: "label")
        }
        #expect(label.title == "a label")
    }

    @Test func theOverloadDecidesWhetherThePathCanBeSaved() {
        func hashableOnly<Value: Hashable>(_ value: Value) -> NavigationLink { NavigationLink("generic", value: value) }
        let owner = Owner(NavigationPath())
        var tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                hashableOnly(1)
                NavigationLink("direct", value: 2)
                Text("root").navigationDestination(for: Int.self) { _ in Text("number") }
            }
        }
        tree.tap("generic")
        #expect(owner.value.codable == nil)
        #expect(owner.value.codabilityIssue == PathIssue(code: .notCodable, index: 0, tag: "Swift.Int", reason: ""))
        owner.value = NavigationPath()
        tree.tap("direct")
        #expect(owner.value.codable != nil && owner.value.codabilityIssue == nil)
    }

    @Test func anOptionalTypeIsAValueOfItsOwn() {
        let value: Int?? = .some(nil)
        let owner = Owner(NavigationPath())
        var tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                NavigationLink("optional", value: value)
                NavigationLink("plain", value: 1)
                Text("root").navigationDestination(for: Int?.self) { Text(verbatim: $0.map { "\($0)" } ?? "none") }
            }
        }
        #expect(tree.tap("plain") == .nothing(.noDestination(type: "Swift.Int")))
        #expect(tree.tap("optional") == .pushed(stack: tree.stack.id))
        #expect(tree.stack.top?.text == "none")
        #expect(owner.value == path(Int?.none))
    }

    @Test func aClassIsMatchedByTheStaticTypeOfTheLink() {
        var tree = NavigationTree {
            NavigationStack {
                NavigationLink("dog", value: Dog() as Animal)
                Text("root").navigationDestination(for: Animal.self) { _ in Text("animal") }
                    .navigationDestination(for: Dog.self) { _ in Text("dog") }
            }
        }
        tree.tap("dog")
        #expect(tree.stack.top?.text == "animal")
        #expect(tree.stack.top?.kind == .value(tag: "\(testModule).Animal"))
    }
}

class Animal: Hashable {
    static func == (lhs: Animal, rhs: Animal) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class Dog: Animal {}
