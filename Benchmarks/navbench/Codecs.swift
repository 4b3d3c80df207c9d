// SPDX-License-Identifier: Apache-2.0
import CZstd
import Foundation
import NavWire

/// One way to turn a path into bytes and back.
struct Codec {
    let name: String
    let encode: (Path) throws -> [UInt8]
    let decode: ([UInt8]) throws -> Path
    /// How many bytes are left after zstd, level 3; small ones with the dictionary that ships.
    let compressed: (Path) throws -> Int
    /// Encodes and lets the bytes go, without making them an array first.
    let run: (Path) throws -> Void

    static func makeNavWire() -> Codec {
        let (encoder, decoder) = (NavWireEncoder(), NavWireDecoder())
        let compressor = NavWireEncoder(options: .init(compression: .zstd(level: 3)))
        return Codec(
            name: "NavWire", encode: { try encoder.encode($0) }, decode: { try decoder.decode(Path.self, from: $0) },
            compressed: { try compressor.encode($0).count }, run: { _ = try encoder.encode($0) })
    }

    static func makeJson() -> Codec {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        return Codec(
            name: "JSONEncoder", encode: { Array(try encoder.encode($0)) },
            decode: { try decoder.decode(Path.self, from: Data($0)) },
            compressed: { Frame.byteCount(of: Array(try encoder.encode($0))) }, run: { _ = try encoder.encode($0) })
    }

    /// Each value as JSON text inside the JSON of the path, as SwiftUI has it.
    static func makeNestedJSON() -> Codec {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        func encode(_ path: Path) throws -> Data {
            var strings: [String] = []
            for element in path.elems {
                guard let entry = byType[ObjectIdentifier(type(of: element))] else { continue }
                strings.append(entry.name)
                strings.append(String(decoding: try encoder.encode(element), as: UTF8.self))
            }
            return try encoder.encode(strings)
        }
        return Codec(
            name: "JSON as SwiftUI nests it", encode: { Array(try encode($0)) },
            decode: {
                let strings = try decoder.decode([String].self, from: Data($0))
                return Path(
                    try stride(from: 0, to: strings.count - 1, by: 2).compactMap {
                        try byName[strings[$0]]?.json(Data(strings[$0 + 1].utf8), decoder)
                    })
            },
            compressed: { Frame.byteCount(of: Array(try encode($0))) }, run: { _ = try encode($0) })
    }

    static func makePropertyList() -> Codec {
        let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
        encoder.outputFormat = .binary
        return Codec(
            name: "binary PropertyListEncoder", encode: { Array(try encoder.encode($0)) },
            decode: { try decoder.decode(Path.self, from: Data($0)) },
            compressed: { Frame.byteCount(of: Array(try encoder.encode($0))) }, run: { _ = try encoder.encode($0) })
    }

    static func all() -> [Codec] { [makeJson(), makeNestedJSON(), makePropertyList(), makeNavWire()] }
}

/// zstd as it comes, for the bytes of other codecs.
enum Frame {
    static func byteCount(of bytes: [UInt8]) -> Int {
        var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        return ZSTD_compress(&frame, frame.count, bytes, bytes.count, 3)
    }
}
