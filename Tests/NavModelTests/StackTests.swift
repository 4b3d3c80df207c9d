// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavModel
import NavWire
import Observation
import Synchronization
import Testing

@Observable private final class ObservedPath { var path = NavigationPath() }

@Suite struct StackTests {
    private func numbers(_ owner: Owner<NavigationPath>) -> NavigationTree {
        NavigationTree {
            NavigationStack(path: owner.binding) {
                NavigationLink("next", value: 0)
                Text("root").navigationDestination(for: Int.self) { number in
                    Text(verbatim: "\(number)")
                    NavigationLink("next", value: number + 1)
                }
            }
        }
    }

    @Test func anInitialPathCountsAtOnce() {
        let owner = Owner(["a"])
        let tree = NavigationTree {
            NavigationStack(path: owner.binding) {
                Text("root").navigationDestination(for: String.self) { Text(verbatim: $0) }
            }
        }
        #expect(tree.stack.depth == 1 && tree.stack.top?.text == "a")
    }

    @Test func withoutABindingTheStackKeepsItsOwnPath() throws {
        var tree = NavigationTree {
            NavigationStack {
                NavigationLink("one", value: 1).navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
            }
        }
        tree.tap("one")
        #expect(tree.stack.path == path(1))
        // The tree is a value: a copy goes its own way.
        var copy = tree
        try copy.pop(to: 0, in: copy.stack.id)
        #expect(tree.stack.depth == 1 && copy.stack.depth == 0)
    }

    @Test func aPopIsSeenThroughTheBindingAtOnce() throws {
        let owner = Owner(path(0, 1, 2))
        var tree = numbers(owner)
        try tree.goBack(in: tree.stack.id)
        #expect(owner.value == path(0, 1))
        owner.value.append(9)
        #expect(tree.stack.depth == 3)
    }

    @Test func theRootStays() throws {
        var tree = numbers(Owner(NavigationPath()))
        #expect(try !tree.goBack(in: tree.stack.id))
        #expect(tree.stack.kinds == [.root])
    }

    @Test func restoringIsOneChange() throws {
        let owner = Owner(NavigationPath())
        var tree = numbers(owner)
        try tree.setPath(path(0, 1, 2, 3, 4, 5), in: tree.stack.id)
        #expect(owner.changes == 1 && tree.stack.depth == 6)
    }

    @Test func anObserverSeesOneChangeAndOnlyWholeStates() throws {
        let model = NavigationModel(numbers(Owner(NavigationPath())))
        let changes = Mutex(0)
        withObservationTracking {
            _ = model.tree.stack
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try model.tree.setPath(path(0, 1, 2, 3, 4, 5), in: model.tree.stack.id)
        #expect(changes.withLock { $0 } == 1)
    }

    @Test func puttingTheSamePathTwiceIsPuttingItOnce() throws {
        let owner = Owner(path(0))
        var tree = numbers(owner)
        try tree.setPath(path(1, 2), in: tree.stack.id)
        let once = tree.snapshot
        try tree.setPath(path(1, 2), in: tree.stack.id)
        #expect(tree.snapshot == once && owner.value == path(1, 2))
    }

    @Test func restoredAndTappedPathsAreEqual() throws {
        let (tapped, restored) = (Owner(NavigationPath()), Owner(NavigationPath()))
        var first = numbers(tapped)
        for _ in 0..<3 { first.tap("next") }
        var second = numbers(restored)
        let bytes = try SwiftUIJSON.encode(tapped.value.elements().elements)
        try second.setPath(NavigationPath(SwiftUIJSON.decode(bytes)), in: second.stack.id)
        #expect(first.snapshot == second.snapshot)
        #expect(second.stack.path == path(0, 1, 2))
    }

    @Test func aSavedPathIsRestoredIntoACollection() throws {
        let owner = Owner<[Park]>([])
        var tree = NavigationTree { NavigationStack(path: owner.binding) { Text("root") } }
        let saved = try SwiftUIJSON.encode(path(Park(name: "Zion")).elements().elements)
        try tree.setPath(NavigationPath(SwiftUIJSON.decode(saved)), in: tree.stack.id)
        #expect(owner.value == [Park(name: "Zion")])
        #expect(throws: NavigationMoveError.self) { try tree.setPath(path(1), in: tree.stack.id) }
        #expect(owner.value == [Park(name: "Zion")])
    }

    @Test func aMoveThatWasPlannedForAnEarlierVersionIsRefused() throws {
        let owner = Owner(path(0, 1, 2, 3))
        var tree = numbers(owner)
        let planned = tree.version
        try tree.pop(to: 1, in: tree.stack.id, plannedAt: planned)
        let stack = tree.stack.id
        let error = try #require(throws: NavigationMoveError.self) {
            try tree.pop(to: 1, in: stack, plannedAt: planned)
        }
        #expect(error.code == .staleVersion)
        let tooFar = try #require(throws: NavigationMoveError.self) { try tree.pop(to: 3, in: stack) }
        #expect(tooFar.code == .outOfRange)
        let unknown = try #require(throws: NavigationMoveError.self) {
            try tree.goBack(in: tree.links[0].id)
        }
        #expect(unknown.code == .noSuchContainer)
        #expect(owner.value == path(0))
    }

    @Test func aTapOnAnEarlierPictureIsRefused() throws {
        let owner = Owner(path(0, 1))
        var tree = numbers(owner)
        let (link, version) = (try #require(tree.link(titled: "next")).id, tree.version)
        #expect(tree.activate(link, plannedAt: version).outcome == .pushed(stack: tree.stack.id))
        try tree.pop(to: 2, in: tree.stack.id)
        let late = tree.activate(link, plannedAt: version)
        #expect(late.outcome == .nothing(.staleVersion) && late.state == tree.snapshot)
        #expect(tree.activate(link, plannedAt: tree.version).outcome == .pushed(stack: tree.stack.id))
        #expect(owner.value.count == 3)

        let seen = tree.version
        owner.value = path(5)
        let other = try #require(tree.link(titled: "next")).id
        #expect(tree.activate(other, plannedAt: seen).outcome == .nothing(.staleVersion), "changed from outside")
    }

    @Test func aBurstOfPopsEndsAtTheRoot() throws {
        let owner = Owner(NavigationPath(0..<10))
        var tree = numbers(owner)
        let stack = tree.stack.id
        var refused = 0
        for _ in 0..<12 where try !tree.goBack(in: stack) { refused += 1 }
        #expect(owner.value.isEmpty && refused == 2)
    }

    @Test func everyStateThatIsSeenIsWhole() throws {
        let owner = Owner(path(0, 1))
        var tree = numbers(owner)
        let stack = tree.stack.id
        for round in 0..<50 {
            let before = owner.value.count
            if round.isMultiple(of: 2) { tree.tap("next") } else { try tree.goBack(in: stack) }
            #expect(abs(owner.value.count - before) <= 1)
            #expect(owner.value.count == (round.isMultiple(of: 2) ? 3 : 2))
            #expect(tree.stack.depth == owner.value.count)
        }
    }

    @Test func placesStayTheSameWhileTheElementsBelowDo() {
        let owner = Owner(path(0, 1))
        var tree = numbers(owner)
        let before = tree.stack.screens.map(\.id)
        tree.links.filter(\.isVisible).forEach { tree.activate($0.id) }
        #expect(Array(tree.stack.screens.map(\.id).prefix(3)) == before)
        #expect(numbers(Owner(owner.value)).stack.screens.map(\.id) == tree.stack.screens.map(\.id))
    }

    @Test func aPlaceCanBeSentAndComesBackFromAnotherProcess() throws {
        let owner = Owner(path(0))
        var (here, there) = (numbers(owner), numbers(Owner(owner.value)))
        let link = try #require(there.link(titled: "next")).id
        let sent = try JSONEncoder().encode([link])
        #expect(String(decoding: sent, as: UTF8.self).contains("\"root"))
        let tapped = try JSONDecoder().decode([NavigationID].self, from: sent)[0]
        #expect(tapped == link && NavigationID("\(link)") == link)
        #expect(here.activate(tapped).outcome == .pushed(stack: here.stack.id))
        #expect(there.activate(NavigationID("nowhere")).outcome == .nothing(.noSuchLink))
    }

    @Test func aPathOutlivesItsContainer() {
        let (bound, isThere) = (Owner(path(0)), Owner(true))
        var tree = NavigationTree {
            if isThere.value {
                NavigationStack(path: bound.binding) { Text("bound") }
                NavigationStack {
                    NavigationLink("own", value: 1).navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
                }
            }
        }
        tree.tap("own")
        let before = tree.snapshot
        isThere.value = false
        #expect(tree.snapshot.stacks.isEmpty && bound.value == path(0))
        isThere.value = true
        #expect(tree.snapshot == before)
    }

    @Test func titlesMakeABreadcrumb() {
        let tree = NavigationTree {
            NavigationStack(path: .constant(path(Park(name: "Zion"), 1))) {
                VStack {
                    Section("parks") { ForEach([1, 2], id: \.self) { Text(verbatim: "\($0)") } }
                }
                .navigationTitle("Parks")
                .navigationDestination(for: Park.self) { park in
                    Group { HStack { Text("details") } }.navigationTitle(park.name).navigationTitle("outer")
                }
                .navigationDestination(for: Int.self) { _ in Text("plain") }
            }
        }
        #expect(tree.stack.screens.map(\.title) == ["Parks", "outer", nil])
        #expect(tree.stack.screens.map(\.text) == ["parks 1 2", "details", "plain"])
    }

    @Test func aBindingReachesIntoAnObservableModel() {
        let model = ObservedPath()
        var tree = NavigationTree {
            NavigationStack(path: Binding(model, \.path)) {
                NavigationLink("one", value: 1).navigationDestination(for: Int.self) { Text(verbatim: "\($0)") }
            }
        }
        let changes = Mutex(0)
        withObservationTracking {
            _ = model.path
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        tree.tap("one")
        #expect(model.path == path(1) && changes.withLock { $0 } == 1)
    }
}
