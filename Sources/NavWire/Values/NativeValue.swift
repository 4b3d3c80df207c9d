// SPDX-License-Identifier: Apache-2.0

/// A value that was encoded from a Swift value, without its type: a payload of its own in the binary format.
///
/// The format is canonical, so two values are equal when their payloads are.
public struct NativeValue: Hashable, Sendable {
    /// A value payload; see the format's specification. Only verified ones are held.
    package let payload: [UInt8]

    package init(verifiedPayload payload: [UInt8]) {
        self.payload = payload
    }
}
