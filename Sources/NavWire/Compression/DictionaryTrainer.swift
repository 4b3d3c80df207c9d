// SPDX-License-Identifier: Apache-2.0
import CZstd

extension NavWireDictionary {
    /// With fewer samples zstd finds nothing that they have in common.
    static let fewestSamples = 8

    /// Trains a dictionary of at most `byteCount` bytes on samples that lie one after another.
    static func train(
        on samples: [UInt8], sizes: [Int], byteCount: Int
    ) throws(NavWireError) -> NavWireDictionary {
        var dictionary = [UInt8](repeating: 0, count: min(max(byteCount, 256), 1 << 20))
        let result = unsafe ZDICT_trainFromBuffer(
            &dictionary, dictionary.count, samples, sizes, UInt32(truncatingIfNeeded: sizes.count))
        if ZDICT_isError(result) != 0 {
            let why = unsafe String(cString: ZDICT_getErrorName(result))
            throw NavWireError(
                code: .notRepresentable,
                reason: "no dictionary can be made from \(sizes.count) paths (\(why)); give more, or more alike, ones")
        }
        return NavWireDictionary(bytes: Array(dictionary[..<result]))
    }
}
