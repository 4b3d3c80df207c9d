// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension NavWireDictionary {
    /// The dictionary that small payloads are compressed with unless another is given. Its id is 1 for ever.
    public static let shipped = NavWireDictionary(
        id: 1, bytes: Array(Data(base64Encoded: ShippedDictionaryBytes.base64) ?? Data()))
}
