// SPDX-License-Identifier: Apache-2.0

extension DecoderState {
    /// Checks an envelope and all that is in it.
    mutating func open(
        _ envelope: [UInt8], limits: NavWireLimits, dictionary: NavWireDictionary?
    ) throws(NavWireError) {
        try open(limits: limits) { payload throws(NavWireError) in
            unsafe try envelope.withBytes { bytes throws(NavWireError) in
                unsafe try EnvelopeReader.read(bytes, limits: limits, dictionary: dictionary, into: &payload)
            }
        }
    }
}
