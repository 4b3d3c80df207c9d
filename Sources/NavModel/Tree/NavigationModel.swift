// SPDX-License-Identifier: Apache-2.0
public import Observation

/// A tree that can be observed: whoever has read it is told when it changes.
@Observable
public final class NavigationModel {
    /// The tree. A change is one assignment, so an observer sees no state in between.
    public var tree: NavigationTree

    public init(_ tree: NavigationTree) { self.tree = tree }
}
