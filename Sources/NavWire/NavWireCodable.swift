// SPDX-License-Identifier: Apache-2.0

/// A type that writes and reads itself without the detour over `Codable`'s containers.
///
/// The bytes are the same as those of its `Codable` conformance, so one side may use one and the other the other.
/// `NavWireEncoder` and `NavWireDecoder` use it wherever they meet such a type, also inside `Codable` ones.
///
///     extension Folder: NavWireCodable {
///         static let keys = NavWireKeys("id", "name", "parent")
///
///         func write(to writer: inout NavWireWriter) throws {
///             try writer.object(Self.keys) { writer in
///                 writer.write(id, 0)
///                 writer.write(name, 1)
///                 if let parent { writer.write(parent, 2) }
///             }
///         }
///
///         init(from reader: NavWireReader) throws {
///             var object = try reader.object(Self.keys)
///             self.init(id: try object.read(0).int(), name: try object.read(1).string(),
///                 parent: try object.readIfPresent(2)?.int())
///         }
///     }
public protocol NavWireCodable {
    func write(to writer: inout NavWireWriter) throws
    init(from reader: NavWireReader) throws
}

/// The keys of a keyed value, which are then named by their place; or other strings that a type knows, such as tags and
/// raw values.
///
/// Meant to be a `static let` of the type: coders remember what they found out about these keys, and know them again by
/// their identity. Keys that are made anew for each value work, but each costs as much as the first, and memory until the
/// call ends.
public final class NavWireKeys: Sendable {
    let names: [String]
    let count: Int

    public init(_ names: String...) {
        self.names = names
        count = names.count
    }
}

extension NavWireCodable {
    static func encodeErased(_ value: UnsafeRawPointer, _ state: UnsafeMutablePointer<EncoderState>) throws {
        let place = unsafe state.pointee.place
        let token = unsafe state.pointee.writer.token
        unsafe state.pointee.writer.token = PayloadWriter.NoHandle.direct
        defer {
            if unsafe state.pointee.writer.token == PayloadWriter.NoHandle.direct {
                unsafe state.pointee.writer.token = token
            }
        }
        var writer = unsafe NavWireWriter(state)
        defer { unsafe writer.checkIsWriter(of: state) }
        do {
            unsafe try value.assumingMemoryBound(to: Self.self).pointee.write(to: &writer)
        } catch {
            writer.checkFailed(at: place)
            throw error
        }
        try writer.checkValue(Self.self, at: place)
    }

    static func decodeErased(_ decoder: WireDecoder, at target: UnsafeMutableRawPointer) throws {
        unsafe target.initializeMemory(as: Self.self, to: try Self(from: NavWireReader(decoder)))
    }
}
