// SPDX-License-Identifier: Apache-2.0

/// Optionals that are made from what is decoded inside all of them.
protocol DecodableOptional: NestedOptional {
    /// Makes the value with what is decoded inside every optional.
    static func makeWrapped(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws
}

extension Optional: DecodableOptional {
    static func makeWrapped(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        if let inner = Wrapped.self as? any DecodableOptional.Type {
            unsafe try withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped in
                guard let place = wrapped.baseAddress else { return }
                unsafe try inner.makeWrapped(decoder, at: UnsafeMutableRawPointer(place))
                unsafe target.initializeMemory(as: Self.self, to: .some(place.move()))
            }
            return
        }
        guard let type = Wrapped.self as? any Decodable.Type, let value = try decoder.decodeErased(type) as? Wrapped
        else {
            throw decoder.mismatch(Wrapped.self)
        }
        unsafe target.initializeMemory(as: Self.self, to: .some(value))
    }
}
