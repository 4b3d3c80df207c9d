// SPDX-License-Identifier: Apache-2.0

/// Optionals of optionals, which are put around what is decoded inside all of them: first that, so that nothing of the
/// optionals lies on the stack once for each level of what is nested.
protocol DecodableOptional: NestedOptional {
    /// The type inside all of them; nil when that is none that decodes.
    static var innermost: (any Decodable.Type)? { get }
    /// Puts all of them around a value of the innermost type, at `target`; false when it is of another type.
    static func wrap(_ value: any Decodable, at target: UnsafeMutableRawPointer) -> Bool
}

extension Optional: DecodableOptional {
    static var innermost: (any Decodable.Type)? {
        if let inner = Wrapped.self as? any DecodableOptional.Type { return inner.innermost }
        return Wrapped.self as? any Decodable.Type
    }

    static func wrap(_ value: any Decodable, at target: UnsafeMutableRawPointer) -> Bool {
        guard let inner = Wrapped.self as? any DecodableOptional.Type else {
            guard let value = value as? Wrapped else { return false }
            unsafe target.initializeMemory(as: Self.self, to: .some(value))
            return true
        }
        return unsafe withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped in
            guard let place = wrapped.baseAddress, unsafe inner.wrap(value, at: UnsafeMutableRawPointer(place)) else {
                return false
            }
            unsafe target.initializeMemory(as: Self.self, to: .some(place.move()))
            return true
        }
    }
}
