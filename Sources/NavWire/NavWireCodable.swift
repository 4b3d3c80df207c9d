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
///
/// Most mistakes in writing throw `notRepresentable` when the value ends: a key without a value, two values where one
/// belongs, an item that writes nothing, an error from inside that was swallowed. Three can only be mistakes in the code, and
/// trap: an item outside an array, a member outside its object, and a number that no key has. A reader traps for the last of
/// these alone.
///
/// A `Codable` value inside, by `write(encodable:)`, gives what it gives elsewhere. Where what it does takes more than one
/// pass (containers filled by turns, a dictionary that encodes itself to the encoder, a `superEncoder` kept for later), or an error
/// that came out of a value which writes itself is swallowed, the document is written once more by the
/// `Codable` conformances alone; a type without one is told that it is needed. What such a value meets the first time goes
/// for nothing: errors that are thrown to it though nothing fails, and a `count` and `codingPath` that are not
/// its own. So keep out of types that write themselves what encodes otherwise when it is asked again (one that says more of an
/// object when it meets it first, say), what ends the process for an error, and what relies on these two.
///
/// A subclass of a class that writes itself overrides `write(to:)` too: `encode(to:)` alone is not asked.
public typealias NavWireCodable = NavWireDecodable & NavWireEncodable
