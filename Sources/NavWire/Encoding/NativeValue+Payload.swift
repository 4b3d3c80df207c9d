// SPDX-License-Identifier: Apache-2.0

extension NativeValue {
    /// The payload that a tree is written as.
    package init(_ node: NativeNode, limits: NavWireLimits = .default) throws(NavWireError) {
        let state = unsafe PayloadWriter.pool.take()
        defer { unsafe PayloadWriter.close(state) }
        unsafe state.pointee.beginAlone(limits: limits.forValueAlone)
        try unsafe state.pointee.write(node.ordered)
        self.init(verifiedPayload: try unsafe state.pointee.payload())
    }

    /// Checks a payload that came from outside.
    package init(payload: [UInt8], limits: NavWireLimits = .default) throws(NavWireError) {
        _ = try Self.node(of: payload, limits)
        self.init(verifiedPayload: payload)
    }

    /// What the payload holds, as a tree. Without limits there are none: those that the value was accepted with hold already.
    package func node(limits: NavWireLimits? = nil) throws(NavWireError) -> NativeNode {
        try Self.node(of: payload, limits ?? .boundless)
    }

    // No larger payload than a path can hold is held, and as large a one must be readable.
    private static func node(of payload: [UInt8], _ limits: NavWireLimits) throws(NavWireError) -> NativeNode {
        let state = unsafe PayloadScanner.pool.take()
        defer { unsafe PayloadScanner.close(state) }
        return try unsafe payload.withBytes { bytes throws(NavWireError) in
            try unsafe state.pointee.scan(bytes, limits: limits.forValueAlone)
            guard unsafe !state.pointee.isPath else { throw .malformed("a path where a value was expected", at: 0) }
            return unsafe state.pointee.node(at: 0)
        }
    }
}
