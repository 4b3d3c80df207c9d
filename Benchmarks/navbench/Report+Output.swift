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

/// A picture of size against speed, M corpus: further left is smaller, further up is faster.
enum Plot {
    static func svg(_ report: Report) -> String {
        let set = report.sets[1]
        let (width, height, margin) = (640.0, 420.0, 60.0)
        var marks = ""
        for row in set.rows {
            let size = Double(row.bytes) / Double(set.json.bytes)
            let speed = set.json.encodeSeconds / row.encodeSeconds
            let x = margin + (width - 2 * margin) * min(1, size / 1.25)
            let y = height - margin - (height - 2 * margin) * min(1, log2(max(0.25, speed) * 4) / 6)
            marks += """
                <circle cx="\(x)" cy="\(y)" r="5"/>
                <text x="\(x + 8)" y="\(y + 4)">\(row.codec) \(Report.rounded(size)), ×\(Report.rounded(speed))</text>\n
                """
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="\(Int(height))" font-family="sans-serif" \
            font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            <path d="M\(margin) \(margin) V\(height - margin) H\(width - margin)" fill="none" stroke="black"/>
            <text x="\(margin)" y="\(height - 20)">bytes of a path of 30 elements, beside JSONEncoder</text>
            <text x="10" y="\(margin - 20)">encoding, times faster than JSONEncoder (logarithmic)</text>
            \(marks)</svg>
            """
    }
}
