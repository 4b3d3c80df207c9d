// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Report {
    /// For people.
    var text: String {
        var lines: [String] = []
        for set in sets + others {
            lines.append("\(set.name): bytes, zstd, encode µs, decode µs, allocations; in brackets beside JSONEncoder")
            for row in set.rows {
                lines.append(
                    [
                        "  " + row.codec.padding(toLength: 28, withPad: " ", startingAt: 0),
                        "\(row.bytes) (\(Self.ratio(row.bytes, set.json.bytes)))",
                        "\(row.compressed) (\(Self.ratio(row.compressed, set.json.bytes)))",
                        Self.microseconds(row.encodeSeconds, set.json.encodeSeconds),
                        Self.microseconds(row.decodeSeconds, set.json.decodeSeconds), "\(row.encodeAllocations)",
                    ]
                    .joined(separator: "  "))
            }
        }
        lines.append(
            "samples imported from JSON of \(imported.jsonBytes) bytes:"
                + " \(imported.bytes) (\(Self.ratio(imported.bytes, imported.jsonBytes))),"
                + " zstd \(imported.compressed) (\(Self.ratio(imported.compressed, imported.jsonBytes)))")
        lines.append(
            "X with a dictionary trained on other paths of the app: \(trained.bytes)"
                + " (\(Self.ratio(trained.bytes, trained.jsonBytes)))")
        lines.append(
            "direct, M: encode ×\(Self.rounded(direct.encodeRatio)), decode ×\(Self.rounded(direct.decodeRatio))")
        return lines.joined(separator: "\n")
    }

    /// For machines.
    var json: String {
        var sets: [String: Any] = [:]
        for set in self.sets + others {
            sets[set.name] =
                [
                    "bytes": set.navWire.bytes, "jsonBytes": set.json.bytes,
                    "encodeRatio": set.json.encodeSeconds / set.navWire.encodeSeconds,
                    "decodeRatio": set.json.decodeSeconds / set.navWire.decodeSeconds,
                    "encodeAllocations": set.navWire.encodeAllocations,
                ] as [String: Any]
        }
        let object: [String: Any] = [
            "sets": sets, "zstd": ["L": ["bytes": zstd.bytes, "jsonBytes": zstd.jsonBytes]],
            "dictionary": ["X": ["bytes": dictionary.bytes, "jsonBytes": dictionary.jsonBytes]],
            "trained": ["X": ["bytes": trained.bytes, "jsonBytes": trained.jsonBytes]],
            "codecs": Dictionary(uniqueKeysWithValues: (self.sets + others).map { ($0.name, $0.codecs) }),
            "direct": ["M": ["encodeRatio": direct.encodeRatio, "decodeRatio": direct.decodeRatio]],
        ]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else {
            return "{}"
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func ratio(_ value: Int, _ whole: Int) -> String { rounded(Double(value) / Double(whole)) }

    private static func microseconds(_ seconds: Double, _ json: Double) -> String {
        "\(rounded(seconds * 1e6)) (×\(rounded(json / seconds)))"
    }

    static func rounded(_ value: Double) -> String { String(format: "%.2f", value) }
}

extension Report.SetRows {
    /// Every codec of a table, for scripts/plot-codec: sizes and speeds beside JSONEncoder.
    fileprivate var codecs: [[String: Any]] {
        rows.map { row in
            [
                "name": row.codec, "size": Double(row.bytes) / Double(json.bytes),
                "zstdSize": Double(row.compressed) / Double(json.bytes),
                "encodeRatio": json.encodeSeconds / row.encodeSeconds,
                "decodeRatio": json.decodeSeconds / row.decodeSeconds,
            ]
        }
    }
}
