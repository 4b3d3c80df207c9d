// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

@Suite struct PathEnvelopeTests {
    static let seed: UInt64 = 0x5EED_0002

    @Test func anyPathComesBack() throws {
        var random = RandomContent(seed: Self.seed)
        for round in 0..<500 {
            let path = try random.path()
            for compression in [NavWireOptions.Compression.none, .standard, .zstd(level: 19)] {
                let envelope = try PathEnvelope.encode(path, options: .init(compression: compression))
                let back = try PathEnvelope.decode(envelope)
                #expect(back == path, "seed \(Self.seed) round \(round)")
                #expect(PathEnvelope.isEnvelope(envelope))
            }
        }
    }

    @Test func compressionDoesNotChangeThePayload() throws {
        var random = RandomContent(seed: Self.seed)
        for _ in 0..<200 {
            let path = try random.path()
            let plain = try PathEnvelope.encode(path, options: .init(compression: .none))
            let small = try PathEnvelope.encode(path)
            #expect(small.count <= plain.count)
            #expect(try PathEnvelope.verifiedPayload(of: plain) == PathEnvelope.verifiedPayload(of: small))
        }
    }

    /// Most UUIDs are random and stay as they are; those that were counted up are compressed with the rest.
    @Test func whatIsRegularAmongTheFixedValuesIsCompressedToo() throws {
        func path(_ id: (Int) -> UInt128) throws -> [PathElement] {
            try (0..<50).map { index in
                let node = NativeNode.object([.init(key: "id", value: .uuid(id(index)))])
                return PathElement(tag: "Shop.Item", value: .native(try NativeValue(node)))
            }
        }
        var random = RandomContent(seed: Self.seed)
        let counted = try PathEnvelope.encode(path { 0x0E98_4725_C51C << 80 | UInt128($0) })
        let chance = try PathEnvelope.encode(path { _ in UInt128(random.next()) << 64 | UInt128(random.next()) })
        #expect(counted.count < 300)
        #expect((800..<900).contains(chance.count))
        #expect(try PathEnvelope.decode(counted) == path { 0x0E98_4725_C51C << 80 | UInt128($0) })
    }

    @Test func everyTruncationAndEveryFlippedBitIsRefused() throws {
        var random = RandomContent(seed: Self.seed)
        for _ in 0..<20 {
            let envelope = try PathEnvelope.encode(try random.path())
            for count in envelope.indices {
                #expect(throws: NavWireError.self) { try PathEnvelope.verifiedPayload(of: Array(envelope[..<count])) }
            }
            for bit in 0..<envelope.count * 8 {
                var damaged = envelope
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: NavWireError.self) { try PathEnvelope.verifiedPayload(of: damaged) }
            }
        }
    }

    @Test func aPathIsNoSingleValueAndTheOtherWayRound() throws {
        let path = try PathEnvelope.encode([
            PathElement(tag: "a", value: .native(NativeValue(encoding: "b"))), PathElement(checkingTag: "c", item: "1"),
        ])
        let value = try NavWireEncoder().encode(["a", "b"])
        func check(_ reason: String, _ body: () throws -> Void) {
            let error = #expect(throws: NavWireError.self) { try body() }
            #expect(error?.code == .malformed)
            #expect(error?.reason == reason)
        }
        let decoder = NavWireDecoder()
        let isPath = "the envelope holds a path, not a single value"
        check(isPath) { _ = try decoder.decode([String].self, from: path) }
        check(isPath) { _ = try decoder.decode(direct: String.self, from: path) }
        check("the envelope holds a single value, not a path") { _ = try PathEnvelope.decode(value) }
        // What was refused leaves nothing to the next.
        #expect(try NavWireDecoder().decode([String].self, from: value) == ["a", "b"])
    }

    @Test func saysWhatIsWrong() throws {
        let envelope = try PathEnvelope.encode(
            [PathElement(tag: "Swift.Int", value: .json(.number(JSONNumber(7))))], options: .init(compression: .none))
        func code(_ change: (inout [UInt8]) -> Void) -> NavWireError.Code? {
            var bytes = envelope
            change(&bytes)
            do {
                _ = try PathEnvelope.decode(bytes)
                return nil
            } catch { return error.code }
        }
        #expect(code { _ in } == nil)
        #expect(code { $0 = [] } == .badMagic)
        #expect(code { $0[0] = 0x5B } == .badMagic)
        #expect(code { $0[2] = 0x20 } == .unsupportedVersion)
        #expect(code { $0[2] = 0x18 } == .unknownFlag)
        #expect(code { $0.removeLast() } == .truncated)
        #expect(code { $0.append(0) } == .trailingBytes)
        #expect(code { $0[6] ^= 1 } == .badChecksum)
        #expect(code { $0 = Array($0[..<5]) } == .truncated)
    }

    @Test func aTagThatIsTooLongIsRefusedOnBothSides() throws {
        let long = PathElement(tag: String(repeating: "t", count: 513), value: .json(.null))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.encode([long]) }
        var limits = NavWireLimits.default
        limits.maximumTagByteCount = 600
        let envelope = try PathEnvelope.encode([long], options: .init(limits: limits))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.decode(envelope) }
        #expect(try PathEnvelope.decode(envelope, limits: limits) == [long])
    }

    @Test func inspectionTellsWhereItStopped() throws {
        var random = RandomContent(seed: Self.seed)
        for _ in 0..<50 {
            let path = try random.path()
            let envelope = try PathEnvelope.encode(path)
            let whole = EnvelopeInspection.inspect(envelope)
            #expect(whole.fault == nil)
            #expect(whole.lines.filter { $0.label.hasPrefix("element") }.count == path.count)
            let cut = EnvelopeInspection.inspect(Array(envelope.dropLast(3)))
            #expect(cut.fault != nil)
            #expect(cut.lines.last?.label == "stopped")
        }
    }

    @Test func inspectionOfASmallEnvelopeDoesNotBecomeHuge() throws {
        let texts = Array(repeating: String(repeating: "\u{1}", count: 63), count: 4_000)
        let element = PathElement(tag: "Shop.A", value: .native(try NativeValue(encoding: texts)))
        let envelope = try PathEnvelope.encode(Array(repeating: element, count: 12))
        let inspection = EnvelopeInspection.inspect(envelope)
        let byteCount = inspection.lines.reduce(0) { $0 + $1.text.utf8.count }
        #expect(envelope.count < 100 && inspection.fault == nil)
        #expect(byteCount > 2 << 20 && byteCount <= NavWireLimits.default.maximumJSONByteCount + 1_000)
        #expect(inspection.lines.filter { $0.text.contains("much JSON") }.count == 10)
        for limit in [Int.min, 0, 30, 100] {
            var limits = NavWireLimits.default
            limits.maximumJSONByteCount = limit
            let short = EnvelopeInspection.inspect(envelope, limits: limits)
            let rest = short.lines.first { $0.label == "rest" }
            let shown = max(0, limit) / "Shop.A: native a value of much JSON".utf8.count
            #expect(rest?.text == "\(12 - shown) elements of much JSON are left out")
            #expect(short.fault == nil && short.lines.last?.label == "checksum")
        }
    }
}
