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
        let writer = unsafe NavWire.Coders.writers.take()
        defer { unsafe NavWire.Coders.writers.give(writer) }
        #expect(unsafe writer.pointee.keys.count <= 6000)
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
