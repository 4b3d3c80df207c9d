// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A reference to a value that somebody else owns: what a container reads its state from and writes it to.
    ///
    /// Writes are seen by the owner at once, before the call that wrote returns.
    @propertyWrapper
    @dynamicMemberLookup
    public struct Binding<Value> {
        private let get: () -> Value
        private let set: (Value) -> Void

        /// A binding that reads and writes by two closures.
        public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
            self.get = get
            self.set = set
        }

        /// A binding to a property of an object, such as an `@Observable` model.
        public init<Owner: AnyObject>(_ owner: Owner, _ property: ReferenceWritableKeyPath<Owner, Value>) {
            self.init(get: { owner[keyPath: property] }, set: { owner[keyPath: property] = $0 })
        }

        /// A binding that owns its value, for content that needs none outside.
        public init(storing value: Value) {
            self.init(Storage(value), \.value)
        }

        /// A binding whose value never changes; what is written to it is dropped.
        public static func constant(_ value: Value) -> Self { Self(get: { value }, set: { _ in }) }

        /// The value, as its owner has it now.
        public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue) }
        }

        /// The binding itself, for `$name`.
        public var projectedValue: Self { self }

        /// A binding to a part of the value.
        public subscript<Part>(dynamicMember part: WritableKeyPath<Value, Part>) -> Binding<Part> {
            Binding<Part>(get: { wrappedValue[keyPath: part] }, set: { wrappedValue[keyPath: part] = $0 })
        }
    }
}

private final class Storage<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
