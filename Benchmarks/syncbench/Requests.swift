// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Bytes and rows made beforehand, so that making them is not measured.
enum Requests {
    static func name(_ number: Int) -> StackName {
        guard let name = try? StackName("stack/\(1_000_000 + number)") else { preconditionFailure("no name") }
        return name
    }

    static func envelope(_ salt: Int, byteCount: Int = Syncbench.envelopeByteCount) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ salt) }
    }

    /// For each round and connection, `depth` pushes.
    static func pushes(connections: Int, depth: Int, rounds: Int, sameContent: Bool) -> [[[UInt8]]] {
        var number = 0
        return (0..<rounds).map { round in
            (0..<connections).map { _ in
                var bytes: [UInt8] = []
                for request in 0..<depth {
                    number += 1
                    let push = Push(
                        request: RequestID(rawValue: UInt64(request + 1)),
                        name: name((number &* 7919) % Syncbench.stackCount),
                        envelope: envelope(sameContent ? 0 : number))
                    push.write(to: &bytes)
                }
                return bytes
            }
        }
    }

    static func pulls(connections: Int, depth: Int, rounds: Int) -> [[[UInt8]]] {
        var number = 0
        return (0..<rounds).map { _ in
            (0..<connections).map { _ in
                var bytes: [UInt8] = []
                for request in 0..<depth {
                    number += 1
                    Pull(
                        request: RequestID(rawValue: UInt64(request + 1)),
                        name: name((number &* 7919) % Syncbench.stackCount)
                    ).write(to: &bytes)
                }
                return bytes
            }
        }
    }

    static func row(
        _ number: Int, name named: Int? = nil, byteCount: Int = Syncbench.envelopeByteCount
    ) -> Row {
        let bytes = envelope(number, byteCount: byteCount)
        let stamp = Stamp(
            time: HybridTime(milliseconds: 1_800_000_000_000 + UInt64(number)), origin: NodeID(high: 1, low: 1))
        return Row(
            sequence: Sequence(rawValue: UInt64(number + 1)), state: .merged, source: nil,
            record: Record(
                name: name(named ?? number), stamp: stamp, writeCount: UInt64(number + 1), base: nil,
                content: .envelope(bytes, hash(bytes))))
    }

    /// Cheap and different enough: what is measured is the core, not SHA-256.
    @Sendable static func hash(_ bytes: [UInt8]) -> ContentHash {
        let first = UInt64(bytes.first ?? 0) | UInt64(bytes.count) << 8
        return ContentHash(words: (first &* 0x9E37_79B9_7F4A_7C15, first, 1, 2))
    }
}
