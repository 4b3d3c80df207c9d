// SPDX-License-Identifier: Apache-2.0

/// A type that reads itself without the detour over `Codable`'s containers: one half of ``NavWireCodable``.
///
/// Not for conformances that belong to an actor: values are read wherever a decoder is called.
public protocol NavWireDecodable: SendableMetatype {
    init(from reader: NavWireReader) throws
}

extension NavWireDecodable {
    static func decodeErased(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        unsafe target.initializeMemory(as: Self.self, to: try Self(from: NavWireReader(decoder)))
    }
}
