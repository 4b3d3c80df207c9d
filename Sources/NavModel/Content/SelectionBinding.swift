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
        self.init(selection, one: { $0 }, holding: { (value: Value) in value }, empty: .some(nil))
    }

    /// Any number of values; activating a link selects its value alone.
    init<Value: Hashable>(_ selection: NavTwin.Binding<Set<Value>>) {
        self.init(selection, one: { $0.count == 1 ? $0.first : nil }, holding: { (value: Value) in [value] }, empty: [])
    }

    /// Always one value.
    init<Value: Hashable>(always selection: NavTwin.Binding<Value>) {
        self.init(selection, one: { $0 }, holding: { (value: Value) in value }, empty: nil)
    }

    /// A selection that is written only where it changes. `empty` is nil where something is always selected.
    private init<Value: Hashable, Held: Equatable>(
        _ selection: NavTwin.Binding<Held>, one: @escaping (Held) -> Value?, holding: @escaping (Value) -> Held,
        empty: Held?
    ) {
        func write(_ held: Held) { if selection.wrappedValue != held { selection.wrappedValue = held } }
        read = { one(selection.wrappedValue).map { AnyHashable($0) } }
        accepts = { $0 == Value.self }
        holds = { value in (value as? Value).map { holding($0) == selection.wrappedValue } ?? false }
        select = { value in
            guard let value = value as? Value else { return false }
            write(holding(value))
            return true
        }
        clear = { if let empty { write(empty) } }
    }
}
