// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire
import Testing

@Suite struct DestinationTests {
    @Test func aTypeIsMatchedExactly() {
        let owner = Owner(path(1, 1.0, "x"))
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                Text("root").navigationDestination(for: Int.self) { Text(verbatim: "int \($0)") }
                    .navigationDestination(for: String.self) { Text(verbatim: $0) }
            }
        }
        #expect(
            tree.stack.kinds == [
                .root, .value(tag: "Swift.Int"), .missing(tag: "Swift.Double"), .value(tag: "Swift.String"),
            ])
        #expect(tree.stack.screens.map(\.text) == ["root", "int 1", "", "x"])
        #expect(
            tree.diagnostics == [
                .missingDestination(stack: tree.stack.id, index: 1, tag: "Swift.Double")
            ])
        #expect(owner.value.count == 3)
    }

    private struct Hidden: Codable, Hashable { var id = 0 }
    private struct HiddenDraft: Hashable { var id = 0 }

    @Test func aPrivateTypeThatASavedPathWouldNotFindIsSaid() throws {
        func tree(_ registry: RouteRegistry) -> NavigationTree {
            NavigationTree(registry: registry) {
                NavigationStack {
                    Text("root").navigationDestination(for: Hidden.self) { Text(verbatim: "\($0.id)") }
                        .navigationDestination(for: HiddenDraft.self) { Text(verbatim: "\($0.id)") }
                        .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
            }
        }
        #expect(tree(.standard).diagnostics == [.privateType("Hidden")])
        var registry = RouteRegistry()
        try registry.register(Hidden.self, as: "hidden")
        #expect(tree(registry).diagnostics.isEmpty)
    }

    @Test func theDestinationNearestToTheRootCounts() {
        let owner = Owner(path(1, 2))
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                Text("root").navigationDestination(for: Int.self) { number in
                    Text(verbatim: "root's \(number)")
                        .navigationDestination(for: Int.self) { Text(verbatim: "pushed \($0)") }
                }
            }
        }
        #expect(tree.stack.screens.map(\.text) == ["root", "root's 1", "root's 2"])
        #expect(tree.diagnostics == [.declaredEarlier(type: "Swift.Int"), .declaredEarlier(type: "Swift.Int")])
    }

    @Test func ofTwoOnOneViewTheInnerCounts() {
        let tree = NavigationTree {
            NavigationStack(path: .constant(path(1))) {
                Text("root")
                    .navigationDestination(for: Int.self) { _ in Text("inner") }
                    .navigationDestination(for: Int.self) { _ in Text("outer") }
            }
        }
        #expect(tree.stack.top?.text == "inner")
        #expect(tree.diagnostics == [.declaredTwice(type: "Swift.Int")])
    }

    @Test func aDeepPathResolvesLevelByLevel() throws {
        let saved = path(1, Park(name: "Zion"), Trail(id: 3))
        let bytes = try SwiftUIJSON.encode(saved.elements().elements)
        let owner = Owner(NavigationPath(try SwiftUIJSON.decode(bytes)))
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                Text("root").navigationDestination(for: Int.self) { _ in
                    Text("one").navigationDestination(for: Park.self) { park in
                        Text(verbatim: park.name).navigationDestination(for: Trail.self) {
                            Text(verbatim: "trail \($0.id)")
                        }
                    }
                }
            }
        }
        #expect(tree.stack.screens.map(\.text) == ["root", "one", "Zion", "trail 3"])
        #expect(tree.stack.path == saved)
        #expect(tree.diagnostics.isEmpty)
    }

    @Test func lateDestinationsResolveWhatWaits() throws {
        let known = Owner(false)
        let owner = Owner(
            NavigationPath(try SwiftUIJSON.decode(Array(#"["\#(testModule).Park","{\"name\":\"Zion\"}"]"#.utf8))))
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                if known.value {
                    Text("root").navigationDestination(for: Park.self) { Text(verbatim: $0.name) }
                } else {
                    Text("root")
                }
            }
        }
        #expect(tree.stack.kinds == [.root, .missing(tag: "\(testModule).Park")])
        known.value = true
        #expect(tree.stack.screens.map(\.text) == ["root", "Zion"])
        #expect(tree.diagnostics.isEmpty)
    }

    @Test func whatDoesNotDecodeIsAPlaceholderAndStays() throws {
        let json = #"["Swift.Int","7","X.Gone","{\"id\":","Swift.Int","\"no\"","Swift.Int","1"]"#
        let owner = Owner(NavigationPath(try SwiftUIJSON.decode(Array(json.utf8))))
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                Text("root").navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
            }
        }
        #expect(
            tree.stack.kinds == [
                .root, .value(tag: "Swift.Int"), .missing(tag: "Swift.Int"), .missing(tag: "X.Gone"),
                .value(tag: "Swift.Int"),
            ])
        let stack = tree.stack.id
        #expect(
            tree.diagnostics == [
                .notDecoded(stack: stack, PathIssue(code: .notDecodable, index: 1, tag: "Swift.Int", reason: "")),
                .notDecoded(stack: stack, PathIssue(code: .unknownTag, index: 2, tag: "X.Gone", reason: "")),
            ])
        #expect(try SwiftUIJSON.encode(owner.value.elements().elements) == Array(json.utf8))
    }

    @Test func insideALazyContainerADestinationIsIgnored() {
        var tree = NavigationTree {
            NavigationStack {
                List {
                    NavigationLink("Park", value: Park(name: "Zion"))
                        .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                }
                LazyVStack { Text("row").navigationDestination(for: Trail.self) { _ in Text("trail") } }
                LazyHStack {
                    Text("row").navigationDestination(isPresented: .constant(true)) { Text("never") }
                }
            }
        }
        #expect(tree.tap("Park") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(tree.stack.depth == 0)
        #expect(
            tree.diagnostics == [
                .destinationInLazyContainer(type: "\(testModule).Park"),
                .destinationInLazyContainer(type: "\(testModule).Trail"), .destinationInLazyContainer(type: "flag"),
            ])
    }

    @Test func aDestinationIsFoundThroughLayout() {
        var tree = NavigationTree {
            NavigationStack {
                ZStack {
                    ScrollView {
                        NavigationLink("Park", value: Park(name: "Zion"))
                        Text("row").navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                    }
                }
            }
        }
        #expect(tree.tap("Park") == .pushed(stack: tree.stack.id) && tree.diagnostics.isEmpty)
    }

    @Test func lookupStopsAtTheNearestStack() {
        var tree = NavigationTree {
            NavigationStack {
                NavigationStack { NavigationLink("Park", value: Park(name: "Zion")) }
                    .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
            }
        }
        #expect(tree.tap("Park") == .nothing(.noDestination(type: "\(testModule).Park")))
        #expect(tree.diagnostics.contains(.stackInsideStack(tree.snapshot.stacks[1].id)))
    }

    @Test func stacksInsideEachOtherKeepSeparatePaths() {
        var tree = NavigationTree {
            NavigationStack {
                NavigationLink("in", value: 1)
                Text("outer").navigationDestination(for: Int.self) { _ in
                    NavigationStack {
                        NavigationLink("deep", value: "x")
                            .navigationDestination(for: String.self) { Text(verbatim: $0) }
                    }
                }
            }
        }
        tree.tap("in")
        #expect(tree.tap("deep") == .pushed(stack: tree.snapshot.stacks[1].id))
        #expect(tree.snapshot.stacks.map(\.path) == [path(1), path("x")])
    }

    @Test func neitherLinkNorDestinationCrossesATabsBorder() {
        var tree = NavigationTree {
            NavigationStack {
                TabView {
                    Tab("one") {
                        NavigationLink("Park", value: Park(name: "Zion"))
                        Text("tab").navigationDestination(for: Trail.self) { _ in Text("trail") }
                    }
                }
                .navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                NavigationLink("Trail", value: Trail(id: 1))
            }
        }
        #expect(tree.tap("Park") == .nothing(.linkDisabled(.outsideContainer)))
        #expect(tree.tap("Trail") == .nothing(.noDestination(type: "\(testModule).Trail")))
        #expect(tree.diagnostics.contains(.destinationOutsideStack(type: "\(testModule).Trail")))
    }
}
