// SPDX-License-Identifier: Apache-2.0
import NavWire

/// Does one thing for about two seconds, for a profiler to look at.
struct Profile {
    private let body: () throws -> Void

    init(_ arguments: ArraySlice<String>) throws {
        let what = arguments.first ?? ""
        let paths =
            switch arguments.dropFirst().first {
            case "S": Sets.small
            case "L": Sets.large
            default: Sets.medium
            }
        let (encoder, decoder) = (NavWireEncoder(), NavWireDecoder())
        let bytes = try paths.map { try encoder.encode($0) }
        let direct = paths.compactMap { DirectPath($0) }
        switch what {
        case "encode": body = { for path in paths { _ = try encoder.encode(path) } }
        case "decode": body = { for bytes in bytes { _ = try decoder.decode(Path.self, from: bytes) } }
        case "direct-encode": body = { for path in direct { _ = try encoder.encode(direct: path) } }
        case "direct-decode":
            body = { for bytes in bytes { _ = try decoder.decode(direct: DirectPath.self, from: bytes) } }
        case "scan": body = { for bytes in bytes { _ = try decoder.decode(Nothing.self, from: bytes) } }
        default: throw BenchError(reason: "nothing is called '\(what)'")
        }
    }

    func run() throws {
        let effort = Stopwatch.Effort(rounds: 5, seconds: 0.5)
        let seconds = try Stopwatch.medians(effort, [body])
        print(seconds[0] * 1e6, "µs a round")
    }
}

/// Takes no value, so that what is left is the check of the bytes.
private struct Nothing: Decodable {
    init(from decoder: any Decoder) {}
}
