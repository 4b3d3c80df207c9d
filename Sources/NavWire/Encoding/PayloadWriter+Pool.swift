// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    /// The warm writers of the process.
    static let pool = ScratchPool { PayloadWriter() }

    /// Puts a writer back.
    static func close(_ writer: UnsafeMutablePointer<PayloadWriter>) {
        unsafe writer.pointee.trim()
        unsafe pool.give(writer)
    }
}
