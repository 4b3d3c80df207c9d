// SPDX-License-Identifier: Apache-2.0

/// The content of a natively encoded value as a tree, without its Swift type: what JSON export and inspection walk.
///
/// It is not on the fast path: `NavWireEncoder` and `NavWireDecoder` go between Swift values and bytes directly.
package indirect enum NativeNode: Hashable, Sendable {
    case null
    /// `.some(nil)` has depth 1, `.some(.some(nil))` depth 2.
    case nestedNull(depth: Int)
    case bool(Bool)
    /// The value is `magnitude`, or `-1 - magnitude` when `isNegative`.
    case integer(isNegative: Bool, magnitude: UInt128)
    case half(bitPattern: UInt16)
    case float(bitPattern: UInt32)
    case double(bitPattern: UInt64)
    /// A `Decimal`; nil is its NaN.
    case decimal(JSONNumber?)
    case string(String)
    /// The sixteen bytes, the first most significant.
    case uuid(UInt128)
    /// The bits of the seconds since 2001-01-01 00:00:00 UTC.
    case date(bitPattern: UInt64)
    case data([UInt8])
    case url(String, base: String?)
    /// What an unkeyed container held.
    case array([NativeNode])
    /// What a keyed container held, in the order of the calls.
    case object([Member])
    /// A `Dictionary` whose keys are coding keys, ordered by the UTF-8 bytes of the keys: a JSON object.
    case map([Member])
    /// Any other `Dictionary`: key, value, key, value, ordered by key. A JSON array.
    case pairs([NativeNode])
    /// A `Set`, ordered: a JSON array.
    case set([NativeNode])

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: NativeNode

        package init(key: String, value: NativeNode) {
            self.key = key
            self.value = value
        }
    }
}
