// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// What a type that writes itself leaves when it fails is what its `Codable` conformance leaves. `DirectPathLayersTests`
/// puts such values inside each other.
@Suite struct DirectPathFailureTests {
    private struct Fault: Error {}

    /// Fails after it has written something, in several ways.
    private struct Failing: Encodable {
        let way: Int
        func encode(to encoder: any Encoder) throws {
            switch way {
            case 0:
                var container = encoder.unkeyedContainer()
                try container.encode(1)
            case 1: try ["a": 1, "b": 2].encode(to: encoder)
            case 2:
                var container = encoder.container(keyedBy: AnyKey.self)
                var nested = container.nestedUnkeyedContainer(forKey: "n")
                try nested.encode(1)
                try container.encode("x", forKey: "y")
            case 3:
                var container = encoder.singleValueContainer()
                try container.encode(7)
            default: break
            }
            throw Fault()
        }
    }

    private static let keys = NavWireKeys("id", "inner")

    private enum Shape: CaseIterable { case member, item, value }

    private struct Direct: NavWireEncodable, Encodable {
        let shape: Shape
        let inner: Failing
        func write(to writer: inout NavWireWriter) throws {
            switch shape {
            case .member:
                try writer.object(DirectPathFailureTests.keys) {
                    $0.write(1, 0)
                    try $0.write(encodable: inner, 1)
                }
            case .item:
                try writer.array { writer in
                    try writer.item { $0.write(1) }
                    try writer.item { try $0.write(encodable: inner) }
                }
            case .value: try writer.write(encodable: inner)
            }
        }
        func encode(to encoder: any Encoder) throws { try Plain(shape: shape, inner: inner).encode(to: encoder) }
    }

    private struct Plain: Encodable {
        let shape: Shape
        let inner: Failing
        func encode(to encoder: any Encoder) throws {
            switch shape {
            case .member:
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "id")
                try container.encode(inner, forKey: "inner")
            case .item:
                var container = encoder.unkeyedContainer()
                try container.encode(1)
                try container.encode(inner)
            case .value:
                var container = encoder.singleValueContainer()
                try container.encode(inner)
            }
        }
    }

    /// Swallows the error of one value and goes on.
    private static func around(_ value: some Encodable, place: Int) -> Writes {
        Writes { encoder in
            switch place {
            case 0:
                var container = encoder.singleValueContainer()
                try? container.encode(value)
            case 1:
                var container = encoder.unkeyedContainer()
                try container.encode("before")
                try? container.encode(value)
                try container.encode(["after": 1])
            case 2:
                var container = encoder.container(keyedBy: AnyKey.self)
                try? container.encode(value, forKey: "value")
                try container.encode("after", forKey: "after")
            default:
                var container = encoder.unkeyedContainer()
                let inner = Writes {
                    var container = $0.singleValueContainer()
                    try? container.encode(value)
                }
                try container.encode(inner)
                try container.encode(["inner": inner])
                try container.encode("after")
            }
        }
    }

    @Test func whatIsLeftIsWhatCodableLeavesWhateverWasEncodedBefore() throws {
        for _ in 0..<2 {
            for way in 0...4 {
                for shape in Shape.allCases {
                    for place in 0...3 {
                        let direct = Self.around(Direct(shape: shape, inner: Failing(way: way)), place: place)
                        let plain = Self.around(Plain(shape: shape, inner: Failing(way: way)), place: place)
                        let found = try NativeValue(encoding: [direct]).node()
                        #expect(
                            try found == NativeValue(encoding: [plain]).node(), "\(way) in \(shape) at \(place)")
                    }
                }
            }
        }
    }

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
