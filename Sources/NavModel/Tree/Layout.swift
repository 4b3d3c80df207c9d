// SPDX-License-Identifier: Apache-2.0
import NavWire

/// What a tree looks like at one moment: every container with what it shows, every link with what is around it.
struct Layout {
    /// How many screens may be presented by flags and items on one stack.
    static let maximumPresentations = 64

    var stacks: [StackLayout] = []
    var splits: [SplitLayout] = []
    var tabs: [TabsLayout] = []
    var lists: [ListLayout] = []
    var links: [LinkLayout] = []
    var diagnostics: [NavigationDiagnostic] = []
    private var places = Places()

    /// Where things stand in the lists above, so that finding one costs the same however many there are.
    private struct Places {
        var stacks: [NavigationID: Int] = [:]
        var splits: [NavigationID: Int] = [:]
        var lists: [NavigationID: Int] = [:]
        var links: [NavigationID: Int] = [:]
        var columns: [ColumnPlace: [Int]] = [:]
    }

    /// Makes what was laid out findable. Called once, when all of it is there.
    mutating func index() {
        places = Places()
        for (place, stack) in stacks.enumerated() {
            places.stacks[stack.id] = place
            if let column = stack.column { places.columns[column, default: []].append(place) }
        }
        for (place, split) in splits.enumerated() { places.splits[split.id] = place }
        for (place, list) in lists.enumerated() { places.lists[list.id] = place }
        for (place, link) in links.enumerated() { places.links[link.id] = place }
    }

    func stack(_ id: NavigationID) -> StackLayout? { places.stacks[id].map { stacks[$0] } }
    func list(_ id: NavigationID) -> ListLayout? { places.lists[id].map { lists[$0] } }
    func split(_ id: NavigationID) -> SplitLayout? { places.splits[id].map { splits[$0] } }
    func link(_ id: NavigationID) -> LinkLayout? { places.links[id].map { links[$0] } }

    /// The stacks that stand in a column, not counting those inside tabs or other stacks.
    func stacks(in column: ColumnPlace) -> [StackLayout] { places.columns[column, default: []].map { stacks[$0] } }
}

/// A column of a split view.
struct ColumnPlace: Hashable {
    let split: NavigationID
    let index: Int
}

struct StackLayout {
    let id: NavigationID
    let binding: PathBinding?
    /// Set when the stack stands directly in a column.
    let column: ColumnPlace?
    /// As its owner has it.
    let held: NavTwin.NavigationPath
    /// With elements resolved whose types the destinations know.
    var path: NavTwin.NavigationPath
    var screens: [NavigationScreen] = []
    /// The types that a destination in the root takes.
    var rootTypes: Set<ObjectIdentifier> = []
    /// The types that a destination in the root or in a value's screen takes.
    var types: Set<ObjectIdentifier> = []
    /// What is presented on top of the values, the lowest first.
    var presentations: [Presentation] = []
}

struct SplitLayout {
    let id: NavigationID
    let count: Int
    let preferredColumn: NavTwin.Binding<NavTwin.NavigationSplitViewColumn>?
    let isCollapsed: Bool
    /// The columns that are shown; while collapsed the top one alone.
    var shown: Range<Int>
    /// Each column as a screen, for those without a stack.
    var columns: [NavigationScreen] = []
    /// What stands in place of each column without a stack, presented by the column before; the last is shown.
    var presentations: [[Presentation]] = []
}

struct TabsLayout {
    let id: NavigationID
    let node: TabsNode
    let selected: Int
}

struct ListLayout {
    let id: NavigationID
    let selection: SelectionBinding
    let column: ColumnPlace?
}

struct LinkLayout {
    let id: NavigationID
    let link: NavTwin.NavigationLink
    /// The nearest screen around the link: one of a stack, or a column.
    let screen: NavigationID?
    /// The nearest stack around the link, on this side of a tab's border.
    let stack: NavigationID?
    /// The nearest column around the link, on this side of a tab's border.
    let column: ColumnPlace?
    /// The nearest list with a selection around the link, on its screen.
    let list: NavigationID?
    var isVisible: Bool

    var disabledReason: NavTwin.NavigationLink.DisabledReason? {
        link.disabledReason ?? (stack == nil && column == nil && list == nil ? .outsideContainer : nil)
    }
}

/// One screen of a stack.
public struct NavigationScreen: Hashable, Sendable, Identifiable {
    public enum Kind: Hashable, Sendable {
        case root
        /// The content of a column without a stack.
        case column
        /// The screen of a value; its tag.
        case value(tag: String)
        /// A placeholder: nothing is known to show this element; its tag.
        case missing(tag: String)
        /// A screen that a flag, a link or an item presents; `flag`, `link`, or the item's type.
        case presented(by: String)
    }

    /// Stays the same while the elements below do.
    public let id: NavigationID
    public let kind: Kind
    /// The title that the screen's content gives it.
    public let title: String?
    /// The texts on the screen.
    public let text: String
}
