// SPDX-License-Identifier: Apache-2.0

extension EncoderState {
    /// The warm states of the process.
    static let pool = ScratchPool { EncoderState() }

    /// Ends a call: forgets what it held and puts the state back.
    static func close(_ state: UnsafeMutablePointer<EncoderState>) {
        unsafe state.pointee.end()
        unsafe pool.give(state)
    }
}
