// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Every golden vector: accepted ones are written back as the same payload, refused ones say the code they name.
@Suite struct VectorTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        let name: String
        let header: [String: String]
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/wire")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.compactMap { file in
            guard let data = try? Data(contentsOf: file), let gap = data.firstRange(of: Data("\n\n".utf8)) else {
                return nil
            }
            let lines = String(decoding: data[..<gap.lowerBound], as: UTF8.self).split(separator: "\n")
            let header = lines.map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
            return Vector(
                name: file.lastPathComponent,
                header: Dictionary(header.map { ($0[0], $0.count > 1 ? $0[1] : "") }, uniquingKeysWith: { $1 }),
                bytes: Array(data[gap.upperBound...]))
        }
    }()

    @Test func thereAreVectors() {
        #expect(Self.vectors.count >= 150)
        let names = Self.vectors.map(\.name)
        #expect(names.contains { $0.hasPrefix("good-path-zstd-dictionary") })
        #expect(names.filter { $0.hasPrefix("bad-zstd") }.count >= 10)
    }

    @Test(arguments: vectors) func holds(vector: Vector) throws {
        guard vector.header["expect"] == "accepted" else {
            #expect(vector.header["expect"] == "refused")
            let error = try #require(throws: NavWireError.self) { try PathEnvelope.anyPayload(of: vector.bytes) }
            #expect(vector.header["error"] == error.code.rawValue, "\(error)")
            return
        }
        let payload = try PathEnvelope.anyPayload(of: vector.bytes)
        guard vector.name.hasPrefix("good-path") else {
            let node = try NativeValue(payload: payload).node()
            #expect(try NativeValue(node).payload == payload)
            if let json = vector.header["json"] {
                #expect(try node.jsonValue() == JSONScanner.value(of: Array(json.utf8)))
            }
            return
        }
        let path = try PathEnvelope.decode(vector.bytes)
        let again = try PathEnvelope.encode(path, options: .init(compression: .none))
        // One payload may be compressed in many ways; written out there is one.
        let isSame = try PathEnvelope.verifiedPayload(of: again) == payload
        #expect(isSame)
        #expect((again == vector.bytes) == !vector.name.contains("zstd"))
    }
}
