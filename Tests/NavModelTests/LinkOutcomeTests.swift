// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire
import Testing

/// The documented outcomes of activating a link, in their order.
@Suite struct LinkOutcomeTests {
    // MARK: 1. A destination in the stack around the link

    @Test func aMatchingDestinationInTheStackAroundPushes() throws {
        let owner = Owner(NavigationPath())
        var tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                List { NavigationLink("Yosemite", value: Park(name: "Yosemite")) }
                    .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
            }
        }
        let activation = tree.activate(try #require(tree.link(titled: "Yosemite")).id)
        #expect(activation.outcome == .pushed(stack: tree.stack.id))
        #expect(activation.state == tree.snapshot)
        #expect(activation.state.stacks[0].kinds == [.root, .value(tag: "\(testModule).Park")])
        #expect(owner.value == path(Park(name: "Yosemite")))
        #expect(owner.changes == 1)
        #expect(owner.value.codable != nil)
    }

    @Test func theHashableFormMakesAPathThatCannotBeSaved() {
        let owner = Owner(NavigationPath())
        var tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                NavigationLink("Draft", value: Draft())
                    .navigationDestination(for: Draft.self) { _ in Text("draft") }
            }
        }
        #expect(tree.tap("Draft") == .pushed(stack: tree.stack.id))
        #expect(owner.value.codable == nil && owner.value.codabilityIssue?.index == 0)
    }

    @Test func aLinkKeepsACopyOfItsValue() {
        var park = Park(name: "before")
        let link = NavigationLink("Park", value: park)
        park.name = "after"
        var tree = NavigationTree {
            NavigationStack {
                link.navigationDestination(for: Park.self) { Text(verbatim: $0.name) }
            }
        }
        tree.tap("Park")
        #expect(tree.stack.top?.text == "before")
    }

    // MARK: 2. A destination in a stack of a later column

    private func splitTree(
        _ path: Owner<NavigationPath>, _ selection: Owner<Park?>? = nil
    ) -> NavigationTree {
        NavigationTree {
            NavigationSplitView {
                if let selection {
                    List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
                } else {
                    List { NavigationLink("Zion", value: Park(name: "Zion")) }
                }
            } detail: {
                NavigationStack(path: path.binding) {
                    Text("pick one").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                        .navigationDestination(for: Trail.self) { Text(verbatim: "trail \($0.id)") }
                }
            }
        }
    }

    @Test func aStackOfALaterColumnGetsTheValueAsItsFirstAndOnly() {
        let owner = Owner(path(Park(name: "old"), Trail(id: 7)))
        var tree = splitTree(owner)
        #expect(tree.tap("Zion") == .presented(stack: tree.stack.id))
        #expect(owner.value == path(Park(name: "Zion")))
        #expect(tree.stack.kinds == [.root, .value(tag: "\(testModule).Park")])
        #expect(tree.stack.screens[0].text == "pick one")
    }

    @Test func theSelectionFollowsWhatIsPresented() {
        let (owner, selection) = (Owner(NavigationPath()), Owner<Park?>(nil))
        var tree = splitTree(owner, selection)
        #expect(tree.tap("Zion") == .presented(stack: tree.stack.id))
        #expect(selection.value == Park(name: "Zion"))
        #expect(owner.value == path(Park(name: "Zion")))
    }

    @Test func withoutAStackInTheLaterColumnNothingHappens() {
        var tree = NavigationTree {
            NavigationSplitView {
                List { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                Text("pick one").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
            }
        }
        #expect(tree.tap("Zion") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(tree.diagnostics.contains(.destinationOutsideStack(type: "\(testModule).Park")))
    }

    @Test func theMessagesReadingLooksInTheSameColumn() {
        let (sidebar, detail) = (Owner(NavigationPath()), Owner(NavigationPath()))
        var tree = NavigationTree {
            NavigationSplitView {
                NavigationLink("Zion", value: Park(name: "Zion"))
                NavigationStack(path: sidebar.binding) {
                    Text("side").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
            } detail: {
                NavigationStack(path: detail.binding) {
                    Text("main").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
            }
        }
        var other = tree
        tree.tap("Zion")
        #expect(sidebar.value.isEmpty && detail.value == path(Park(name: "Zion")))
        detail.value = NavigationPath()
        other.search = .sameColumn
        other.tap("Zion")
        #expect(sidebar.value == path(Park(name: "Zion")) && detail.value.isEmpty)
    }

    @Test func theNearestLaterColumnWithADestinationCounts() {
        let (content, detail) = (Owner(NavigationPath()), Owner(NavigationPath()))
        var tree = NavigationTree {
            NavigationSplitView {
                List {
                    NavigationLink("Park", value: Park(name: "Zion"))
                    NavigationLink("Trail", value: Trail(id: 1))
                }
            } content: {
                NavigationStack(path: content.binding) {
                    Text("c").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
            } detail: {
                NavigationStack(path: detail.binding) {
                    Text("d").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                        .navigationDestination(for: Trail.self) { _ in Text("trail") }
                }
            }
        }
        tree.tap("Park")
        tree.tap("Trail")
        #expect(content.value == path(Park(name: "Zion")))
        #expect(detail.value == path(Trail(id: 1)))
    }

    @Test func anEarlierColumnIsNeverSearched() {
        var tree = NavigationTree {
            NavigationSplitView {
                NavigationStack { Text("s").navigationDestination(for: Park.self) { ParkDetails(park: $0) } }
            } detail: {
                NavigationLink("Zion", value: Park(name: "Zion"))
            }
        }
        #expect(tree.tap("Zion") == .nothing(.noDestination(type: "\(testModule).Park")))
    }

    // MARK: 3. A selection in a leading column

    @Test func withoutAMatchTheSelectionOfALeadingColumnChanges() {
        let selection = Owner<Park?>(nil)
        var tree = NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                Text(verbatim: selection.value?.name ?? "nothing")
            }
        }
        #expect(tree.tap("Zion") == .selected(list: tree.snapshot.lists[0].id))
        #expect(selection.value == Park(name: "Zion"))
    }

    @Test func aSetOfOneIsASelectionToo() {
        let selection = Owner<Set<Park>>([])
        var tree = NavigationTree {
            NavigationSplitView {
                List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
            } detail: {
                Text("d")
            }
        }
        tree.tap("Zion")
        #expect(selection.value == [Park(name: "Zion")])
    }

    // MARK: 4. Nothing

    @Test func aSelectionOfAnotherTypeOrInTheLastColumnDoesNotCount() {
        let (names, parks) = (Owner<String?>(nil), Owner<Park?>(nil))
        var tree = NavigationTree {
            NavigationSplitView {
                List(selection: names.binding) { NavigationLink("Sidebar", value: Park(name: "Zion")) }
            } detail: {
                List(selection: parks.binding) { NavigationLink("Detail", value: Park(name: "Zion")) }
            }
        }
        #expect(tree.tap("Sidebar") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(tree.tap("Detail") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(names.value == nil && parks.value == nil && names.changes == 0)
    }

    @Test func aSelectionOutsideASplitViewDoesNotCount() {
        let selection = Owner<Park?>(nil)
        var tree = NavigationTree {
            List(selection: selection.binding) { NavigationLink("Zion", value: Park(name: "Zion")) }
        }
        #expect(tree.tap("Zion") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(selection.value == nil)
    }

    @Test func withoutAnyMatchNothingHappensAndTheTypeIsNamed() throws {
        var tree = NavigationTree {
            NavigationStack { NavigationLink("Zion", value: Park(name: "Zion")) }
        }
        let before = tree.snapshot
        let activation = tree.activate(try #require(tree.link(titled: "Zion")).id)
        #expect(activation.outcome == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(activation.diagnostic == .noDestination(type: "\(testModule).Park"))
        #expect(activation.state == before)
    }

    @Test func aNilValueDisablesTheLink() {
        let none: Park? = nil
        let link = NavigationLink("Zion", value: none)
        #expect(link.disabledReason == .noValue)
        var tree = NavigationTree {
            NavigationStack { link.navigationDestination(for: Park.self) { ParkDetails(park: $0) } }
        }
        #expect(tree.links[0].disabledReason == .noValue)
        #expect(tree.tap("Zion") == .nothing(.linkDisabled(.noValue)))
        #expect(tree.stack.depth == 0)
    }

    @Test func aLinkOutsideAnyContainerIsDisabled() {
        var tree = NavigationTree { NavigationLink("Zion", value: Park(name: "Zion")) }
        #expect(tree.links[0].disabledReason == .outsideContainer)
        #expect(tree.tap("Zion") == .nothing(.linkDisabled(.outsideContainer)))
        #expect(tree.diagnostics == [.linkOutsideContainer(title: "Zion")])
    }

    @Test func lookingAtLinksIsLinear() {
        let count = 20_000
        let tree = NavigationTree {
            NavigationStack {
                List { ForEach(0..<count) { NavigationLink("\($0)", value: Park(name: "\($0)")) } }
                    .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
            }
        }
        let start = ContinuousClock.now
        let links = tree.links
        #expect(tree.link(titled: "\(count - 1)")?.id == links.last?.id)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(links.count == count)
        let stack = tree.stack.id
        #expect(links.allSatisfy { $0.outcome == .pushed(stack: stack) })
    }

    @Test func aLinkThatACoveringScreenHidesDoesNothing() {
        var tree = NavigationTree {
            NavigationStack {
                NavigationLink("Zion", value: Park(name: "Zion"))
                    .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
            }
        }
        let link = tree.links[0].id
        tree.activate(link)
        #expect(tree.activate(link).outcome == .nothing(.notVisible))
        #expect(tree.stack.depth == 1)
    }

    @Test func aBoundCollectionTakesItsOwnTypeOnly() {
        let owner = Owner<[Park]>([])
        var tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                NavigationLink("Park", value: Park(name: "Zion"))
                NavigationLink("Trail", value: Trail(id: 1))
                Text("root").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                    .navigationDestination(for: Trail.self) { _ in Text("trail") }
            }
        }
        #expect(tree.tap("Trail") == .nothing(.pathHoldsOtherType(type: "\(testModule).Trail")))
        #expect(tree.tap("Park") == .pushed(stack: tree.stack.id))
        #expect(owner.value == [Park(name: "Zion")])
    }
}
