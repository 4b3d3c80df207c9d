// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

/// The first corpus by way of `NavWireCodable`. The bytes are those of its `Codable` conformances.
struct DirectPath: NavWireCodable {
    var elements: [any DirectElement]

    init?(_ path: Path) {
        elements = path.elems.compactMap(Self.direct)
        if elements.count != path.elems.count { return nil }
    }

    private static func direct(_ element: Elem) -> (any DirectElement)? {
        switch element {
        case let value as Route: DirectRoute(value)
        case let value as Product: DirectProduct(value)
        case let value as Folder: DirectFolder(value)
        case let value as Message: DirectMessage(value)
        case let value as Filter: DirectFilter(value)
        default: element as? any DirectElement
        }
    }

    func write(to writer: inout NavWireWriter) throws {
        try writer.array { writer in
            // By index, which borrows an element where a loop over the array would copy it.
            for index in elements.indices {
                try writer.item { $0.write(elements[index].tag) }
                try writer.item { try elements[index].write(to: &$0) }
            }
        }
    }

    init(from reader: NavWireReader) throws {
        var items = try reader.items()
        elements = []
        elements.reserveCapacity(items.underestimatedCount / 2)
        while let tag = items.next(), let item = items.next() {
            elements.append(try Self.element(tag, item))
        }
    }

    private static let tags = NavWireKeys(
        "ShopApp.Route", "ShopApp.Product", "ShopApp.Folder", "ShopApp.Message", "ShopApp.Filter", "Swift.Int",
        "Swift.String", "Foundation.UUID", "Foundation.URL")

    private static func element(_ tag: NavWireReader, _ reader: NavWireReader) throws -> any DirectElement {
        switch try tag.place(among: tags) {
        case 0: return try DirectRoute(from: reader)
        case 1: return try DirectProduct(from: reader)
        case 2: return try DirectFolder(from: reader)
        case 3: return try DirectMessage(from: reader)
        case 4: return try DirectFilter(from: reader)
        case 5: return try Int(from: reader)
        case 6: return try String(from: reader)
        case 7: return try UUID(from: reader)
        case 8: return try URL(from: reader)
        default: throw reader.dataCorrupted("unknown type \(try tag.string())")
        }
    }

    static func ratios(_ paths: [Path], _ effort: Stopwatch.Effort) throws -> (encodeRatio: Double, decodeRatio: Double)
    {
        let (encoder, decoder, json) = (NavWireEncoder(), NavWireDecoder(), Codec.makeJson())
        let direct = paths.compactMap { DirectPath($0) }
        let bytes = try direct.map { try encoder.encode(direct: $0) }
        for (path, bytes) in zip(paths, bytes) where try encoder.encode(path) != bytes {
            throw BenchError(reason: "the direct path writes other bytes")
        }
        let texts = try paths.map(json.encode)
        let times = try Stopwatch.medians(
            effort,
            [
                { for path in direct { _ = try encoder.encode(direct: path) } },
                { for path in paths { try json.run(path) } },
                { for bytes in bytes { _ = try decoder.decode(direct: DirectPath.self, from: bytes) } },
                { for text in texts { _ = try json.decode(text) } },
            ])
        return (times[1] / times[0], times[3] / times[2])
    }

    static func allocations(_ path: Path) throws -> Int {
        let encoder = NavWireEncoder()
        guard let direct = DirectPath(path) else { throw BenchError(reason: "not a path of the first corpus") }
        return try Stopwatch.allocations { _ = try encoder.encode(direct: direct) }
    }
}

protocol DirectElement: NavWireCodable, Sendable {
    var tag: String { get }
}

extension Int: DirectElement { var tag: String { "Swift.Int" } }
extension String: DirectElement { var tag: String { "Swift.String" } }
extension UUID: DirectElement { var tag: String { "Foundation.UUID" } }
extension URL: DirectElement { var tag: String { "Foundation.URL" } }
