// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The selection of a list or of tabs, whatever its type.
struct SelectionBinding {
    /// What is selected; nil for nothing.
    let read: () -> AnyHashable?
    /// Whether values of a type can be selected.
    let accepts: (any Hashable.Type) -> Bool
    /// Whether it holds a value, by type too: as `AnyHashable`, 1 and 1.0 would be equal.
    let holds: (any Hashable) -> Bool
    /// Selects one value; false when it is of another type.
    let select: (any Hashable) -> Bool

    /// Selects nothing, where that is possible.
    let clear: () -> Void

    /// One value or none.
    init<Value: Hashable>(_ selection: NavTwin.Binding<Value?>) {
        read = { selection.wrappedValue.map { AnyHashable($0) } }
        accepts = { $0 == Value.self }
        holds = { value in (value as? Value).map { $0 == selection.wrappedValue } ?? false }
        select = { value in
            guard let value = value as? Value else { return false }
            if selection.wrappedValue != value { selection.wrappedValue = value }
            return true
        }
        clear = { if selection.wrappedValue != nil { selection.wrappedValue = nil } }
    }

    /// Any number of values; activating a link selects its value alone.
    init<Value: Hashable>(_ selection: NavTwin.Binding<Set<Value>>) {
        read = { selection.wrappedValue.count == 1 ? selection.wrappedValue.first.map { AnyHashable($0) } : nil }
        accepts = { $0 == Value.self }
        holds = { value in (value as? Value).map { selection.wrappedValue == [$0] } ?? false }
        select = { value in
            guard let value = value as? Value else { return false }
            if selection.wrappedValue != [value] { selection.wrappedValue = [value] }
            return true
        }
        clear = { if !selection.wrappedValue.isEmpty { selection.wrappedValue = [] } }
    }

    /// Always one value.
    init<Value: Hashable>(always selection: NavTwin.Binding<Value>) {
        read = { AnyHashable(selection.wrappedValue) }
        accepts = { $0 == Value.self }
        holds = { value in (value as? Value).map { $0 == selection.wrappedValue } ?? false }
        select = { value in
            guard let value = value as? Value else { return false }
            if selection.wrappedValue != value { selection.wrappedValue = value }
            return true
        }
        clear = {}
    }
}
