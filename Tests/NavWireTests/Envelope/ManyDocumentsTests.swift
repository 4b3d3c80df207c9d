// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// What documents leave behind in coders that outlive them.
@Suite struct ManyDocumentsTests {
    /// One shape with one key of a mebibyte, which nothing uses: refused, but its key has been read by then.
    private func payload(_ number: Int, keyByteCount: Int) -> [UInt8] {
        let key = [UInt8](repeating: 0x61, count: keyByteCount - 4) + Array("\(1000 + number)".utf8)
        return [1, 0, 1, 1, 1] + RawEnvelope.varint(UInt64(key.count)) + key + [0]
    }

    @Test func longKeysAreForgotten() {
        var scanner = PayloadScanner()
        defer { scanner.free() }
        for number in 0..<64 {
            let payload = payload(number, keyByteCount: 1 << 19)
            #expect(throws: NavWireError.self) {
                try payload.withBytes { bytes throws(NavWireError) in
                    try unsafe scanner.scan(bytes, limits: .default)
                }
            }
            #expect(scanner.keys.byteCount <= 2 << 20)
        }
    }

    @Test func writersForgetKeysToo() throws {
        for number in 0..<12 {
            let members = (0..<1000).map { "key \(number) \($0)" }
            let json = "{" + members.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            let elements = try SwiftUIJSON.decode(Array("[\"A.B\",\(quoted(json))]".utf8))
            _ = try PathEnvelope.encode(elements)
        }
        let writer = unsafe PayloadWriter.pool.take()
        defer { unsafe PayloadWriter.pool.give(writer) }
        #expect(unsafe writer.pointee.keys.count <= 6000)
    }

    /// Shapes carry the number of the document that used them last, and a document that takes a tree counts as two.
    @Test(arguments: 0..<6 as Range<UInt32>) func theNumberOfDocumentsMayRunOut(_ left: UInt32) throws {
        let byTurns = Writes { encoder in
            var container = encoder.unkeyedContainer()
            var first = container.nestedContainer(keyedBy: AnyKey.self)
            var second = container.nestedContainer(keyedBy: AnyKey.self)
            try first.encode(1, forKey: "a")
            try second.encode(2, forKey: "a")
            try first.encode(3, forKey: "b")
        }
        let expected = try NativeValue(encoding: [byTurns, byTurns]).payload
        let state = UnsafeMutablePointer<EncoderState>.allocate(capacity: 1)
        // As the pool keeps them: for ever.
        unsafe state.initialize(to: EncoderState())
        unsafe state.pointee.writer.generation = .max - left
        for _ in 0..<6 {
            unsafe state.pointee.begin(limits: .default, userInfo: nil)
            unsafe try state.writeDocument {
                unsafe try state.encodeDocument([byTurns, byTurns])
                unsafe try state.finishTree()
            }
            #expect(unsafe try state.pointee.writer.payload() == expected)
            unsafe state.pointee.end()
        }
    }

    /// One object of many keys with a string for each.
    private static let huge = PathElement(
        tag: "T",
        value: .json(
            .object(JSONObject((0..<60_000).map { JSONObject.Member(key: "k\($0)", value: .string("s\($0)")) }))))

    @Test func aReaderGivesBackWhatAHugeDocumentNeeded() throws {
        var options = NavWireOptions(compression: .none)
        options.limits.maximumPayloadByteCount = 2 << 20
        let small = [PathElement(tag: "T", value: .json(.string("a")))]
        let envelopes = try [small, [Self.huge], small].map { try PathEnvelope.encode($0, options: options) }
        var state = DecoderState()
        for envelope in envelopes {
            try state.open(envelope, limits: options.limits, dictionary: nil)
            state.end()
            let scanner = state.scanner
            #expect(scanner.keys.capacity <= 1 << 14)
            #expect(scanner.shapes.capacity <= 1 << 15)
            #expect(scanner.tape.capacity <= 1 << 16)
            #expect(scanner.strings.capacity <= 1 << 14)
            #expect(scanner.documentKeys.capacity <= 1 << 14)
            #expect(scanner.shapeKeys.capacity <= 1 << 14)
        }
        state.scanner.free()
    }

    private enum Screen: Codable { case home(Int) }
    private struct Holder: Decodable { let screens: [Screen] }

    /// An enum asks for all keys of each of its values, and strangers choose how many shapes these and others have.
    @Test(arguments: [1, 300]) func aKeyTypeKeepsTheKeysOfFewShapes(count: Int) throws {
        let content = NativeNode.object([.init(key: "_0", value: .integer(isNegative: false, magnitude: 7))])
        let others = (0..<5_000).map { NativeNode.object([.init(key: "k\($0)", value: .null)]) }
        let screens = (0..<count)
            .map { NativeNode.object([.init(key: "home", value: content), .init(key: "\(-$0)", value: .null)]) }
        let value = try NativeValue(
            .object([.init(key: "others", value: .array(others)), .init(key: "screens", value: .array(screens))]))
        let state = unsafe DecoderState.pool.take()
        defer { unsafe DecoderState.close(state) }
        unsafe try state.pointee.open(payload: value.payload, limits: .default)
        #expect(unsafe try state.root.value(Holder.self).screens.count == count)
        unsafe state.pointee.keyTypes.forEach { #expect(unsafe $0.pointee.keyArrays.count <= 64) }
    }

    @Test func aWriterGivesItBackWithTheNextDocument() throws {
        var limits = NavWireLimits.default
        limits.maximumPayloadByteCount = 2 << 20
        var writer = PayloadWriter()
        defer { writer.free() }
        for element in [Self.huge, PathElement(tag: "T", value: .json(.null)), Self.huge] {
            writer.beginAlone(limits: limits)
            #expect(writer.keys.capacity <= 1 << 14)
            #expect(writer.shapes.capacity <= 1 << 15)
            #expect(writer.strings.capacity <= 1 << 14)
            writer.elementCount = 1
            try writer.write(element)
            let payload = try writer.payload()
            let envelope = RawEnvelope.stored(payload)
            #expect(try PathEnvelope.decode(envelope, limits: limits) == [element])
        }
    }

    /// More names than a writer keeps, few and many in one document, some of them twice.
    @Test func whichNamesAWriterKnowsNeverShows() throws {
        var random = SeededGenerator(seed: 11)
        let names =
            (0..<600).map { "App\($0 % 7).Screen\($0)" } + ["general", "Swift.Int", "true", "App1.Route", "plain"]
        var warm = PayloadWriter()
        defer { warm.free() }
        for count in [3, 9, 40, 700, 3, 500, 5, 5, 300, 12, 2, 1000, 7] {
            let texts = (0..<count).map { _ in NativeNode.string(names.randomElement(using: &random) ?? "") }
            var cold = PayloadWriter()
            defer { cold.free() }
            #expect(try payload(texts, &warm) == payload(texts, &cold))
        }
    }

    private func payload(_ texts: [NativeNode], _ writer: inout PayloadWriter) throws -> [UInt8] {
        writer.beginAlone(limits: .default)
        try writer.write(.array(texts))
        return try writer.payload()
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\\\"") + "\""
    }
}
