// SPDX-License-Identifier: Apache-2.0

/// What a destination modifier says.
enum Destination {
    /// Content for each value of exactly one type.
    case type(any Hashable.Type, (any Hashable) -> Node?)
    /// Content while a flag or an item says so. It never enters the path.
    case presented(Presentation)
}

/// Content that shows while a flag is true or an item is there.
struct Presentation {
    /// The content, when it shows.
    let content: () -> Node?
    /// What is presented, for a person: `flag`, `link`, or the item's type.
    let what: String
    /// Says that it shows no longer: sets the flag to false or the item to nil.
    let dismiss: () -> Void
    /// The link that presents it, which the tree remembers.
    var link: NavigationID?
}
