// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// How many bytes the value takes in an envelope of its own that is not compressed.
    func payloadByteCount() throws(NavWireError) -> Int {
        let state = unsafe PayloadWriter.pool.take()
        defer { unsafe PayloadWriter.close(state) }
        unsafe state.pointee.beginAlone(limits: .boundless)
        try unsafe state.pointee.write(self)
        return unsafe try state.pointee.finish().byteCount
    }
}
