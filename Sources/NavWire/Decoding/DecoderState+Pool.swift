// SPDX-License-Identifier: Apache-2.0

extension DecoderState {
    /// The warm states of the process.
    static let pool = ScratchPool { DecoderState() }

    /// Ends a call: forgets what it held and puts the state back.
    static func close(_ state: UnsafeMutablePointer<DecoderState>) {
        unsafe state.pointee.end()
        unsafe pool.give(state)
    }
}
