// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Bytes from strangers are refused, quickly and without taking memory, and never trap.
@Suite struct HostileBytesTests {
    private func refusal(_ payload: [UInt8]) -> NavWireError.Code? {
        let error = #expect(throws: NavWireError.self) { try NativeValue(payload: payload) }
        let whole = #expect(throws: NavWireError.self) {
            try PathEnvelope.verifiedPayload(of: RawEnvelope.stored([1] + payload.dropFirst()))
        }
        return whole == nil ? nil : error?.code
    }

    @Test func aVarintHasOneFormAndAtMostSixtyFourBits() {
        let nines = [UInt8](repeating: 0xFF, count: 9)
        for bytes in [[0x80, 0x00], [0xFF, 0x80, 0x00], [UInt8](repeating: 0x80, count: 10), nines + [0x02]] {
            #expect(refusal([0] + bytes + [0, 0xE0]) == .malformed, "\(bytes)")
            #expect(refusal([0, 0] + bytes + [0xE0]) == .malformed, "\(bytes)")
            #expect(refusal([0, 0, 0, 0xDC] + bytes + [0xE0]) == .malformed, "\(bytes)")
        }
        // Well formed, and still far more than there is.
        #expect(refusal([0] + nines + [0x01, 0, 0xE0]) != nil)
        #expect(refusal([0, 0, 0, 0xDC] + nines + [0x01, 0xE0]) != nil)
        #expect(refusal([0, 0, 0, 0xF8] + nines + [0x01, 0xE0]) != nil)
    }

    @Test func aCountBeyondTheBytesThatAreLeftIsRefused() async {
        await #expect(processExitsWith: .success) {
            let heads: [[UInt8]] = [
                [0xDC], [0xDD], [0xDE], [0xF6], [0xF8], [0xFD], [0xFE, 0x08], [0xFE, 0x09], [0xF7], [0xFE, 0x01],
            ]
            func refuseAll(_ count: UInt64) {
                for head in heads {
                    let payload = [0, 0, 0] + head + RawEnvelope.varint(count) + [UInt8](repeating: 0, count: 10)
                    guard (try? NativeValue(payload: payload)) == nil else { exit(2) }
                    for place in 1...2 {
                        let tables = [0, 0, 0][..<place] + RawEnvelope.varint(count) + [UInt8](repeating: 0, count: 10)
                        guard (try? NativeValue(payload: Array(tables))) == nil else { exit(3) }
                    }
                }
            }
            // What the first reads of a process load is not what a count makes it reserve.
            refuseAll(100)
            let before = Memory.peakByteCount
            for count: UInt64 in [101, 1 << 20, 1 << 31, 1 << 32, 1 << 62, .max] { refuseAll(count) }
            guard Memory.peakByteCount - before < 4 << 20 else { exit(4) }
        }
    }

    @Test func textThatIsNotUTF8IsRefused() {
        for text: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80]] {
            let count = UInt8(text.count)
            #expect(refusal([0, count] + text + [0, 0x40 + count]) == .malformed, "\(text)")
            // As a key.
            #expect(refusal([0, 0, 1, 1, 1, count] + text + [0x60, 0xE0]) == .malformed, "\(text)")
        }
    }

    /// A field whose own bytes end too early must not go on in what follows, although together they would make sense.
    @Test func nothingIsReadBeyondItsOwnLength() {
        let euro: [UInt8] = [0xE2, 0x82, 0xAC]
        #expect((try? NativeValue(payload: [0, 3] + euro + [0, 0x43])) != nil)
        // Texts, and keys, that are one text only together.
        #expect(refusal([0, 3] + euro + [0, 0xD2, 0x41, 0x42]) == .malformed)
        #expect(refusal([0, 0, 1, 2, 1, 1, 0xE2, 3, 2, 0x82, 0xAC, 0x60, 0, 0]) == .malformed)
        // The texts end before the string does; the next byte would be a letter.
        #expect(refusal([0, 1, 0x61, 0x62, 0x42]) != nil)
        #expect(refusal([0, 1, 0x61, 0, 0x42]) == .truncated)

        // Four doubles in a run; the last varint ends in the value behind, or in the fixed section.
        let run: [UInt8] = [0xDD, 0, 0xEE, 2, 4, 6]
        let id = [UInt8](repeating: 1, count: 16)
        #expect((try? NativeValue(payload: [0, 0, 0, 0xD2] + run + [0x80, 0x02, 0xE0])) != nil)
        #expect(refusal([0, 0, 0, 0xD2] + run + [0x80, 0x01]) == .truncated)
        #expect((try? NativeValue(payload: [0, 0, 0, 0xD2, 0xF3] + run + [8] + id)) != nil)
        #expect(refusal([0, 0, 0, 0xD2, 0xF3] + run + [0x80] + id) == .truncated)
        // Data and a UUID that share bytes of the fixed section; bits whose last byte is the next value.
        #expect(refusal([0, 0, 0, 0xD2, 0xF3, 0xF6, 1] + id) == .truncated)
        #expect(refusal([0, 0, 0, 0xD2, 0xDE, 1, 0xFF, 0x01]) != nil)
    }

    @Test func aHeaderIsNotReadIntoWhatFollowsIt() throws {
        for header: [UInt8] in [[0x10, 0x80], [0x13, 1, 0x80], [0x15, 1, 0x80]] {
            // The checksum's first byte would end the varint.
            let error = #expect(throws: NavWireError.self) {
                try PathEnvelope.verifiedPayload(of: [0x9E, 0x4E] + header + [1, 1, 1, 1])
            }
            #expect(error?.code == .truncated, "\(header)")
        }
        // A payload that is a byte longer than the envelope says, and one that ends inside.
        for (length, code) in [(3, NavWireError.Code.trailingBytes), (5, .truncated)] as [(UInt8, NavWireError.Code)] {
            let other = RawEnvelope.sealed([0x9E, 0x4E, 0x10, length, 1, 0, 0, 0])
            let error = #expect(throws: NavWireError.self) { try PathEnvelope.verifiedPayload(of: other) }
            #expect(error?.code == code)
        }
    }

    @Test func nothingMayBeLeftOver() {
        #expect((try? NativeValue(payload: [0, 0, 0, 0xE0])) != nil)
        #expect(refusal([0, 0, 0, 0xE0, 0]) != nil)
        #expect(refusal([0, 1, 0x61, 0, 0xE0]) != nil)
        #expect(refusal([0, 0, 1, 1, 0, 0xE0]) != nil)
        #expect(refusal([0, 0, 0, 0x60]) != nil)
        #expect(refusal([0, 0, 0, 0xA0]) != nil)
    }

    @Test func aSmallDocumentDoesNotBecomeAHugeOne() throws {
        var wide = NavWireLimits.default
        wide.maximumExpandedByteCount = .max
        wide.maximumValueCount = .max
        let text = NativeNode.string(String(repeating: "x", count: 64))
        let texts = NativeNode.array(Array(repeating: text, count: 262_140 + 10))
        let key = String(repeating: "k", count: 100_000)
        let keys = NativeNode.array(Array(repeating: .object([.init(key: key, value: .null)]), count: 200))
        for node in [texts, keys] {
            #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NativeValue(node) }
            let value = try NativeValue(node, limits: wide)
            #expect(value.payload.count < 400_000)
            #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NativeValue(payload: value.payload) }
            #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
                try value.decode([String].self, limits: .default)
            }
        }
    }

    @Test func randomBytesAndRandomDamageNeverTrap() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = RandomContent(seed: seed)
        var accepted = 0
        for round in 0..<100_000 {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = try NativeValue(random.native(depth: 4)).payload
                for _ in 0...random.below(2) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
            } else {
                bytes = [0] + (0..<random.below(24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            guard let value = try? NativeValue(payload: bytes) else { continue }
            accepted += 1
            let again = try NativeValue(try value.node())
            #expect(again.payload == bytes, "seed \(seed), round \(round): \(bytes)")
            // Whatever type is asked for: a value or an error.
            _ = try? value.decode([String: [Pair]].self)
            _ = try? value.decode([Mixed?].self)
            _ = try? value.decode(Date.self)
        }
        #expect(accepted > 1_000, "seed \(seed)")
    }

    @Test func damagedFramesNeverTrap() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = RandomContent(seed: seed)
        for round in 0..<2_000 {
            let envelope = try PathEnvelope.encode(try random.path(), options: .init(compression: .zstd(level: 3)))
            guard envelope[2] == 0x11 else { continue }
            // Three bytes and the length's varint stand before the frame.
            let start = (envelope[3...].firstIndex { $0 < 0x80 } ?? 3) + 1
            var frame = Array(envelope[start..<(envelope.count - 4)])
            frame[random.below(frame.count)] = UInt8(truncatingIfNeeded: random.next())
            let damaged = RawEnvelope.compressed(frame, payloadByteCount: UInt64(random.below(2_000)))
            guard let path = try? PathEnvelope.decode(damaged) else { continue }
            #expect(throws: Never.self, "seed \(seed), round \(round)") { try PathEnvelope.encode(path) }
        }
    }

    @Test func aFrameThatGrowsToAGibibyteTakesNoMemory() async {
        await #expect(processExitsWith: .success) {
            let frames = [
                RawEnvelope.zeros(blocks: 8_192, window: 30), RawEnvelope.zeros(blocks: 8_192, window: 41),
                // One segment that says it holds 2^40 bytes.
                [0xE0, 0, 0, 0, 0, 0, 1, 0, 0] + RawEnvelope.zeros(blocks: 8_192, window: 20).dropFirst(2),
            ]
            let before = Memory.peakByteCount
            for frame in frames {
                for said: UInt64 in [1, 4_096, 1 << 20, 1 << 30, 1 << 40, .max] {
                    let envelope = RawEnvelope.compressed(frame, payloadByteCount: said)
                    guard (try? PathEnvelope.verifiedPayload(of: envelope)) == nil else { exit(2) }
                    guard (try? PathEnvelope.decode(envelope)) == nil else { exit(3) }
                    guard (try? NavWireDecoder().decode(Int.self, from: envelope)) == nil else { exit(4) }
                    guard EnvelopeInspection.inspect(envelope).fault != nil else { exit(5) }
                }
            }
            let growth = Memory.peakByteCount - before
            print("peak memory grew by \(growth >> 10) KiB")
            guard before > 0, growth < 16 << 20 else { exit(6) }
        }
    }

    @Test(arguments: [(1 << 30) + 1, 1 << 31] as [UInt64])
    func noLimitAdmitsMoreThanAGibibyte(_ said: UInt64) throws {
        var limits = NavWireLimits()
        limits.maximumPayloadByteCount = .max
        let envelope = RawEnvelope.compressed(RawEnvelope.zeros(blocks: 8, window: 20), payloadByteCount: said)
        let error = try #require(throws: NavWireError.self) { try PathEnvelope.decode(envelope, limits: limits) }
        #expect(error.code == .tooLarge)
        #expect(error.reason == "payload of \(said) bytes, limit is 1073741824")
    }

    @Test func anHonestFrameOfManyZerosIsReadWithinTheLimit() throws {
        let frame = RawEnvelope.zeros(blocks: 8, window: 20)
        let error = try #require(throws: NavWireError.self) {
            try PathEnvelope.decode(RawEnvelope.compressed(frame, payloadByteCount: 1 << 20))
        }
        // It was taken out of its frame: what is wrong is the payload.
        #expect(!error.reason.contains("compressed payload"), "\(error)")
    }
}

enum Memory {
    /// The most memory that this process has had.
    static var peakByteCount: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Int($0)
            })
        else { return 0 }
        return kibibytes << 10
    }
}
