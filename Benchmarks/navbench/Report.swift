// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

/// Everything that one run found.
struct Report {
    struct Row {
        let codec: String
        let bytes: Int
        let compressed: Int
        let encodeSeconds: Double
        let decodeSeconds: Double
        let encodeAllocations: Int
    }

    /// One corpus: a row for each codec, JSON first.
    struct SetRows {
        let name: String
        let rows: [Row]

        var json: Row { rows[0] }
        var navWire: Row { rows[rows.count - 1] }
    }

    var sets: [SetRows] = []
    /// The same beside other types and beside the samples, to see what the first corpus alone would hide.
    var others: [SetRows] = []
    let zstd: (bytes: Int, jsonBytes: Int)
    let dictionary: (bytes: Int, jsonBytes: Int)
    /// Small paths with a dictionary that was trained on other paths of the same app: the odd ones of X, on the even ones.
    let trained: (bytes: Int, jsonBytes: Int)
    let direct: (encodeRatio: Double, decodeRatio: Double)
    /// The samples as JSON values, which no type was asked for.
    let imported: (jsonBytes: Int, bytes: Int, compressed: Int)

    init(_ effort: Stopwatch.Effort) throws {
        let many = Sets.many
        let codecs = Codec.all()
        sets = [
            try Self.rows("S", Sets.small, codecs, effort), try Self.rows("M", Sets.medium, codecs, effort),
            try Self.rows("L", Sets.large, codecs, effort),
            try Self.rows("X", Array(many.prefix(500)), codecs, effort, sizes: many),
        ]
        others = [
            try Self.rows("second", SecondCorpus.paths, codecs, effort),
            try Self.rows("samples", SampleCorpus.paths(), codecs, effort),
        ]
        imported = try SampleCorpus.imported()
        zstd = (sets[2].navWire.compressed, sets[2].json.bytes)
        dictionary = (sets[3].navWire.compressed, sets[3].json.bytes)
        trained = try Self.trained(many)
        direct = try DirectPath.ratios(Sets.medium, effort)
    }

    /// `sizes` are the paths whose sizes are averaged, where they are too many to time.
    private static func rows(
        _ name: String, _ paths: [Path], _ codecs: [Codec], _ effort: Stopwatch.Effort, sizes: [Path]? = nil
    ) throws -> SetRows {
        let encoded = try codecs.map { codec in try paths.map(codec.encode) }
        for (codec, bytes) in zip(codecs, encoded) {
            for (path, bytes) in zip(paths, bytes) where try codec.decode(bytes) != path {
                throw BenchError(reason: "\(codec.name) does not give back what it was given (\(name))")
            }
        }
        let encodes = codecs.map { codec in { for path in paths { try codec.run(path) } } }
        let decodes = zip(codecs, encoded).map { codec, all in { for bytes in all { _ = try codec.decode(bytes) } } }
        let encodeTimes = try Stopwatch.medians(effort, encodes)
        let decodeTimes = try Stopwatch.medians(effort, decodes)
        let measured = sizes ?? paths
        return SetRows(
            name: name,
            rows: try codecs.indices.map { index in
                let codec = codecs[index]
                return Row(
                    codec: codec.name, bytes: try mean(measured) { try codec.encode($0).count },
                    compressed: try mean(measured) { try codec.compressed($0) },
                    encodeSeconds: encodeTimes[index] / Double(paths.count),
                    decodeSeconds: decodeTimes[index] / Double(paths.count),
                    encodeAllocations: try Stopwatch.allocations { try codec.run(paths[0]) })
            })
    }

    private static func mean(_ paths: [Path], _ size: (Path) throws -> Int) rethrows -> Int {
        let total = try paths.reduce(0) { try $0 + size($1) }
        return (total + paths.count / 2) / paths.count
    }

    private static func trained(_ paths: [Path]) throws -> (bytes: Int, jsonBytes: Int) {
        let (plain, json) = (NavWireEncoder(), Codec.makeJson())
        let (even, odd) = (paths.indices.filter { $0 & 1 == 0 }, paths.indices.filter { $0 & 1 == 1 })
        let dictionary = try NavWireDictionary.train(on: even.map { try plain.encode(paths[$0]) }, byteCount: 65536)
        let encoder = NavWireEncoder(options: .init(compression: .zstd(level: 3), dictionary: dictionary))
        let measured = odd.map { paths[$0] }
        return (
            try mean(measured) { try encoder.encode($0).count }, try mean(measured) { try json.encode($0).count }
        )
    }

    /// What `check-allocations` compares with its thresholds.
    static func allocations() throws -> [(String, Int)] {
        let navWire = Codec.makeNavWire()
        var found: [(String, Int)] = []
        for (name, path) in [("S", Sets.small[0]), ("M", Sets.medium[0]), ("L", Sets.large[0])] {
            let bytes = try navWire.encode(path)
            found.append(("encode-\(name)", try Stopwatch.allocations { try navWire.run(path) }))
            found.append(("decode-\(name)", try Stopwatch.allocations { _ = try navWire.decode(bytes) }))
        }
        let element = PathElement(tag: "Swift.Int", value: .json(.number(JSONNumber(7))))
        let envelope = try PathEnvelope.encode([element], options: .init(compression: .none))
        found.append(("verify", try Stopwatch.allocations { _ = try PathEnvelope.verifiedPayload(of: envelope) }))
        found.append(("direct-M", try DirectPath.allocations(Sets.medium[0])))
        return found
    }
}

struct BenchError: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
