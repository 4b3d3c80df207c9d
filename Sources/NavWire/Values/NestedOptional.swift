// SPDX-License-Identifier: Apache-2.0

/// Optionals, to count how many are inside each other. Values are passed by address: a cast between optionals would
/// take off and put on levels as it likes.
protocol NestedOptional {
    static var optionalDepth: Int { get }
    /// Takes the optionals off the value at an address: how many there were before a nil, or what is inside all of them.
    static func peel(_ value: UnsafeRawPointer) -> PeeledOptional
    /// Makes the value with nil at `depth`, where 0 is the outermost.
    static func makeNull(depth: Int, at target: UnsafeMutableRawPointer)
}

enum PeeledOptional {
    case null(depth: Int)
    case value(any Encodable)
    case notEncodable
}

extension Optional: NestedOptional {
    static var optionalDepth: Int { 1 + ((Wrapped.self as? any NestedOptional.Type)?.optionalDepth ?? 0) }

    static func peel(_ value: UnsafeRawPointer) -> PeeledOptional {
        guard let wrapped = unsafe value.assumingMemoryBound(to: Self.self).pointee else { return .null(depth: 0) }
        guard let inner = Wrapped.self as? any NestedOptional.Type else {
            return (wrapped as? any Encodable).map { .value($0) } ?? .notEncodable
        }
        let peeled = unsafe withUnsafePointer(to: wrapped) { unsafe inner.peel(UnsafeRawPointer($0)) }
        if case .null(let depth) = peeled { return .null(depth: depth + 1) }
        return peeled
    }

    static func makeNull(depth: Int, at target: UnsafeMutableRawPointer) {
        guard depth > 0, let inner = Wrapped.self as? any NestedOptional.Type else {
            unsafe target.initializeMemory(as: Self.self, to: nil)
            return
        }
        unsafe withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped in
            guard let place = wrapped.baseAddress else { return }
            unsafe inner.makeNull(depth: depth - 1, at: UnsafeMutableRawPointer(place))
            unsafe target.initializeMemory(as: Self.self, to: .some(place.move()))
        }
    }
}
