// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// What is told, and what is harmed, when something goes wrong inside a type that writes itself. What it leaves then is
/// in `DirectPathLayersTests`.
@Suite struct DirectPathFailureTests {
    private static let keys = NavWireKeys("id", "inner")
    private static let outer = NavWireKeys("thumb", "id", "name")
    private static let small = NavWireKeys("text")

    private struct Thumb: NavWireEncodable {
        let text: String
        func write(to writer: inout NavWireWriter) throws {
            try writer.object(DirectPathFailureTests.small) { $0.write(text, 0) }
        }
    }

    /// Leaves out what cannot be written.
    private struct Card: NavWireEncodable, Encodable {
        let thumb: Thumb
        func write(to writer: inout NavWireWriter) throws {
            try writer.object(DirectPathFailureTests.outer) { writer in
                try? writer.write(thumb, 0)
                writer.write(1, 1)
                writer.write("name", 2)
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func aLimitThatIsSwallowedInsideIsToldAtTheEnd() throws {
        let card = Card(thumb: Thumb(text: String(repeating: "x", count: 1 << 21)))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NavWireEncoder().encode(card) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NavWireEncoder().encode([card]) }
    }

    /// Asks a container that has ended where it is.
    private struct Asking: Encodable {
        let container: any UnkeyedEncodingContainer
        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            _ = (container.codingPath, container.count)
            try single.encode(7)
        }
    }

    private struct Around: NavWireEncodable, Encodable {
        let asking: Asking
        func write(to writer: inout NavWireWriter) throws {
            try writer.object(DirectPathFailureTests.keys) { try $0.write(encodable: asking, 0) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(asking, forKey: "id")
        }
    }

    @Test func askingAnEndedContainerInsideHarmsNothing() throws {
        let value = Writes { encoder in
            var list = encoder.unkeyedContainer()
            var ended = list.nestedUnkeyedContainer()
            try ended.encode(1)
            var open = list.nestedUnkeyedContainer()
            try open.encode(Around(asking: Asking(container: ended)))
        }
        let json = try JSONScanner.value(of: Array(#"[[1],[{"id":7}]]"#.utf8))
        #expect(try NativeValue(encoding: value).node().jsonValue() == json)
    }
}
