// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The path of a stack, whoever keeps it and whatever its type.
///
/// A path bound to a collection of one type is seen as a `NavigationPath` of its elements. Every write replaces the
/// whole, once, so an owner sees no state in between.
struct PathBinding {
    let read: () -> NavTwin.NavigationPath
    /// Appends a link's value after `count` elements; false when the collection's elements are of another type.
    let append: (LinkTarget, _ count: Int) -> Bool
    /// Keeps the first `count` elements.
    let keep: (_ count: Int) -> Void
    /// Replaces the whole; false when an element is of another type, or its type is not known.
    let write: (NavTwin.NavigationPath) -> Bool
    /// The type of all elements; nil when they may be of any.
    let elementType: (any Hashable.Type)?

    /// Whether elements of a type can be appended.
    func accepts(_ type: any Hashable.Type) -> Bool { elementType.map { $0 == type } ?? true }

    init(_ path: NavTwin.Binding<NavTwin.NavigationPath>) {
        read = { path.wrappedValue }
        append = { target, count in
            var value = path.wrappedValue
            value.removeLast(max(0, value.count - count))
            target.append(&value)
            path.wrappedValue = value
            return true
        }
        keep = { count in
            let value = path.wrappedValue
            guard value.count > count else { return }
            var shorter = value
            shorter.removeLast(value.count - count)
            path.wrappedValue = shorter
        }
        write = {
            path.wrappedValue = $0
            return true
        }
        elementType = nil
    }

    init<Data>(_ path: NavTwin.Binding<Data>)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        read = { NavTwin.NavigationPath(path.wrappedValue) }
        append = { target, count in
            guard target.type == Data.Element.self, let element = target.value as? Data.Element else { return false }
            var value = path.wrappedValue
            value.removeLast(max(0, value.count - count))
            value.append(element)
            path.wrappedValue = value
            return true
        }
        keep = { count in
            var value = path.wrappedValue
            guard value.count > count else { return }
            value.removeLast(value.count - count)
            path.wrappedValue = value
        }
        write = { whole in
            var elements = Data()
            for index in 0..<whole.count {
                guard whole.valueType(at: index) == Data.Element.self,
                    let element = whole.value(at: index) as? Data.Element
                else { return false }
                elements.append(element)
            }
            path.wrappedValue = elements
            return true
        }
        elementType = Data.Element.self
    }
}
