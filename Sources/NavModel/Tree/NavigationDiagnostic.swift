// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// What is wrong in a tree, as a value. The texts say what SwiftUI prints at run time in the same case.
public enum NavigationDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// A link presents a value of a type for which no destination can be seen from where it stands.
    case noDestination(type: String)
    /// A link stands in no stack, split view or list with a selection.
    case linkOutsideContainer(title: String)
    /// A screen declares a destination that a screen nearer to the root declares already; it is ignored.
    case declaredEarlier(type: String)
    /// Two destinations for one type on one screen: the inner one, or the first, counts.
    case declaredTwice(type: String)
    /// A destination takes values of a private type that has no name in the registry: a path that holds one is saved, and
    /// cannot be restored in another run.
    case privateType(String)
    /// A destination inside a lazy container is ignored.
    case destinationInLazyContainer(type: String)
    /// A destination for a type stands in no stack and is ignored.
    case destinationOutsideStack(type: String)
    /// A stack is inside another. Each keeps its own path, and links see only the inner one.
    case stackInsideStack(NavigationID)
    /// An element of a path has a known type and no destination; its screen is a placeholder.
    case missingDestination(stack: NavigationID, index: Int, tag: String)
    /// An element of a path could not be decoded; its screen is a placeholder.
    case notDecoded(stack: NavigationID, PathIssue)
    /// More screens are presented on top of each other than the limit.
    case tooManyPresentations(stack: NavigationID)

    public var description: String {
        switch self {
        case .noDestination(let type):
            "a link presents a value of type \(type), but no matching destination is visible from where the link is; "
                + "it cannot be activated"
        case .linkOutsideContainer(let title): "the link '\(title)' is in no navigation container and stays disabled"
        case .declaredEarlier(let type):
            "a destination for \(type) was declared earlier on the stack; only the one closest to the root is used"
        case .declaredTwice(let type): "two destinations for \(type) on one screen; the inner one is used"
        case .privateType(let type):
            "\(type) is private, so a saved path does not find it again; register it in the tree's registry under a name, and "
                + "save with elements(using:), or make it internal"
        case .destinationInLazyContainer(let type):
            "a destination for \(type) is inside a lazy container and is ignored; put it around the container"
        case .destinationOutsideStack(let type): "a destination for \(type) is in no stack and is ignored"
        case .stackInsideStack(let id): "the stack \(id) is inside another stack; their paths are separate"
        case .missingDestination(let stack, let index, let tag):
            "element \(index) of the stack \(stack) is of type \(tag), for which there is no destination"
        case .notDecoded(let stack, let issue):
            "failed to decode an element of the stack \(stack), perhaps its destinations have changed: \(issue)"
        case .tooManyPresentations(let stack):
            "the stack \(stack) presents more than \(Layout.maximumPresentations) screens"
        }
    }
}
