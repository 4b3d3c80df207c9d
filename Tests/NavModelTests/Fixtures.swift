// SPDX-License-Identifier: Apache-2.0
import NavModel
import NavWire

struct Park: Codable, Hashable { var name: String }
struct Trail: Codable, Hashable { var id: Int }
/// Hashable and no more: a path that holds it cannot be saved.
struct Draft: Hashable { var id = 0 }

let testModule = "NavModelTests"

struct ParkDetails: NavigationContent {
    let park: Park
    var body: some NavigationContent {
        Text(verbatim: park.name)
        NavigationLink("Trail", value: Trail(id: 1))
    }
}

/// State that an app owns, outside any tree.
final class Owner<Value> {
    var value: Value { didSet { changes += 1 } }
    private(set) var changes = 0

    init(_ value: Value) { self.value = value }

    var binding: Binding<Value> { Binding(self, \.value) }
}

extension NavigationTree {
    var stack: NavigationSnapshot.Stack { snapshot.stacks[0] }

    /// Activates the link with a title: the one that is shown, or else the first.
    @discardableResult
    mutating func tap(_ title: String) -> ActivationOutcome {
        guard let link = link(titled: title) ?? links.first(where: { $0.title == title }) else {
            return .nothing(.noSuchLink)
        }
        return activate(link.id).outcome
    }
}

extension NavigationSnapshot.Stack {
    var kinds: [NavigationScreen.Kind] { screens.map(\.kind) }
}

func path(_ values: any (Codable & Hashable)...) -> NavigationPath {
    var path = NavigationPath()
    for value in values { append(value, to: &path) }
    return path
}

private func append<Value: Codable & Hashable>(_ value: Value, to path: inout NavigationPath) { path.append(value) }
