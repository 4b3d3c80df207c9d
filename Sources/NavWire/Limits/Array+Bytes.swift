// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// `withUnsafeBytes` that keeps the type of what is thrown.
    @inline(__always)
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(NavWireError) -> Result
    ) throws(NavWireError) -> Result {
        let result = unsafe withUnsafeBytes { bytes -> Swift.Result<Result, NavWireError> in
            do throws(NavWireError) { return .success(try unsafe body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
