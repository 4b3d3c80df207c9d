// SPDX-License-Identifier: Apache-2.0

extension NavWireDictionary {
    /// Trains a dictionary on paths or values of an app, given as envelopes: a few hundred at least, typical ones.
    ///
    /// - Parameters:
    ///   - envelopes: Paths made with the dictionary that ships or with none.
    ///   - byteCount: How large it becomes at most; a hundredth of all samples is a good size.
    ///   - limits: What the envelopes are held to.
    /// - Throws: `notRepresentable` when the paths are too few or have too little in common.
    public static func train(
        on envelopes: [[UInt8]], byteCount: Int = 32768, limits: NavWireLimits = .default
    ) throws(NavWireError) -> NavWireDictionary {
        guard envelopes.count >= fewestSamples else {
            throw NavWireError(
                code: .notRepresentable,
                reason: "\(envelopes.count) paths are too few for a dictionary: at least \(fewestSamples) are needed,"
                    + " a few hundred are good")
        }
        var samples: [UInt8] = []
        var sizes: [Int] = []
        for envelope in envelopes {
            let payload = try PathEnvelope.compressiblePayload(of: envelope, limits: limits)
            samples += payload
            sizes.append(payload.count)
        }
        return try train(on: samples, sizes: sizes, byteCount: byteCount)
    }
}

extension PathEnvelope {
    /// The part of a payload that compression works on: everything before the fixed section.
    static func compressiblePayload(
        of envelope: [UInt8], limits: NavWireLimits
    ) throws(NavWireError) -> [UInt8] {
        unsafe try withScanned(envelope, limits, nil, mustBePath: false) { scanner, payload throws(NavWireError) in
            unsafe Array(payload[..<scanner.pointee.at])
        }
    }
}
