// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire
import Testing

/// Random walks through random split views: what a tree says that it did is what can be seen of it. A seed that fails is named.
@Suite struct WalkTests {
    @Test(arguments: 1...150 as ClosedRange<UInt64>) func whatIsDoneIsWhatIsSaid(_ seed: UInt64) throws {
        var random = Dice(state: seed)
        let app = RandomApp(using: &random)
        var tree = app.tree()
        for _ in 0..<12 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: checkTap(&tree, &random, seed)
            case 3: try checkBack(&tree, &random, seed)
            case 4: app.present(using: &random)
            default: tree.isCollapsed.toggle()
            }
            let screens = tree.snapshot.stacks.flatMap { $0.screens.map(\.id) }
            #expect(Set(screens).count == screens.count, "seed \(seed)")
            #expect(!tree.isCollapsed || tree.snapshot.splitViews[0].columns.count == 1, "seed \(seed)")
        }
    }

    @Test(arguments: 1...150 as ClosedRange<UInt64>) func selectingAndAssigningEndInOneState(_ seed: UInt64) {
        var random = Dice(state: seed)
        let app = RandomApp(using: &random)
        app.walk(using: &random)
        for column in 0..<app.columns where app.hasList[column] && app.state.selection[column] != Park(name: "1") {
            let (selecting, assigning) = (app.copy(), app.copy())
            var (selected, assigned) = (selecting.tree(), assigning.tree())
            guard let list = selected.snapshot.lists.first(where: { selecting.column(of: $0.id) == column }) else {
                continue
            }
            if case .pushed = selected.select(Park(name: "1"), in: list.id).outcome { continue }
            assigning.state.selection[column] = Park(name: "1")
            assigned.settle()
            #expect(selected.snapshot == assigned.snapshot, "seed \(seed), column \(column)")
            #expect(selecting.state == assigning.state, "seed \(seed), column \(column)")
        }
    }

    private func checkTap(_ tree: inout NavigationTree, _ random: inout Dice, _ seed: UInt64) {
        guard let link = tree.links.randomElement(using: &random) else { return }
        let (before, version) = (tree.snapshot, tree.version)
        let outcome = tree.activate(link.id).outcome
        let after = tree.snapshot
        let place = Comment(rawValue: "seed \(seed), link \(link.title) at \(link.id): \(outcome)")
        #expect(outcome == link.outcome, place)
        switch outcome {
        case .nothing: #expect(after == before && tree.version == version, place)
        case .pushed(let stack):
            let (old, new) = (before.stacks.first { $0.id == stack }, after.stacks.first { $0.id == stack })
            #expect(new?.path.count == old.map { $0.path.count + 1 }, place)
            #expect(new?.depth == new?.path.count, place)
        case .presented(let stack): #expect(after.stacks.first { $0.id == stack }?.path.count == 1, place)
        case .selected(let list): #expect(after.lists.first { $0.id == list }?.value != nil, place)
        case .presentedScreen:
            guard tree.isCollapsed else { return }
            #expect(after.splitViews[0].screens.last?.kind == .presented(by: "link"), place)
        }
    }

    private func checkBack(_ tree: inout NavigationTree, _ random: inout Dice, _ seed: UInt64) throws {
        let before = tree.snapshot
        let stack = before.stacks.randomElement(using: &random)?.id
        guard let place = tree.isCollapsed ? before.splitViews[0].id : stack else { return }
        let went = try tree.goBack(in: place)
        #expect(went == (tree.snapshot != before), "seed \(seed): went \(went)")
        guard tree.isCollapsed, went else { return }
        #expect(tree.snapshot.splitViews[0].screens.count < before.splitViews[0].screens.count, "seed \(seed)")
    }
}

/// A split view of columns that have each some of: a stack, a list with a selection, destinations, and what presents.
private final class RandomApp {
    struct State: Equatable {
        var selection: [Park?] = [nil, nil, nil]
        var paths = Array(repeating: NavigationPath(), count: 3)
        var flags = [false, false, false]
        var items: [Trail?] = [nil, nil, nil]
    }

    let columns: Int
    let hasList, hasStack, takesParks, takesTrails, hasFlag, hasItem, hasScreen: [Bool]
    var state = State()

    init(using random: inout Dice) {
        func some() -> [Bool] { (0..<3).map { _ in Bool.random(using: &random) } }
        columns = Int.random(in: 2...3, using: &random)
        (hasList, hasStack, takesParks, takesTrails) = (some(), some(), some(), some())
        (hasFlag, hasItem, hasScreen) = (some(), some(), some())
    }

    private init(of other: RandomApp) {
        columns = other.columns
        (hasList, hasStack) = (other.hasList, other.hasStack)
        (takesParks, takesTrails) = (other.takesParks, other.takesTrails)
        (hasFlag, hasItem, hasScreen) = (other.hasFlag, other.hasItem, other.hasScreen)
        state = other.state
    }

    func copy() -> RandomApp { RandomApp(of: self) }

    func present(using random: inout Dice) {
        let column = Int.random(in: 0..<3, using: &random)
        if Bool.random(using: &random) { state.flags[column] = true } else { state.items[column] = Trail(id: column) }
    }

    func walk(using random: inout Dice) {
        var tree = tree()
        for _ in 0..<6 {
            guard let link = tree.links.randomElement(using: &random) else { return }
            tree.activate(link.id)
            if Bool.random(using: &random) { present(using: &random) }
        }
    }

    /// Which column a container stands in: places begin with the split view's, then the column's.
    func column(of id: NavigationID) -> Int? {
        let split = tree().snapshot.splitViews[0].id
        return (0..<columns).first { id.description.hasPrefix("\(split).\($0)") }
    }

    func tree() -> NavigationTree {
        NavigationTree { [self] in
            if columns == 2 {
                NavigationSplitView {
                    column(0)
                } detail: {
                    column(1)
                }
            } else {
                NavigationSplitView {
                    column(0)
                } content: {
                    column(1)
                } detail: {
                    column(2)
                }
            }
        }
    }

    @NavigationContentBuilder private func column(_ index: Int) -> some NavigationContent {
        if hasStack[index] {
            NavigationStack(path: Binding(self, \.state.paths[index])) { presenting(index, taking(index, rows(index))) }
        } else {
            presenting(index, rows(index))
        }
    }

    @NavigationContentBuilder private func rows(_ index: Int) -> some NavigationContent {
        if hasList[index] {
            List(selection: Binding(self, \.state.selection[index])) { links(index) }
        } else {
            links(index)
        }
    }

    @NavigationContentBuilder private func links(_ index: Int) -> some NavigationContent {
        NavigationLink("park 1", value: Park(name: "1"))
        NavigationLink("park 2", value: Park(name: "2"))
        NavigationLink("trail", value: Trail(id: index))
        if hasScreen[index] { NavigationLink("screen") { Text("screen of \(index)") } }
    }

    @NavigationContentBuilder private func taking(
        _ index: Int, _ content: some NavigationContent
    ) -> some NavigationContent {
        switch (takesParks[index], takesTrails[index]) {
        case (true, true):
            content.navigationDestination(for: Park.self) { ParkDetails(park: $0) }
                .navigationDestination(for: Trail.self) { Text("trail \($0.id)") }
        case (true, false): content.navigationDestination(for: Park.self) { ParkDetails(park: $0) }
        case (false, true): content.navigationDestination(for: Trail.self) { Text("trail \($0.id)") }
        case (false, false): content
        }
    }

    @NavigationContentBuilder private func presenting(
        _ index: Int, _ content: some NavigationContent
    ) -> some NavigationContent {
        switch (hasFlag[index], hasItem[index]) {
        case (true, _):
            content.navigationDestination(isPresented: Binding(self, \.state.flags[index])) { Text("flag of \(index)") }
        case (false, true):
            content.navigationDestination(item: Binding(self, \.state.items[index])) { Text("item \($0.id)") }
        case (false, false): content
        }
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
